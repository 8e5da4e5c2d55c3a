import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BestList } from "../../src/best-list.js";
import { runs } from "./runs.js";

const offers = fc.uniqueArray(
  fc.record({ item: fc.nat(1000), score: fc.oneof(fc.constantFrom(0, 1, 2, 3), fc.double({ noNaN: true })) }),
  { maxLength: 40, size: "max", selector: ({ item }) => item },
);

describe("BestList", () => {
  it("holds the head of the sorted list, and its threshold, after every offer", () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 1, max: 45 }), fc.boolean(), (list, limit, isDescending) => {
        const compare = (a: number, b: number) => (isDescending ? b - a : a - b);
        const best = new BestList(limit, compare);
        expect(best.threshold).toBe(-Infinity);
        list.forEach(({ item, score }, n) => {
          best.offer(item, score);
          const sorted = list
            .slice(0, n + 1)
            .sort((x, y) => (x.score === y.score ? compare(x.item, y.item) : x.score > y.score ? -1 : 1))
            .slice(0, limit);
          const { items, scores } = best.ranked();
          expect([...items]).toEqual(sorted.map((entry) => entry.item));
          expect(Array.from(scores, (x) => x + 0)).toEqual(sorted.map((entry) => entry.score + 0));
          expect(best.threshold).toBe(sorted.length < limit ? -Infinity : scores[limit - 1]);
        });
      }),
      runs(300),
    );
  });
});
