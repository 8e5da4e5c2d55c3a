import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { containAccuracy } from "../src/measures/answer.js";
import { mean, percentile } from "../src/measures/numbers.js";
import { measureRanking } from "../src/measures/question.js";
import { allGoldAt, evidenceRecallAt, ndcgAt, precisionAt, recallAt, reciprocalRank } from "../src/measures/ranking.js";

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

// Worked by hand: gold a and b, found at ranks 2 and 5 of six.
describe("the other measures of a ranking", () => {
  const ranking = ["x", "a", "y", "z", "b", "w"];
  const places = [["a"], ["b"]];

  test("all gold", () => {
    expect([1, 2, 4, 5, 6].map((k) => allGoldAt(k, ranking, places))).toEqual([0, 0, 0, 1, 1]);
  });

  test("precision", () => {
    expect([1, 2, 5].map((k) => precisionAt(k, ranking, places))).toEqual([0, 0.5, 0.4]);
    // Divided by k however few there are.
    expect(precisionAt(10, ["a"], places)).toBe(0.1);
  });

  test("reciprocal rank", () => {
    expect(reciprocalRank(ranking, places)).toBe(0.5);
    expect(reciprocalRank(["x"], places)).toBe(0);
  });

  test("nDCG", () => {
    // 1/log2(3) = 0.63093, 1/log2(6) = 0.38685; ideal 1 + 0.63093.
    expect(ndcgAt(2, ranking, places)).toBeCloseTo(0.63093 / 1.63093, 5);
    expect(ndcgAt(5, ranking, places)).toBeCloseTo((0.63093 + 0.38685) / 1.63093, 5);
    expect(ndcgAt(1, ["a"], places)).toBe(1);
    expect(ndcgAt(5, ["b", "a"], places)).toBe(1);
  });

  test("of evidence: a second passage of a statement gains nothing, one that holds two gains for both", () => {
    expect(ndcgAt(2, ["a", "b"], [["a", "b"], ["c"]])).toBeCloseTo(1 / 1.63093, 5);
    expect(ndcgAt(2, ["a", "b"], [["a"], ["a", "b"]])).toBe(1);
    expect(precisionAt(2, ["a", "b"], [["a", "b"], ["c"]])).toBe(1);
  });
});

describe("every measure of a ranking", () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 15 }).map(String), { minLength: 1, maxLength: 12 });
  const places = fc.array(ids, { minLength: 1, maxLength: 5 });
  const measured = (ranking: string[], at: string[][], ks: number[]) => {
    const evidence = at.map((passages) => ({ text: "", passages }));
    return measureRanking({ id: "q", question: "?", gold: null, evidence }, ranking, ks);
  };

  test("is between 0 and 1, and 1 is what a ranking of gold alone gets", () => {
    fc.assert(
      fc.property(ids, places, fc.integer({ min: 1, max: 12 }), (ranking, at, k) => {
        for (const value of Object.values(measured(ranking, at, [k]))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        const gold = [...new Set(ranking)].slice(0, k);
        const perfect = measureRanking({ id: "q", question: "?", gold }, gold, [gold.length]);
        expect(Object.values(perfect).every((value) => Math.abs(value - 1) < 1e-12)).toBe(true);
      }),
    );
  });

  test("does not fall with k but for precision and nDCG, and sees nothing below k", () => {
    fc.assert(
      fc.property(ids, places, fc.integer({ min: 1, max: 10 }), (ranking, at, k) => {
        const both = measured(ranking, at, [k, k + 1]);
        expect(both[`recall@${k + 1}`]).toBeGreaterThanOrEqual(both[`recall@${k}`]);
        expect(both[`allGold@${k + 1}`]).toBeGreaterThanOrEqual(both[`allGold@${k}`]);
        const { MRR: _, ...cut } = measured(ranking.slice(0, k), at, [k]);
        expect(measured(ranking, at, [k])).toMatchObject(cut);
      }),
    );
  });

  test("gains when a gold passage moves up", () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 12 }), fc.nat(), (ranking, k, pick) => {
        fc.pre(ranking.length > 1);
        const from = 1 + (pick % (ranking.length - 1));
        const gold = [ranking[from]];
        const others = ranking.filter((_, i) => i !== from);
        const moved = [...others.slice(0, from - 1), ranking[from], ...others.slice(from - 1)];
        const [before, after] = [ranking, moved].map((each) =>
          measureRanking({ id: "q", question: "?", gold }, each, [k]),
        );
        for (const name of Object.keys(before)) expect(after[name]).toBeGreaterThanOrEqual(before[name]);
      }),
    );
  });

  test("is not taken where nothing is known of the evidence", () => {
    expect(measureRanking({ id: "q", question: "?", gold: null }, ["a"], [2])).toEqual({});
    const evidence = [{ text: "a", passages: [] }];
    expect(measureRanking({ id: "q", question: "?", gold: null, evidence }, ["a"], [2])).toEqual({});
  });
});

describe("contain accuracy", () => {
  test.each([
    ["She was born in Visby.", ["Visby"], 1],
    ["It was the KING’S speech", ["king's speech"], 1],
    ["cafe\u0301 noir", ["Caf\u00e9 Noir!"], 1],
    ["Nobody is known", ["no"], 0],
    ["in New  York", ["London", "New York"], 1],
    ["", ["Visby"], 0],
  ])("of %j for %j is %i", (text, accepted, expected) => {
    expect(containAccuracy(text, accepted)).toBe(expected);
  });

  test("needs an answer", () => {
    expect(() => containAccuracy("text", ["…"])).toThrow(RangeError);
  });
});

describe("percentile and mean", () => {
  test("interpolate between ranks, whatever the order, and leave their input as it is", () => {
    const values = [4, 1, 2, 3];
    expect(percentile(values, 50)).toBe(2.5);
    expect(percentile([10, 20], 95)).toBeCloseTo(19.5, 12);
    expect(percentile(new Float32Array([7]), 95)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
    expect(values).toEqual([4, 1, 2, 3]);
    expect(mean([1, 2, 6])).toBe(3);
    expect(mean([])).toBeNaN();
  });
});
