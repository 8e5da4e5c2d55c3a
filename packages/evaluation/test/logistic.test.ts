import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addGramInto, emptyGram } from "../src/training/gram.js";
import { fitLogistic, type Observations } from "../src/training/logistic.js";

interface Golden {
  readonly x: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly weight: readonly number[];
  readonly fits: readonly { penalty: number; coefficients: number[]; intercept: number }[];
}

const golden = JSON.parse(readFileSync(new URL("golden/logistic.json", import.meta.url), "utf8")) as Golden;

function observationsOf({ x, y, weight }: Omit<Golden, "fits">): Observations {
  return {
    x: Float64Array.from(x.flat()),
    y: Float64Array.from(y),
    weight: Float64Array.from(weight),
    width: x[0].length,
  };
}

describe("logistic regression", () => {
  test.each(golden.fits)(
    "agrees with scikit-learn at penalty $penalty",
    async ({ penalty, coefficients, intercept }) => {
      const fit = await fitLogistic(observationsOf(golden), penalty);
      coefficients.forEach((value, i) => expect(fit.coefficients[i]).toBeCloseTo(value, 9));
      expect(fit.intercept).toBeCloseTo(intercept, 9);
    },
  );

  test("ends where the gradient of the loss is zero", async () => {
    const row = fc.record({
      x: fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 3, maxLength: 3 }),
      y: fc.constantFrom(0, 1),
      weight: fc.double({ min: 0.1, max: 5, noNaN: true }),
    });
    const rows = fc
      .array(row, { minLength: 2, maxLength: 40 })
      .filter((all) => new Set(all.map(({ y }) => y)).size === 2);
    await fc.assert(
      fc.asyncProperty(rows, fc.double({ min: 0.1, max: 50, noNaN: true }), async (all, penalty) => {
        const { coefficients, intercept } = await fitLogistic(
          observationsOf({
            x: all.map(({ x }) => x),
            y: all.map(({ y }) => y),
            weight: all.map(({ weight }) => weight),
          }),
          penalty,
        );
        const errors = all.map(({ x, y, weight }) => {
          const z = x.reduce((sum, value, i) => sum + value * coefficients[i], intercept);
          return weight * (1 / (1 + Math.exp(-z)) - y);
        });
        const ofIntercept = errors.reduce((sum, error) => sum + error, 0);
        expect(Math.abs(ofIntercept)).toBeLessThan(1e-6);
        coefficients.forEach((beta, i) => {
          const slope = errors.reduce((sum, error, n) => sum + error * all[n].x[i], 2 * penalty * beta);
          expect(Math.abs(slope)).toBeLessThan(1e-6);
        });
      }),
      { numRuns: 40 },
    );
  });

  test("with a weight of two is as with the row twice", async () => {
    const [twice, double] = await Promise.all([
      fitLogistic(
        observationsOf({
          x: [...golden.x, golden.x[0]],
          y: [...golden.y, golden.y[0]],
          weight: golden.x.map(() => 1).concat(1),
        }),
        1,
      ),
      fitLogistic(observationsOf({ ...golden, weight: golden.x.map((_, i) => (i === 0 ? 2 : 1)) }), 1),
    ]);
    double.coefficients.forEach((value, i) => expect(twice.coefficients[i]).toBeCloseTo(value, 9));
  });

  test("stops when it is aborted between its steps", async () => {
    const controller = new AbortController();
    const fit = fitLogistic(observationsOf(golden), 1, controller.signal);
    controller.abort(new Error("enough"));
    await expect(fit).rejects.toThrow("enough");
  });

  test("refuses what is no number", async () => {
    const broken = observationsOf({ x: [[-1], [Number.NaN]], y: [0, 1], weight: [1, 1] });
    await expect(fitLogistic(broken, 1)).rejects.toMatchObject({ code: "TRAINING" });
  });
});

test("the blocked Gram matrix is the plain one, whatever the sizes", () => {
  const value = fc.double({ min: -3, max: 3, noNaN: true });
  const sizes = fc.record({ rows: fc.integer({ min: 1, max: 300 }), width: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(
      sizes,
      fc.array(value, { minLength: 20, maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ rows, width }, pool, cut) => {
        const x = Float64Array.from({ length: rows * width }, (_, i) => pool[(i * 7) % pool.length]);
        const w = Float64Array.from({ length: rows }, (_, n) => Math.abs(pool[(n * 3) % pool.length]));
        const { values, stride } = emptyGram(width);
        const middle = Math.floor(cut * rows);
        addGramInto(x, width, w, 0, middle, { values, stride });
        addGramInto(x, width, w, middle, rows, { values, stride });
        const at = (n: number, i: number) => (i === width ? 1 : x[n * width + i]);
        for (let i = 0; i <= width; i++) {
          for (let j = 0; j <= i; j++) {
            let sum = 0;
            for (let n = 0; n < rows; n++) sum += w[n] * at(n, i) * at(n, j);
            expect(values[i * stride + j]).toBeCloseTo(sum, 8);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
