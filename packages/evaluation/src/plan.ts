import { InvalidArgumentError, type Embedder, type Passage } from "@trigraph/core";
import type { AnswerOptions } from "./answers/answer.js";
import type { Source } from "./data/files.js";
import { placesOf, type Question } from "./data/question.js";
import { DEFAULT_KS, DEFAULT_RESAMPLES, DEFAULT_SEED } from "./defaults.js";
import { checkKs } from "./evaluate.js";
import type { Method } from "./methods/method.js";
import type { LongCallOptions } from "./progress.js";

/** Options of `compareMethods`. */
export interface CompareOptions extends LongCallOptions {
  /** At least one; the others are tested against the first. */
  readonly methods: readonly Method[];
  readonly corpus: readonly Passage[];
  /** At least one of which it is known where its evidence stands. */
  readonly questions: readonly Question[];
  /** Depths of the measures. The middle one is the cut at which questions are won and lost. Default 2, 5, 10. */
  readonly ks?: readonly number[] | undefined;
  /** Makes the vectors that methods share. Without one, methods that need it are refused. */
  readonly embedder?: Embedder | undefined;
  /** Has the questions answered and the answers judged. Default: no answers. */
  readonly answers?: AnswerOptions | undefined;
  /** Of the bootstrap and the test. Default 1. */
  readonly seed?: number | undefined;
  /** Of the bootstrap and the test. Default 2000. More make intervals steadier and take longer. */
  readonly resamples?: number | undefined;
  /** For the report: where the data is from. Default: not told. */
  readonly sources?: { readonly corpora: readonly Source[]; readonly questions: readonly Source[] } | undefined;
  /** For the report: false when the passages' titles were dropped. Default true. */
  readonly titles?: boolean | undefined;
}

/** Options with their defaults. */
export type Plan = CompareOptions & {
  readonly ks: readonly number[];
  readonly seed: number;
  readonly resamples: number;
};

/**
 * @throws InvalidArgumentError for wrong options, and for a method that needs an embedder where there is none
 */
export function planOf(options: CompareOptions): Plan {
  const { methods, questions, embedder, seed = DEFAULT_SEED, resamples = DEFAULT_RESAMPLES } = options;
  if (methods.length === 0) throw new InvalidArgumentError("compareMethods: expected at least one method, got none.");
  if (!questions.some((question) => placesOf(question).length > 0)) {
    throw new InvalidArgumentError("compareMethods: expected a question whose gold passages are known, got none.");
  }
  const blind = methods.find((method) => method.embedder === "needed");
  if (blind !== undefined && embedder === undefined) {
    throw new InvalidArgumentError(`compareMethods: method ${blind.name} needs vectors. Give an embedder.`);
  }
  checkWhole("seed", seed, 0);
  checkWhole("resamples", resamples, 1);
  return { ...options, ks: checkKs(options.ks ?? DEFAULT_KS), seed, resamples };
}

function checkWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new InvalidArgumentError(
    `compareMethods: expected ${name} to be a whole number of at least ${least}, got ${value}.`,
  );
}
