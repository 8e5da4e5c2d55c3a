/** Changes to an index's parts, as values: each returns the parts after the change. */
import { mergeSegments } from "../segment/merge.js";
import type { Segment } from "../segment/segment.js";
import type { Steps } from "../steps.js";
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

/** One segment of what is alive in the group. */
export function merging(group: readonly ViewPart[]): Steps<Segment> {
  return mergeSegments(
    group.map(({ segment, liveness }) => ({ segment, isLive: (passage) => liveness.isLive(passage) })),
  );
}

/**
 * The parts with the segment merged of a group in the group's place. Passages that have died since the group was taken
 * are dead in it.
 */
export function withMerged(parts: readonly ViewPart[], group: readonly ViewPart[], merged: Segment): ViewPart[] {
  const dead: number[] = [];
  for (const member of group) {
    const now = parts.find(({ segment }) => segment === member.segment);
    for (const passage of diedSince(member, now)) {
      const { segment } = member;
      dead.push(merged.findPassage(segment.passageId(passage), segment.arrays.passageKeys[passage]));
    }
  }
  const segments = new Set(group.map(({ segment }) => segment));
  const others = parts.filter(({ segment }) => !segments.has(segment));
  const added =
    dead.length === merged.passageCount ? [] : [{ segment: merged, liveness: Liveness.ALL.without(merged, dead) }];
  return [...others, ...added];
}

/** @param now undefined when the last passage of the segment has died */
function diedSince({ segment, liveness }: ViewPart, now: ViewPart | undefined): number[] {
  if (now?.liveness === liveness) return [];
  const dead =
    now === undefined ? Array.from({ length: segment.passageCount }, (_, p) => p) : now.liveness.deadPassages();
  return dead.filter((passage) => liveness.isLive(passage));
}
