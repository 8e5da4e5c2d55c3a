import type { Best } from "../best-list.js";

export interface RankedPassage {
  /** Number in the view. */
  readonly number: number;
  readonly score: number;
}

export function toRanked({ items, scores }: Best): RankedPassage[] {
  return Array.from(items, (number, i) => ({ number, score: scores[i] }));
}

/** 2^13 + 1 */
const SPLITTER = 8193;

/** The number's leading 40 bits (Dekker 1971): equal for numbers that differ by rounding, some 1e-12 relative. */
export function withoutRounding(value: number): number {
  const scaled = value * SPLITTER;
  return scaled - (scaled - value);
}
