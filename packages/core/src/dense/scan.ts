/** Exact nearest passages by cosine: every visible passage is compared. */
import { BestList } from "../best-list.js";
import { compareIds, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import type { Segment } from "../segment/segment.js";
import { BLOCK, codeProduct, dotProducts, floatProduct } from "./dot-products.js";
import type { VectorQuery } from "./vector-query.js";

/** The visible passages of greatest cosine, at most `limit`; ties by passage id. */
export function bestByVector(view: View, query: VectorQuery, limit: number, visibility: Visibility): BestList {
  const best = new BestList(limit, compareIds(view));
  const cosines = new Float64Array(BLOCK);
  for (const { segment, passageBase } of view.parts) {
    for (let start = 0; start < segment.passageCount; start += BLOCK) {
      const count = Math.min(BLOCK, segment.passageCount - start);
      writeCosines(segment, query, start, count, cosines);
      for (let i = 0; i < count; i++) {
        const passage = passageBase + start + i;
        if (cosines[i] >= best.threshold && visibility.isVisible(passage)) best.offer(passage, cosines[i]);
      }
    }
  }
  return best;
}

/** The cosine of one passage's vector with the query. */
export function cosineOf(view: View, query: VectorQuery, passage: number): number {
  const { segment, passageBase } = view.partOfPassage(passage);
  return cosine(segment, query, passage - passageBase);
}

function cosine({ arrays, header }: Segment, { vector, codes, scale }: VectorQuery, passage: number): number {
  const start = passage * vector.length;
  return header.precision === "float32"
    ? floatProduct(vector, arrays.vectors, start)
    : codeProduct(codes, arrays.vectorCodes, start) * (scale * arrays.vectorScales[passage]);
}

function writeCosines(segment: Segment, query: VectorQuery, start: number, count: number, cosines: Float64Array): void {
  if (segment.header.precision === "float32") {
    for (let i = 0; i < count; i++) cosines[i] = cosine(segment, query, start + i);
    return;
  }
  const { vectorCodes, vectorScales } = segment.arrays;
  const products = dotProducts(query.codes, vectorCodes, start, count);
  for (let i = 0; i < count; i++) cosines[i] = products[i] * (query.scale * vectorScales[start + i]);
}
