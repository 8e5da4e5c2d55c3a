import { NodeRelationship } from "@llamaindex/core/schema";
import { tokensOf, type RetrievedPassage, type StoredPassage, type TriGraph } from "@trigraph/core";
import { neighbourIds } from "./passages.js";
import type { QueryOptions } from "./options.js";

type Limits = Pick<QueryOptions, "withNeighbours" | "maxTokens" | "countTokens">;

interface Scored {
  readonly passage: StoredPassage;
  readonly score: number;
}

/**
 * The hits, each with up to n passages before and after it, in reading order. Every passage comes once; one that is a
 * hit itself keeps its place. Where tokens are limited the hits come first: the ranking ends before the first hit that
 * does not fit, and neighbours, the nearest first, take what a hit leaves for them and those of the hits after it.
 *
 * @param isVisible hides neighbours, as it hid hits
 */
export function withNeighbours(
  index: TriGraph,
  hits: readonly RetrievedPassage[],
  isVisible: (passage: StoredPassage) => boolean,
  { withNeighbours: count = 0, maxTokens = Infinity, countTokens }: Limits,
): Scored[] {
  const seen = new Set(hits.map(({ passage }) => passage.id));
  const result: Scored[] = [];
  let left = maxTokens;
  /** Whether the text fits in what is left, which it then takes up. */
  const takes = ({ text }: StoredPassage): boolean => {
    const tokens = left === Infinity ? 0 : tokensOf(text, countTokens);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  };
  for (const { passage, score } of hits) {
    if (!takes(passage)) break;
    const before: StoredPassage[] = [];
    const after: StoredPassage[] = [];
    for (let distance = 0; distance < count; distance++) {
      const previous = next(index, before.at(-1) ?? passage, NodeRelationship.PREVIOUS, before.length === distance);
      const following = next(index, after.at(-1) ?? passage, NodeRelationship.NEXT, after.length === distance);
      for (const [side, neighbour] of [
        [before, previous],
        [after, following],
      ] as const) {
        if (neighbour === undefined || seen.has(neighbour.id) || !isVisible(neighbour) || !takes(neighbour)) continue;
        seen.add(neighbour.id);
        side.push(neighbour);
      }
    }
    for (const each of [...before.reverse(), passage, ...after]) result.push({ passage: each, score });
  }
  return result;
}

/** The passage one step on, if the way there has not ended. */
function next(
  index: TriGraph,
  passage: StoredPassage,
  relationship: NodeRelationship.PREVIOUS | NodeRelationship.NEXT,
  isOpen: boolean,
): StoredPassage | undefined {
  const [id] = isOpen ? neighbourIds(passage, relationship) : [];
  return id === undefined ? undefined : index.get(id);
}
