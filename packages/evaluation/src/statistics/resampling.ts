/**
 * What chance may have done. Both by resampling questions, because recall is neither normal nor of equal variance:
 *
 * - `bootstrapMeans`: means over questions drawn with replacement (Efron 1979); their percentiles are an interval.
 * - `signFlipTest`: if two methods were equal, each question's difference could as well have the other sign (Fisher
 *   1935; Smucker, Allan, Carterette 2007 compare tests for retrieval).
 */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { percentile } from "../measures/numbers.js";
import { LEVEL } from "../defaults.js";

/** How resamples are drawn. */
export interface Resampling {
  readonly seed: number;
  /** A whole number of at least 1. */
  readonly resamples: number;
}

/** The least and the greatest value that are still plausible. */
export type Interval = readonly [low: number, high: number];

/** Up to so many differences the test counts all 2ⁿ signs instead of drawing some. */
const EXACT_UP_TO = 12;

/** Sums of the same numbers in another order differ by rounding. */
const TOLERANCE = 1e-9;

/**
 * For each column the means of its resamples. All columns are resampled by the same rows, so means of one resample may
 * be subtracted: that is the paired bootstrap.
 *
 * @param columns values of each method, one for each question, at least one
 */
export function bootstrapMeans(columns: readonly ArrayLike<number>[], { seed, resamples }: Resampling): Float64Array[] {
  const rows = columns[0].length;
  const random = xoroshiro128plus(seed);
  const means = columns.map(() => new Float64Array(resamples));
  for (let resample = 0; resample < resamples; resample++) {
    for (let drawn = 0; drawn < rows; drawn++) {
      const row = uniformInt(random, 0, rows - 1);
      for (let column = 0; column < columns.length; column++) means[column][resample] += columns[column][row] / rows;
    }
  }
  return means;
}

/** The percentile interval of resampled values. */
export function intervalOf(values: Float64Array): Interval {
  const tail = (100 * (1 - LEVEL)) / 2;
  return [percentile(values, tail), percentile(values, 100 - tail)];
}

/**
 * Two-sided p of the sign-flip test on the mean difference: exact for up to 12 differences that are not zero; else
 * (1 + as extreme ones) / (1 + resamples), which is never 0.
 */
export function signFlipTest(differences: readonly number[], { seed, resamples }: Resampling): number {
  // A zero is the same with either sign.
  const values = differences.filter((value) => value !== 0);
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0)) - TOLERANCE;
  if (values.length <= EXACT_UP_TO) {
    const count = 2 ** values.length;
    let extreme = 0;
    for (let signs = 0; signs < count; signs++) if (Math.abs(flipped(values, () => signs)) >= observed) extreme++;
    return extreme / count;
  }
  const random = xoroshiro128plus(seed);
  let extreme = 0;
  for (let i = 0; i < resamples; i++) if (Math.abs(flipped(values, () => random.next())) >= observed) extreme++;
  return (1 + extreme) / (1 + resamples);
}

/** The sum with the signs of a draw's bits, a new draw for each 16 values. */
function flipped(values: readonly number[], draw: () => number): number {
  let sum = 0;
  let bits = 0;
  for (let i = 0; i < values.length; i++) {
    bits = i % 16 === 0 ? draw() : bits >>> 1;
    sum += (bits & 1) === 1 ? values[i] : -values[i];
  }
  return sum;
}
