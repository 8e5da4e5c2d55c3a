/** Exact nearest passages by cosine: every visible passage is compared. */
import { BestList } from "../best-list.js";
import { compareIds, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";

/** The visible passages of greatest cosine, at most `limit`; ties by passage id. @param query of length 1 */
export function bestByVector(view: View, query: Float32Array, limit: number, visibility: Visibility): BestList {
  const best = new BestList(limit, compareIds(view));
  for (const { segment, passageBase } of view.parts) {
    for (let p = 0; p < segment.passageCount; p++) {
      const score = dot(query, segment.arrays.vectors, p * query.length);
      if (score >= best.threshold && visibility.isVisible(passageBase + p)) best.offer(passageBase + p, score);
    }
  }
  return best;
}

/** The cosine of one passage's vector with the query. */
export function cosineOf(view: View, query: Float32Array, passage: number): number {
  const { segment, passageBase } = view.partOfPassage(passage);
  return dot(query, segment.arrays.vectors, (passage - passageBase) * query.length);
}

function dot(query: Float32Array, vectors: Float32Array, start: number): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += query[i] * vectors[start + i];
  return sum;
}
