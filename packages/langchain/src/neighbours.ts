import type { RetrievedPassage, StoredPassage } from "@trigraph/core";
import type { Neighbours } from "./chunk-order.js";

/**
 * The hits in their order, each between its neighbours in reading order; a passage stands where it comes first. A
 * neighbour that is no hit itself has its hit's score and rank, and no evidence.
 *
 * @param isVisible undefined when all passages are
 */
export function withNeighbours(
  hits: readonly RetrievedPassage[],
  neighboursOf: (hit: RetrievedPassage) => Neighbours,
  isVisible: ((passage: StoredPassage) => boolean) | undefined,
): RetrievedPassage[] {
  const hitOf = new Map(hits.map((hit) => [hit.passage.id, hit]));
  const placed = new Map<string, RetrievedPassage>();
  for (const hit of hits) {
    const { before, after } = neighboursOf(hit);
    for (const passage of [...before, hit.passage, ...after]) {
      if (placed.has(passage.id) || isVisible?.(passage) === false) continue;
      placed.set(passage.id, hitOf.get(passage.id) ?? { passage, score: hit.score, rank: hit.rank });
    }
  }
  return [...placed.values()];
}
