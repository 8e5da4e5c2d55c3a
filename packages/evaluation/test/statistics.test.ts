import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mean } from "../src/measures/numbers.js";
import { bootstrapMeans, intervalOf, signFlipTest } from "../src/statistics/resampling.js";

describe("the bootstrap", () => {
  test("of two values gives their mean half of the time (¼, ½, ¼)", () => {
    const [means] = bootstrapMeans([[0, 1]], { seed: 3, resamples: 20_000 });
    const share = (value: number) => means.filter((each) => each === value).length / means.length;
    // Five standard errors of a share of 20,000.
    expect(Math.abs(share(0.5) - 0.5)).toBeLessThan(0.018);
    expect(Math.abs(share(0) - 0.25)).toBeLessThan(0.016);
    expect(share(0) + share(0.5) + share(1)).toBe(1);
  });

  test("has nearly the normal interval for many values", () => {
    const values = Array.from({ length: 100 }, (_, i) => i);
    const [low, high] = intervalOf(bootstrapMeans([values], { seed: 1, resamples: 10_000 })[0]);
    // 49.5 ± 1.96 · 28.866 / √100
    expect(Math.abs(low - 43.84)).toBeLessThan(0.4);
    expect(Math.abs(high - 55.16)).toBeLessThan(0.4);
  });

  test("resamples all columns alike: a constant difference stays", () => {
    const column = [0, 0.5, 1, 1, 0.25];
    const [a, b] = bootstrapMeans([column, column.map((value) => value + 2)], { seed: 9, resamples: 200 });
    for (let i = 0; i < a.length; i++) expect(b[i] - a[i]).toBeCloseTo(2, 12);
  });

  test("is the same for the same seed, and its interval holds the mean", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 2, maxLength: 40 }),
        fc.nat(),
        (values, seed) => {
          const resampling = { seed, resamples: 400 };
          const [means] = bootstrapMeans([values], resampling);
          expect(bootstrapMeans([values], resampling)[0]).toEqual(means);
          const [low, high] = intervalOf(means);
          const spread = 1e-9 + 5 * Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)) / values.length);
          expect(Math.abs(mean([...means]) - mean(values))).toBeLessThan(spread);
          expect(low).toBeLessThanOrEqual(high);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("the sign-flip test", () => {
  const resampling = { seed: 5, resamples: 20_000 };

  test("counts all signs of few differences", () => {
    // Of the 8 sums of ±1 ±1 ±1, two are as extreme as 3.
    expect(signFlipTest([1, 1, 1], resampling)).toBe(2 / 8);
    // |±3 ±2 ±1| ≥ 4: 6 and 4, both signs.
    expect(signFlipTest([3, 2, -1], resampling)).toBe(4 / 8);
    expect(signFlipTest([0, 1, 0, 1, 1], resampling)).toBe(2 / 8);
    expect(signFlipTest([0, 0], resampling)).toBe(1);
    expect(signFlipTest([0.1, 0.2, -0.3], resampling)).toBe(1);
  });

  test("of equal differences is the binomial sign test", () => {
    // 15 of 20 plus: 2 · Σ_{i ≥ 15} C(20, i) / 2²⁰ = 0.04139.
    const differences = Array.from({ length: 20 }, (_, i) => (i < 15 ? 0.5 : -0.5));
    expect(Math.abs(signFlipTest(differences, resampling) - 0.04139)).toBeLessThan(0.007);
    // 30 of 40: 0.0022.
    const more = Array.from({ length: 40 }, (_, i) => (i < 30 ? 1 : -1));
    expect(Math.abs(signFlipTest(more, resampling) - 0.0022)).toBeLessThan(0.0017);
  });

  test("is the same for the same seed, for either direction, and never 0", () => {
    const differences = Array.from({ length: 60 }, (_, i) => 1 + (i % 3));
    const p = signFlipTest(differences, resampling);
    expect(p).toBe(1 / 20_001);
    expect(signFlipTest(differences, resampling)).toBe(p);
    expect(
      signFlipTest(
        differences.map((value) => -value),
        resampling,
      ),
    ).toBe(p);
  });
});
