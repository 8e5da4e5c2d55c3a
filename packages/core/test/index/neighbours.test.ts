import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RetrievedPassage, type StoredPassage, withNeighbours } from "../../src/index.js";
import { runs } from "./world.js";

/** A document of so many chunks: their ids are their places. */
const LENGTH = 12;
const chunk = (at: number): StoredPassage => ({ id: String(at), text: `Chunk ${at}.` });
const hitsAt = (places: readonly number[]): RetrievedPassage[] =>
  places.map((at, i) => ({ passage: chunk(at), score: 1 / (i + 1), rank: i + 1 }));

function neighboursWithin(reach: number) {
  return ({ id }: StoredPassage) => {
    const steps = Array.from({ length: reach }, (_, i) => i + 1);
    const existing = (places: number[]) => places.filter((at) => at >= 0 && at < LENGTH).map(chunk);
    return { before: existing(steps.map((n) => Number(id) - n)), after: existing(steps.map((n) => Number(id) + n)) };
  };
}

const one = () => 1;
const all = () => true;
const places = (found: readonly RetrievedPassage[]) => found.map(({ passage }) => Number(passage.id));

describe("withNeighbours", () => {
  it("puts each hit between its neighbours, in the order of the hits, each passage once", () => {
    const find = (hits: number[], reach: number) =>
      places(withNeighbours(hitsAt(hits), neighboursWithin(reach), all, {}));
    expect(find([5], 0)).toEqual([5]);
    expect(find([5], 2)).toEqual([3, 4, 5, 6, 7]);
    expect(find([0, 11], 2)).toEqual([0, 1, 2, 9, 10, 11]);
    expect(find([6, 5], 1)).toEqual([6, 7, 4, 5]);
    // Past a hit that has its own place the way goes on.
    expect(find([4, 5], 2)).toEqual([2, 3, 4, 6, 5, 7]);
  });

  it("gives a neighbour its hit's score and rank, and leaves the hit as it is", () => {
    const [first, second] = hitsAt([2, 8]);
    const evidence = {
      via: "fill",
      similarity: 0,
      sentence: undefined,
      stages: { similarity: 0, activation: 0, pageRank: 0 },
    } as const;
    const found = withNeighbours([first, { ...second, evidence }], neighboursWithin(1), all, {});
    expect(found.map(({ score, rank }) => [score, rank])).toEqual(
      [1, 1, 1, 0.5, 0.5, 0.5].map((score) => [score, 1 / score]),
    );
    expect(found[4]).toEqual({ ...second, evidence });
    expect(found.filter((hit) => "evidence" in hit)).toHaveLength(1);
  });

  it("ends a side at what is hidden or does not fit; hits come first", () => {
    const not = (hidden: number) => (passage: StoredPassage) => passage.id !== String(hidden);
    const find = (hits: number[], isVisible: (passage: StoredPassage) => boolean, maxTokens?: number) =>
      places(withNeighbours(hitsAt(hits), neighboursWithin(2), isVisible, { maxTokens, countTokens: one }));
    expect(find([5], not(4))).toEqual([5, 6, 7]);
    expect(find([5], not(3))).toEqual([4, 5, 6, 7]);
    expect([0, 1, 2, 3, 4, 5].map((maxTokens) => find([5], all, maxTokens))).toEqual([
      [],
      [5],
      [4, 5],
      [4, 5, 6],
      [3, 4, 5, 6],
      [3, 4, 5, 6, 7],
    ]);
    // A long neighbour does not fit, and what stands behind it stays away.
    const long = (text: string) => (text === "Chunk 6." ? 9 : 1);
    const found = withNeighbours(hitsAt([5]), neighboursWithin(2), all, { maxTokens: 5, countTokens: long });
    expect(places(found)).toEqual([3, 4, 5]);
  });

  it("returns leading hits, nothing hidden, nothing twice, nothing beyond reach or budget", () => {
    const world = fc.record({
      hits: fc.uniqueArray(fc.nat(LENGTH - 1), { minLength: 1, maxLength: 5 }),
      hidden: fc.uniqueArray(fc.nat(LENGTH - 1), { maxLength: 4 }),
      reach: fc.nat(4),
      maxTokens: fc.nat(LENGTH + 2),
    });
    fc.assert(
      fc.property(world, ({ hits, hidden, reach, maxTokens }) => {
        const visible = hits.filter((at) => !hidden.includes(at));
        const isVisible = ({ id }: StoredPassage) => !hidden.includes(Number(id));
        const budget = { maxTokens, countTokens: one };
        const found = places(withNeighbours(hitsAt(visible), neighboursWithin(reach), isVisible, budget));
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(maxTokens);
        const own = found.filter((at) => visible.includes(at));
        expect(own).toEqual(visible.slice(0, own.length));
        if (found.length < maxTokens) expect(own).toEqual(visible);
        for (const at of found) {
          expect(hidden).not.toContain(at);
          expect(Math.min(...own.map((hit) => Math.abs(hit - at)))).toBeLessThanOrEqual(reach);
        }
      }),
      runs(200),
    );
  });
});
