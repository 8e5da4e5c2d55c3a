/**
 * Stage 3: the probability that a candidate holds evidence, by a logistic regression that is additive in its features
 * (Hastie, Tibshirani 1986, "Generalized Additive Models"), each bent at a few knots, and whose slopes vary with the
 * question (Hastie, Tibshirani 1993, "Varying-Coefficient Models"):
 *
 *     ln(p / (1 − p)) = b + Σ_j [ f_j(x_j) + z_j · Σ_c v_jc · u_c ]
 *     f_j(x) = s_j · x + Σ_k t_jk · max(0, x − κ_jk) − o_j
 *
 * with z and u the features and the context on the scale of what the weights were fitted to: mean 0, deviation 1. Both are
 * held within the range that the weights were fitted to: beyond it nothing is known, and a line would go on for ever.
 * Each feature's summand is what it adds to the log-odds of an average candidate. Those of features that are of words count
 * by n / (n + h) in a corpus of n passages: among a handful every word is rare, and the graph's order says more.
 */
import {
  FUSION_CONTEXT,
  type FusionContext,
  FUSION_FEATURES,
  type FusionFeature,
  OF_VECTORS,
  OF_WORDS,
} from "./features.js";
import type { PoolSizes } from "./candidates.js";
import type { JsonValue } from "../types.js";

/** Weights that were learned, and from what. Plain JSON. */
export interface FusionModel {
  /** Of this shape. */
  readonly format: 1;
  /** What it was fitted to, how, and how well it did: for people. */
  readonly provenance: JsonValue;
  /** How many passages each list gives the pool, in which ranks saturate. */
  readonly pool: PoolSizes;
  /** h: size of a corpus, in passages, in which what the words say counts half. 0: it always counts in full. */
  readonly halfTrust: number;
  /** For questions without a vector or priors. */
  readonly words: FusionWeights;
  /** For questions with them. Without these `words` serves both. */
  readonly vectors?: FusionWeights | undefined;
}

/** The weights for questions of one kind. */
export interface FusionWeights {
  /** b: log-odds of an average candidate. */
  readonly intercept: number;
  readonly context: readonly ContextScale[];
  readonly features: readonly FeatureWeights[];
}

/** A property of the question, and the scale that brings it to mean 0 and deviation 1. */
export interface ContextScale {
  readonly name: FusionContext;
  readonly mean: number;
  readonly deviation: number;
  readonly range: Range;
}

/** The least and the greatest value that count. */
export type Range = readonly [least: number, greatest: number];

/** How a feature counts: its scale, its line with the bends, and how the question varies its slope. */
export interface FeatureWeights {
  readonly name: FusionFeature;
  readonly mean: number;
  readonly deviation: number;
  readonly range: Range;
  /** s */
  readonly slope: number;
  /** κ, ascending, and by how much the slope changes at each: t. */
  readonly knots: readonly number[];
  readonly bends: readonly number[];
  /** o: what slope and bends give an average candidate. */
  readonly offset: number;
  /** v, in the order of `context`. */
  readonly byContext: readonly number[];
}

/** What a feature adds to a candidate's log-odds. */
export interface FeatureShare {
  readonly feature: FusionFeature;
  readonly value: number;
  readonly logOdds: number;
}

/** How much a corpus of this size lets features count, from 0 to 1. */
export interface Trust {
  /** In a small one every word is rare. */
  readonly words: number;
  /** In a small one most passages are in the list of the nearest. */
  readonly vectors: number;
}

/** Place of each among `FUSION_FEATURES` and `FUSION_CONTEXT`: a model may leave some out. */
const FEATURE_AT: ReadonlyMap<FusionFeature, number> = new Map(FUSION_FEATURES.map((name, place) => [name, place]));
const CONTEXT_AT: ReadonlyMap<FusionContext, number> = new Map(FUSION_CONTEXT.map((name, place) => [name, place]));

/** A model's weights, ready for the candidates of one question. */
export class FusionScorer {
  private readonly weights: FusionWeights;
  /** Place of each of the weights' features among `FUSION_FEATURES`. */
  private readonly places: readonly number[];
  /** v · u of each feature: what the question adds to its slope. */
  private readonly slopes: Float64Array;
  /** By what each feature's summand is multiplied. */
  private readonly trust: Float64Array;

  /**
   * @param context in the order of `FUSION_CONTEXT`
   */
  constructor(weights: FusionWeights, context: Float64Array, trust: Trust) {
    this.weights = weights;
    const { features } = weights;
    this.places = features.map(({ name }) => FEATURE_AT.get(name)!);
    const scaled = weights.context.map(
      ({ name, mean, deviation, range }) => (within(range, context[CONTEXT_AT.get(name)!]) - mean) / deviation,
    );
    this.trust = new Float64Array(features.length);
    this.slopes = new Float64Array(features.length);
    for (let j = 0; j < features.length; j++) {
      if (OF_WORDS.has(features[j].name)) this.trust[j] = trust.words;
      else this.trust[j] = OF_VECTORS.has(features[j].name) ? trust.vectors : 1;
      for (let c = 0; c < scaled.length; c++) this.slopes[j] += features[j].byContext[c] * scaled[c];
    }
  }

  /** Log-odds of an average candidate. */
  get intercept(): number {
    return this.weights.intercept;
  }

  /** The probability, in (0, 1). @param features in the order of `FUSION_FEATURES` */
  probability(features: Float64Array): number {
    let logOdds = this.weights.intercept;
    for (let j = 0; j < this.weights.features.length; j++) logOdds += this.summand(j, features);
    return 1 / (1 + Math.exp(-logOdds));
  }

  /** What each feature adds to the log-odds, the greatest by size first. */
  shares(features: Float64Array): FeatureShare[] {
    return this.weights.features
      .map(({ name }, j) => ({
        feature: name,
        value: features[this.places[j]],
        logOdds: this.summand(j, features),
      }))
      .sort((a, b) => Math.abs(b.logOdds) - Math.abs(a.logOdds));
  }

  private summand(j: number, features: Float64Array): number {
    const { mean, deviation, range, slope, knots, bends, offset } = this.weights.features[j];
    const x = within(range, features[this.places[j]]);
    let sum = slope * x - offset + ((x - mean) / deviation) * this.slopes[j];
    for (let k = 0; k < knots.length && x > knots[k]; k++) sum += bends[k] * (x - knots[k]);
    return sum * this.trust[j];
  }
}

function within(range: Range, value: number): number {
  return Math.min(range[1], Math.max(range[0], value));
}
