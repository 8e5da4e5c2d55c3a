import { type Embedder, InvalidArgumentError, type Passage, type TriGraph } from "@trigraph/core";
import type { Question } from "../data/question.js";
import { DEFAULT_FOLDS, DEFAULT_PENALTY, DEFAULT_TRAINING_SEED } from "../defaults.js";
import type { LongCallOptions } from "../progress.js";

/** Questions and the passages that they are asked of. */
export type TrainingSet = {
  /** Unique among the sets. */
  readonly name: string;
  /** Those without gold are left out and counted. Copies of a question, by id, may be in several sets. */
  readonly questions: readonly Question[];
} & (
  | {
      /** Indexed once for all sets that have the same array. */
      readonly corpus: readonly Passage[];
    }
  | {
      /** Without an embedder of its own, and with the default ranking; stays open. For `vectors` its passages need vectors. */
      readonly index: TriGraph;
    }
);

/** Options of `train`. */
export interface TrainOptions extends LongCallOptions {
  /** At least one; all weigh the same, however many questions they have. */
  readonly sets: readonly TrainingSet[];
  /** Has weights for questions with vectors fitted as well. Default: none. */
  readonly embedder?: Embedder | undefined;
  /** Of the cross-validation, at least 2. Default 5. */
  readonly folds?: number | undefined;
  /** Shares the questions out over the folds; a whole number. Default 0. */
  readonly seed?: number | undefined;
  /** On the squares of the weights, above 0. Raising it makes fewer questions bear less on them. Default 100. */
  readonly penalty?: number | undefined;
}

/** Options with their defaults. */
export type TrainSettings = TrainOptions & {
  readonly folds: number;
  readonly seed: number;
  readonly penalty: number;
};

/** @throws InvalidArgumentError */
export function settingsOf(options: TrainOptions): TrainSettings {
  const { folds = DEFAULT_FOLDS, seed = DEFAULT_TRAINING_SEED, penalty = DEFAULT_PENALTY } = options;
  const names = options.sets.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  check("sets", "at least one set", names.length > 0, "none");
  check("sets", "a name of its own for each", twice === undefined, `${JSON.stringify(twice)} twice`);
  check("folds", "a whole number of at least 2", Number.isSafeInteger(folds) && folds >= 2, folds);
  check("seed", "a whole number of at least 0", Number.isSafeInteger(seed) && seed >= 0, seed);
  check("penalty", "a finite number above 0", Number.isFinite(penalty) && penalty > 0, penalty);
  return { ...options, folds, seed, penalty };
}

function check(name: string, expected: string, holds: boolean, got: string | number): void {
  if (!holds) throw new InvalidArgumentError(`train: ${name}: expected ${expected}, got ${got}.`);
}
