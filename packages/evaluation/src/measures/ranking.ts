/**
 * Measures of one ranking. A ranking lists ids of passages, the best first, none twice. What there is to find are
 * *places*: ids of passages, any one of which is enough. A gold passage is a place of its own; a statement of the
 * evidence may stand in several passages. With gold passages every measure is the usual one (Manning, Raghavan, Schütze
 * 2008, chapter 8).
 */
import type { Place } from "../data/question.js";

/**
 * Recall@k: `|gold ∩ top-k| / |gold|`.
 *
 * @param gold ids of the passages that together hold the evidence, at least one
 */
export function recallAt(k: number, ranking: readonly string[], gold: readonly string[]): number {
  return evidenceRecallAt(
    k,
    ranking,
    gold.map((id) => [id]),
  );
}

/**
 * Evidence recall@k: the share of the places with at least one of their passages in the top k. Places without a passage
 * are left out.
 *
 * @param places at least one must have a passage
 */
export function evidenceRecallAt(k: number, ranking: readonly string[], places: readonly Place[]): number {
  const known = places.filter((passages) => passages.length > 0);
  if (known.length === 0) throw new RangeError("recall needs at least one passage that holds evidence, got none");
  const top = new Set(ranking.slice(0, k));
  return known.filter((passages) => passages.some((id) => top.has(id))).length / known.length;
}

/** 1 when the top k hold all that there is to find, else 0. */
export function allGoldAt(k: number, ranking: readonly string[], places: readonly Place[]): number {
  return evidenceRecallAt(k, ranking, places) === 1 ? 1 : 0;
}

/** Precision@k: passages that hold something of what there is to find, among the first k, divided by k. */
export function precisionAt(k: number, ranking: readonly string[], places: readonly Place[]): number {
  const relevant = relevantOf(places);
  return ranking.slice(0, k).filter((id) => relevant.has(id)).length / k;
}

/** 1 / rank of the first passage that holds something of what there is to find; 0 when the ranking has none. */
export function reciprocalRank(ranking: readonly string[], places: readonly Place[]): number {
  const relevant = relevantOf(places);
  const first = ranking.findIndex((id) => relevant.has(id));
  return first < 0 ? 0 : 1 / (first + 1);
}

/**
 * nDCG@k (Järvelin, Kekäläinen 2002): each place gains 1 / log₂(rank + 1) at the first passage that holds it, out of
 * what one new place a rank would gain:
 *
 *     nDCG@k = Σ_{places found at r ≤ k} 1 / log₂(r + 1)  /  Σ_{r ≤ min(k, places)} 1 / log₂(r + 1)
 *
 * A passage that holds several places can gain more than that; the value is cut at 1.
 */
export function ndcgAt(k: number, ranking: readonly string[], places: readonly Place[]): number {
  const open = new Set(places);
  let gained = 0;
  ranking.slice(0, k).forEach((id, i) => {
    for (const place of open) {
      if (!place.includes(id)) continue;
      open.delete(place);
      gained += discount(i + 1);
    }
  });
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(k, places.length); rank++) ideal += discount(rank);
  return Math.min(1, gained / ideal);
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

function relevantOf(places: readonly Place[]): ReadonlySet<string> {
  return new Set(places.flat());
}
