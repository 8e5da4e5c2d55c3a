import { describe, expect, test } from "vitest";
import { evidenceRecallAt, mean, percentile, recallAt, spread } from "../src/measures.js";

describe("recall", () => {
  test("is the share of the gold passages in the top k", () => {
    const ranking = ["a", "b", "c", "d"];
    expect(recallAt(2, ranking, ["a", "c"])).toBe(0.5);
    expect(recallAt(3, ranking, ["a", "c"])).toBe(1);
    expect(recallAt(5, ranking, ["x", "y", "d"])).toBeCloseTo(1 / 3, 15);
    expect(recallAt(5, [], ["a"])).toBe(0);
  });

  test("needs gold", () => {
    expect(() => recallAt(5, ["a"], [])).toThrow(RangeError);
  });

  test("of evidence counts a statement when any one of its passages is there, and only placed statements", () => {
    const ranking = ["a", "b", "c"];
    expect(evidenceRecallAt(2, ranking, [["z", "b"], ["c"]])).toBe(0.5);
    expect(evidenceRecallAt(3, ranking, [["z", "b"], ["c"]])).toBe(1);
    expect(evidenceRecallAt(1, ranking, [["a"], [], ["c", "b"], []])).toBe(0.5);
    expect(() => evidenceRecallAt(1, ranking, [[], []])).toThrow(RangeError);
  });
});

describe("percentiles", () => {
  test("interpolate between ranks and do not care about order", () => {
    expect(percentile([3, 1, 2], 50)).toBe(2);
    expect(percentile([4, 1, 2, 3], 50)).toBe(2.5);
    expect(percentile([10, 20], 95)).toBeCloseTo(19.5, 12);
    expect(percentile(new Float32Array([7]), 95)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });

  test("leave their input as it is", () => {
    const values = [3, 1, 2];
    percentile(values, 50);
    expect(values).toEqual([3, 1, 2]);
  });

  test("mean and spread", () => {
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBeNaN();
    expect(spread([5, 1, 3])).toEqual({ min: 1, median: 3, max: 5 });
  });
});
