/** Changes to an index's parts, as values: each returns the parts after the change. */
import { mergeSegments } from "../segment/merge.js";
import type { Segment } from "../segment/segment.js";
import { Liveness } from "./liveness.js";
import { locate, type ViewPart } from "./view.js";

/** The parts after these passages have died; ids that no live passage has change nothing. */
export function withoutPassages(parts: readonly ViewPart[], ids: Iterable<string>): ViewPart[] {
  const dying = parts.map((): number[] => []);
  for (const id of ids) {
    const place = locate(parts, id);
    if (place !== undefined) dying[place.part].push(place.passage);
  }
  return parts
    .map(({ segment, liveness }, i) => ({ segment, liveness: liveness.without(segment, dying[i]) }))
    .filter(({ segment, liveness }) => liveness.dead.passages < segment.passageCount);
}

/** The parts with a segment added, whose passages replace those of the same ids. */
export function withSegment(parts: readonly ViewPart[], segment: Segment): ViewPart[] {
  const ids = Array.from({ length: segment.passageCount }, (_, passage) => segment.passageId(passage));
  return [...withoutPassages(parts, ids), { segment, liveness: Liveness.ALL }];
}

/** The parts with a group of them merged into one. */
export function withMerged(parts: readonly ViewPart[], group: readonly ViewPart[]): ViewPart[] {
  const merged = mergeSegments(
    group.map(({ segment, liveness }) => ({ segment, isLive: (passage) => liveness.isLive(passage) })),
  );
  return [...parts.filter((part) => !group.includes(part)), { segment: merged, liveness: Liveness.ALL }];
}
