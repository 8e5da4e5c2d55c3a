/** Changes to an index's parts, as values: each returns the parts after the change. */
import { mergeSegments } from "../segment/merge.js";
import type { Segment } from "../segment/segment.js";
import { inBlocks, type Steps } from "../steps.js";
import { Liveness } from "./liveness.js";
import { locate, type ViewPart } from "./view.js";

/** Ids that are looked for in one step. */
const BLOCK = 1024;

/** The parts after these passages have died; ids that no live passage has change nothing, and are told. */
export function* withoutPassages(
  parts: readonly ViewPart[],
  ids: readonly string[],
): Steps<{ readonly parts: ViewPart[]; readonly missing: readonly string[] }> {
  const dying = parts.map((): number[] => []);
  const missing: string[] = [];
  yield* inBlocks(ids.length, BLOCK, (start, end) => {
    for (let i = start; i < end; i++) {
      const place = locate(parts, ids[i]);
      if (place === undefined) missing.push(ids[i]);
      else dying[place.part].push(place.passage);
    }
  });
  const left: ViewPart[] = [];
  for (const [i, { segment, liveness: before }] of parts.entries()) {
    const liveness = yield* before.without(segment, dying[i]);
    if (liveness.dead.passages < segment.passageCount) left.push({ segment, liveness });
  }
  return { parts: left, missing };
}

/** The parts with a segment added, whose passages replace those of the same ids. */
export function* withSegment(parts: readonly ViewPart[], segment: Segment): Steps<ViewPart[]> {
  const ids: string[] = [];
  yield* inBlocks(segment.passageCount, BLOCK, (start, end) => {
    for (let passage = start; passage < end; passage++) ids.push(segment.passageId(passage));
  });
  const without = yield* withoutPassages(parts, ids);
  return [...without.parts, { segment, liveness: Liveness.ALL }];
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
export function* withMerged(
  parts: readonly ViewPart[],
  group: readonly ViewPart[],
  merged: Segment,
): Steps<ViewPart[]> {
  const dead: number[] = [];
  for (const member of group) {
    const { segment } = member;
    const died = diedSince(
      member,
      parts.find((part) => part.segment === segment),
    );
    yield* inBlocks(died.length, BLOCK, (start, end) => {
      for (const passage of died.slice(start, end)) {
        dead.push(merged.findPassage(segment.passageId(passage), segment.arrays.passageKeys[passage]));
      }
    });
  }
  const segments = new Set(group.map(({ segment }) => segment));
  const others = parts.filter(({ segment }) => !segments.has(segment));
  const added =
    dead.length === merged.passageCount
      ? []
      : [{ segment: merged, liveness: yield* Liveness.ALL.without(merged, dead) }];
  return [...others, ...added];
}

/** @param now undefined when the last passage of the segment has died */
function diedSince({ segment, liveness }: ViewPart, now: ViewPart | undefined): number[] {
  if (now?.liveness === liveness) return [];
  const dead =
    now === undefined ? Array.from({ length: segment.passageCount }, (_, p) => p) : now.liveness.deadPassages();
  return dead.filter((passage) => liveness.isLive(passage));
}
