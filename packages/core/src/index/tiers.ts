import { MERGE_FACTOR, SMALLEST_TIER_TOKENS } from "../defaults.js";
import type { ViewPart } from "./view.js";

/** A merged segment's records must stay below this: offsets are 32 bits, and one buffer holds them. */
const MAX_RECORD_BYTES = 2 ** 31;

/**
 * The parts that are due to be merged into one: as many of one size class as the merge factor, or one of
 * which more than half is dead. Size classes grow by the merge factor, so a passage is copied a number of
 * times logarithmic in the index's size. Undefined when nothing is due.
 *
 * @param maxTokens of what is left of all parts together
 */
export function dueForMerge(
  parts: readonly ViewPart[],
  maxTokens = Number.POSITIVE_INFINITY,
): readonly ViewPart[] | undefined {
  const tiers = new Map<number, ViewPart[]>();
  for (const part of parts) {
    if (liveTokens(part) > maxTokens) continue;
    if (part.liveness.dead.passages * 2 > part.segment.passageCount) return [part];
    const tier = tierOf(part);
    const members = [...(tiers.get(tier) ?? []), part];
    tiers.set(tier, members);
    if (members.length < MERGE_FACTOR || !fitsOneSegment(members)) continue;
    if (members.reduce((tokens, member) => tokens + liveTokens(member), 0) <= maxTokens) return members;
  }
  return undefined;
}

/** Cuts the parts into groups that each fit one segment: as few as a scan in order finds. */
export function groupsToMerge(parts: readonly ViewPart[]): ViewPart[][] {
  const groups: ViewPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last !== undefined && fitsOneSegment([...last, part])) last.push(part);
    else groups.push([part]);
  }
  return groups.filter((group) => group.length > 1 || group[0].liveness.dead.passages > 0);
}

function fitsOneSegment(parts: readonly ViewPart[]): boolean {
  return parts.reduce((bytes, { segment }) => bytes + segment.arrays.recordBytes.length, 0) < MAX_RECORD_BYTES;
}

function liveTokens({ segment, liveness }: ViewPart): number {
  return segment.arrays.tokens.length - liveness.dead.tokens;
}

function tierOf(part: ViewPart): number {
  const tokens = liveTokens(part);
  if (tokens <= SMALLEST_TIER_TOKENS) return 0;
  return 1 + Math.floor(Math.log(tokens / SMALLEST_TIER_TOKENS) / Math.log(MERGE_FACTOR));
}
