/** Nearest passages by cosine: every visible passage is compared, or where a segment's vectors are indexed the likely ones. */
import { type Best, BestList } from "../best-list.js";
import { compareIds, type SegmentView, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import type { Segment } from "../segment/segment.js";
import { BLOCK, codeProduct, dotProducts, floatProduct } from "./dot-products.js";
import type { VectorQuery } from "./vector-query.js";

/** The visible passages of greatest cosine, at most `limit`; ties by passage id. */
export function bestByVector(view: View, query: VectorQuery, limit: number, visibility: Visibility): Best {
  const best = new BestList(limit, compareIds(view));
  const cosines = new Float64Array(BLOCK);
  for (const part of view.parts) {
    const { segment, passageBase } = part;
    if (offerNearest(best, view, part, query, visibility)) continue;
    for (let start = 0; start < segment.passageCount; start += BLOCK) {
      const count = Math.min(BLOCK, segment.passageCount - start);
      writeCosines(segment, query, start, count, cosines);
      for (let i = 0; i < count; i++) {
        const passage = passageBase + start + i;
        if (cosines[i] >= best.threshold && visibility.isVisible(passage)) best.offer(passage, cosines[i]);
      }
    }
  }
  return best.ranked();
}

/** As many more are looked for as are needed: some of those missed among the first are found among the next. */
const OVERSAMPLING = 4;

/** Beyond this share of a segment comparing all is as fast. */
const SCAN_SHARE = 1 / 8;

/** Offers the passages that the segment's vector index finds; false without one, or when too few of them are visible. */
function offerNearest(
  best: BestList,
  { vectorIndexes }: View,
  { segment, passageBase }: SegmentView,
  query: VectorQuery,
  visibility: Visibility,
): boolean {
  const index = vectorIndexes?.of(segment);
  if (index === undefined || best.limit === 0) return false;
  for (let count = OVERSAMPLING * best.limit; count <= SCAN_SHARE * segment.passageCount; count *= OVERSAMPLING) {
    const visible = Array.from(index.nearest(query.vector, count)).filter((i) => visibility.isVisible(passageBase + i));
    if (visible.length < best.limit) continue;
    for (const i of visible) best.offer(passageBase + i, cosine(segment, query, i));
    return true;
  }
  return false;
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
