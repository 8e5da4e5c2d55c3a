import { compose } from "./compose.js";
import type { Steps } from "../steps.js";
import { type Segment, toSegment } from "./segment.js";

/** A segment and which of its passages are alive. */
export interface LiveSegment {
  readonly segment: Segment;
  readonly isLive: (passage: number) => boolean;
}

/**
 * One segment of the live passages of several. No two live passages may share an id, and none may die between the
 * steps.
 */
export function* mergeSegments(segments: readonly LiveSegment[]): Steps<Segment> {
  const merged = yield* compose(
    segments.map(({ segment, isLive }) => ({
      arrays: segment.arrays,
      dimensions: segment.header.dimensions,
      precision: segment.header.precision,
      collisions: segment.header.collisions,
      isTaken: isLive,
    })),
  );
  return yield* toSegment(merged);
}
