/** The graph of a commit, node after node: for exports and drawings, not for answers. */
import type { GraphEntity, GraphPassage } from "../types.js";
import type { SegmentView, View } from "./view.js";

/** Every entity of a live passage, once, whatever segments it is in. */
export function* walkEntities(view: View): Generator<GraphEntity, void, undefined> {
  for (const [i, part] of view.parts.entries()) {
    const { keys } = part.segment.entities;
    const earlier = view.parts.slice(0, i);
    for (let entity = 0; entity < keys.length; entity++) {
      const key = keys[entity];
      if (part.entityDegree(entity) === 0 || earlier.some((other) => isLiveIn(other, key))) continue;
      yield { key, name: view.entityName(key)!, passages: view.entityDegree(key) };
    }
  }
}

/** Every live passage with its sentences and its edges. */
export function* walkPassages(view: View): Generator<GraphPassage, void, undefined> {
  for (const { segment, liveness } of view.parts) {
    const { keys } = segment.entities;
    const { sentenceIndptr, sentenceStarts, sentenceEnds, mentionIndptr, mentionEntities } = segment.arrays;
    const { containIndptr, containEntities, containCounts, containDefines } = segment.arrays;
    for (let p = 0; p < segment.passageCount; p++) {
      if (!liveness.isLive(p)) continue;
      yield {
        passage: segment.passage(p),
        sentences: range(sentenceIndptr[p], sentenceIndptr[p + 1]).map((s) => ({
          span: { start: sentenceStarts[s], end: sentenceEnds[s] },
          mentions: range(mentionIndptr[s], mentionIndptr[s + 1]).map((i) => keys[mentionEntities[i]]),
        })),
        contains: range(containIndptr[p], containIndptr[p + 1]).map((i) => ({
          entity: keys[containEntities[i]],
          count: containCounts[i],
          defines: containDefines[i] === 1,
        })),
      };
    }
  }
}

function isLiveIn(part: SegmentView, key: number): boolean {
  const entity = part.segment.entities.find(key);
  return entity >= 0 && part.entityDegree(entity) > 0;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
