import { NodeRelationship } from "@llamaindex/core/schema";
import type { Neighbours, StoredPassage, TriGraph } from "@trigraph/core";
import { neighbourIds } from "./passages.js";

/** Up to `reach` passages on each side, by the relationships of their nodes, as far as the index holds them. */
export function neighboursOf(index: TriGraph, passage: StoredPassage, reach: number): Neighbours {
  return {
    before: chain(index, passage, NodeRelationship.PREVIOUS, reach),
    after: chain(index, passage, NodeRelationship.NEXT, reach),
  };
}

function chain(
  index: TriGraph,
  passage: StoredPassage,
  relationship: NodeRelationship.PREVIOUS | NodeRelationship.NEXT,
  reach: number,
): StoredPassage[] {
  const passages: StoredPassage[] = [];
  let last: StoredPassage | undefined = passage;
  while (last !== undefined && passages.length < reach) {
    const [id] = neighbourIds(last, relationship);
    last = id === undefined ? undefined : index.get(id);
    if (last !== undefined) passages.push(last);
  }
  return passages;
}
