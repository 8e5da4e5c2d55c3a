import { percentile } from "@trigraph/evaluation";

/** Several measurements of one thing: the least, the middle and the most. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  return { min: percentile(values, 0), median: percentile(values, 50), max: percentile(values, 100) };
}

/** The least time of each question over some runs. */
export function leastOf(times: readonly (readonly number[])[]): number[] {
  return times[0].map((_, i) => Math.min(...times.map((milliseconds) => milliseconds[i])));
}

/** Words of a text as people count them: what stands between single spaces. */
export function countWords(text: string): number {
  let count = text === "" ? 0 : 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) count++;
  return count;
}
