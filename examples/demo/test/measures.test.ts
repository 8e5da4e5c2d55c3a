import { expect, test } from "vitest";
import { foundAt, outcomeOf, totalsOf } from "../src/measures.js";

const gold = (...ranks: [trigraph: number | undefined, bm25: number | undefined][]) =>
  ranks.map(([trigraph, bm25], i) => ({ id: `${i}`, title: `${i}`, trigraph, bm25 }));

test("measures", () => {
  const won = gold([1, 1], [5, 6]);
  const tied = gold([2, 5], [undefined, undefined]);
  const lost = gold([undefined, 4]);
  expect([won, tied, lost].map(outcomeOf)).toEqual(["won", "tied", "lost"]);
  expect(foundAt(2, won, "trigraph")).toBe(1);
  expect(totalsOf([won, tied, lost, won])).toEqual({
    questions: 4,
    measures: {
      trigraph: { recallAt2: 0.375, recallAt5: 0.625, allGoldAt5: 2 },
      bm25: { recallAt2: 0.25, recallAt5: 0.625, allGoldAt5: 1 },
    },
    outcomes: { won: 2, tied: 1, lost: 1 },
  });
});
