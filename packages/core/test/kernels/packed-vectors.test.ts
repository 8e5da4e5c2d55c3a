import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VectorQuery } from "../../src/dense/vector-query.js";
import { quantize, restored } from "../../src/segment/packed-vectors.js";
import { cosineOf } from "../../src/dense/scan.js";
import { unitVector } from "../../src/dense/vectors.js";
import { runs } from "./runs.js";
import { segmentOf, viewOf } from "./scripted.js";

const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });

function unit(values: readonly number[]): Float32Array {
  return unitVector(values, values.length, "test");
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((sum, value, i) => sum + value * b[i], 0);
}

describe("quantize", () => {
  it("keeps length and direction, and gives what it restored the same codes", () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const vector = unit(values);
        const codes = new Int8Array(vector.length);
        const scale = quantize(vector, codes);
        const back = restored(codes, scale);
        const isZero = vector.every((value) => value === 0);
        expect(dot(back, back)).toBeCloseTo(isZero ? 0 : 1, 5);
        // Each number is off by at most half a code.
        const greatest = Math.max(...vector.map(Math.abs));
        const error = (Math.sqrt(vector.length) * greatest) / 254;
        if (!isZero) expect(dot(vector, back)).toBeGreaterThanOrEqual(1 - error * error * 2 - 1e-6);
        const again = new Int8Array(vector.length);
        expect(quantize(back, again)).toBe(scale);
        expect(again).toEqual(codes);
      }),
      runs(300),
    );
  });

  it("leaves a query's products with codes within 32 bits, however long", () => {
    for (const size of [1, 384, 520, 4096, 20_000]) {
      const { codes, scale } = new VectorQuery(unit(new Array<number>(size).fill(1)));
      const most = codes.reduce((sum, code) => sum + Math.abs(code) * 127, 0);
      expect(most).toBeLessThan(2 ** 31);
      expect(most).toBeGreaterThan(size < 500 ? 0 : 2 ** 30);
      expect(dot(restored(Int8Array.from(codes.map(Math.sign)), 1 / Math.sqrt(size)), codes) * scale).toBeCloseTo(1, 5);
    }
  });
});

describe("cosineOf", () => {
  it("is the cosine in full precision, and nearly so in eight bits", () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.array(numbers, { minLength: 2, maxLength: 8 }), fc.integer({ min: 1, max: 9 })),
        ([rows, size]) => {
          const vectors = rows.map((row) => unit(Array.from({ length: size }, (_, i) => row[i % row.length])));
          const [query, ...stored] = vectors;
          const passages = stored.map((_, i) => ({ id: String(i), text: "One." }));
          const vectorOf = (id: string) => stored[Number(id === "" ? 0 : id)];
          for (const precision of ["float32", "int8"] as const) {
            const view = viewOf([segmentOf(passages, undefined, vectorOf, precision)]);
            for (const { id } of passages) {
              const cosine = cosineOf(view, new VectorQuery(query), view.findPassage(id));
              expect(Math.abs(cosine - dot(query, vectorOf(id)))).toBeLessThan(precision === "float32" ? 1e-6 : 0.02);
            }
          }
        },
      ),
      runs(100),
    );
  });
});
