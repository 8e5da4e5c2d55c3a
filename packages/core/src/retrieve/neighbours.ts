import type { RetrievedPassage, StoredPassage } from "../types.js";
import { type Budget, tokensOf } from "./budget.js";

/** The passages of the same document on each side of one, the nearest first. */
export interface Neighbours {
  readonly before: readonly StoredPassage[];
  readonly after: readonly StoredPassage[];
}

/**
 * The hits in their order, each between its neighbours in reading order. Every passage comes once; one that is a hit
 * itself keeps its place. A neighbour has its hit's score and rank, and no evidence.
 *
 * Neighbours stay connected: a side ends at the first that is hidden or does not fit. Where tokens are limited the
 * ranking ends before the first hit that does not fit, as without neighbours; these, the nearest first, take what a
 * hit leaves to them and to the hits after it.
 *
 * @param isVisible hides neighbours, as it hid hits
 */
export function withNeighbours(
  hits: readonly RetrievedPassage[],
  neighboursOf: (passage: StoredPassage) => Neighbours,
  isVisible: (passage: StoredPassage) => boolean,
  { maxTokens = Infinity, countTokens }: Pick<Budget, "maxTokens" | "countTokens">,
): RetrievedPassage[] {
  const seen = new Set(hits.map(({ passage }) => passage.id));
  const result: RetrievedPassage[] = [];
  let left = maxTokens;
  /** Whether the text fits in what is left, which it then takes up. */
  const takes = ({ text }: StoredPassage): boolean => {
    const tokens = left === Infinity ? 0 : tokensOf(text, countTokens);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  };
  for (const hit of hits) {
    if (!takes(hit.passage)) break;
    const { before, after } = neighboursOf(hit.passage);
    const sides = [before, after].map((passages) => ({ passages, taken: [] as StoredPassage[], isOpen: true }));
    for (let distance = 0; distance < Math.max(before.length, after.length); distance++) {
      for (const side of sides) {
        const neighbour: StoredPassage | undefined = side.passages[distance];
        if (!side.isOpen || neighbour === undefined || seen.has(neighbour.id)) continue;
        side.isOpen = isVisible(neighbour) && takes(neighbour);
        if (!side.isOpen) continue;
        seen.add(neighbour.id);
        side.taken.push(neighbour);
      }
    }
    const beside = (passage: StoredPassage): RetrievedPassage => ({ passage, score: hit.score, rank: hit.rank });
    result.push(...sides[0].taken.reverse().map(beside), hit, ...sides[1].taken.map(beside));
  }
  return result;
}
