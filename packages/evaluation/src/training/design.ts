import {
  type ContextScale,
  type FeatureWeights,
  FUSION_CONTEXT,
  FUSION_FEATURES,
  type FusionWeights,
  type Range,
} from "@trigraph/core";
import type { LabelledPool } from "./pools.js";
import { rounded } from "./rounding.js";

/** Where a feature's slope may change: quantiles of the candidates. Few of them stand out, and those decide. */
const KNOT_QUANTILES = [0.5, 0.8, 0.9, 0.95, 0.98];

/** What lies outside these quantiles is too rare to learn from. */
const RANGE_QUANTILES = [0.001, 0.999] as const;

/** Mean and deviation of a column. */
interface Scale {
  readonly mean: number;
  readonly deviation: number;
}

/** A feature or a property of the question, and the range it is held in. */
interface Variable extends Scale {
  readonly range: Range;
}

interface Feature extends Variable {
  readonly knots: readonly number[];
  /** Of x itself and of max(0, x − κ) for each knot. */
  readonly pieces: readonly Scale[];
}

/** A deviation of less of the mean's size is rounding. */
const LEAST_DEVIATION = 1e-9;

/**
 * The columns that a fusion's weights are fitted to: each feature, the feature bent at its knots, and the feature times
 * each property of the question. Features, bends and properties have mean 0 and deviation 1 over the candidates; one that
 * never varies is 0. Knots and ranges are rounded as they will be written, so that the rest is fitted to what is read.
 */
export class Design {
  private readonly features: readonly Feature[];
  private readonly context: readonly Variable[];
  /** Number of columns. */
  readonly width: number;

  /** Takes knots and scales from these pools. */
  constructor(pools: readonly LabelledPool[]) {
    const rows = pools.flatMap(({ candidates }) => candidates.map(({ features }) => features));
    this.features = FUSION_FEATURES.map((_, j) => describe(Float64Array.from(rows, (row) => row[j])));
    const contexts = pools.flatMap(({ candidates, context }) => candidates.map(() => context));
    this.context = FUSION_CONTEXT.map((_, c) => variableOf(Float64Array.from(contexts, (row) => row[c])));
    this.width =
      this.features.reduce((sum, { pieces }) => sum + pieces.length, 0) + this.features.length * this.context.length;
  }

  /** Writes one candidate's columns to `row` from `start` on. */
  write(row: Float64Array, start: number, features: ArrayLike<number>, context: ArrayLike<number>): void {
    let at = start;
    const x = this.features.map(({ range }, j) => within(range, features[j]));
    this.features.forEach(({ knots, pieces }, j) => {
      pieces.forEach((scale, p) => {
        row[at++] = scaled(p === 0 ? x[j] : Math.max(0, x[j] - knots[p - 1]), scale);
      });
    });
    const u = this.context.map((variable, c) => scaled(within(variable.range, context[c]), variable));
    this.features.forEach((feature, j) => {
      const z = scaled(x[j], feature);
      for (const value of u) row[at++] = z * value;
    });
  }

  /** The weights of the columns as those of the features. */
  weights(columns: Float64Array, intercept: number): FusionWeights {
    let at = 0;
    const bent = this.features.map(({ knots, pieces }, j) => {
      const slopes = pieces.map(({ deviation }) => columns[at++] / deviation);
      const offset = pieces.reduce((sum, { mean }, p) => sum + slopes[p] * mean, 0);
      return { name: FUSION_FEATURES[j], slope: slopes[0], knots, bends: slopes.slice(1), offset };
    });
    const features = this.features.map(({ mean, deviation, range }, j): FeatureWeights => {
      const byContext = this.context.map(() => columns[at++]);
      return { ...bent[j], mean, deviation, range, byContext };
    });
    const context = this.context.map((scale, c): ContextScale => ({ name: FUSION_CONTEXT[c], ...scale }));
    return { intercept, context, features };
  }
}

function describe(values: Float64Array): Feature {
  const own = variableOf(values);
  const held = values.map((value) => within(own.range, value));
  const sorted = held.slice().sort();
  // Beyond the greatest value there is nothing to bend, and a knot at the least is the slope itself.
  const knots = [...new Set(KNOT_QUANTILES.map((q) => rounded(quantile(sorted, q))))].filter(
    (knot) => knot > sorted[0] && knot < sorted[sorted.length - 1],
  );
  const hinges = knots.map((knot) => scaleOf(held.map((value) => Math.max(0, value - knot))));
  return { ...own, knots, pieces: [own, ...hinges] };
}

function variableOf(values: Float64Array): Variable {
  const sorted = values.slice().sort();
  const [low, high] = RANGE_QUANTILES.map((q) => rounded(quantile(sorted, q)));
  const range = [low, high] as const;
  return { ...scaleOf(values.map((value) => within(range, value))), range };
}

function scaleOf(values: Float64Array): Scale {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(variance);
  // What never varies gets no weight, whatever its scale.
  return deviation > LEAST_DEVIATION * Math.abs(mean) ? { mean, deviation } : { mean, deviation: 1 };
}

function scaled(value: number, { mean, deviation }: Scale): number {
  return (value - mean) / deviation;
}

function within([least, greatest]: Range, value: number): number {
  return Math.min(greatest, Math.max(least, value));
}

/** @param sorted ascending */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
