import { embeddedText, InvalidArgumentError, type RetrievedPassage, show } from "@trigraph/core";
import { ModelError } from "./errors.js";
import type { Output } from "./model.js";
import { checkCount, checkModelOptions, type ModelOptions } from "./options.js";
import { SharedModel } from "./shared-model.js";
import { encodePair } from "./truncate.js";
import { Turns } from "./turns.js";

/** Options of `CrossEncoderReranker.scores`. */
export interface ScoreOptions {
  /** Heeded between texts. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each text. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
}

/** Options of `CrossEncoderReranker.rerank`. */
export interface RerankOptions extends ScoreOptions {
  /** How many to return, at least 1. Default: all. */
  readonly k?: number | undefined;
}

/** A hit in its new place: `score` is the model's. */
export interface RerankedPassage extends RetrievedPassage {
  /** The score that it was retrieved with. */
  readonly priorScore: number;
}

const METHOD = "CrossEncoderReranker";

/**
 * A last stage that reads question and passage together, with a model that was trained to tell whether the one answers
 * the other (`"Xenova/ms-marco-MiniLM-L-6-v2"`). It costs a run of the model for each passage, and knows nothing of
 * evidence that is spread over several: for questions of several hops, leave it out.
 */
export class CrossEncoderReranker {
  readonly #options: ModelOptions;
  readonly #shared: SharedModel;

  /** Loads nothing: `load` or the first question does. @throws InvalidArgumentError */
  constructor(options: ModelOptions) {
    checkModelOptions(METHOD, options);
    this.#options = options;
    this.#shared = new SharedModel(METHOD, "pairs", options);
  }

  /** Loads the model. @throws ModelError, InvalidArgumentError, ClosedError, or the signal's reason */
  async load({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#shared.load(signal);
  }

  /**
   * How likely each text answers the question, in (0, 1): the logistic function of the model's logit, or the second of two
   * labels' probability.
   *
   * @throws ModelError, ClosedError, or the signal's reason
   */
  async scores(
    question: string,
    texts: readonly string[],
    { signal, onProgress }: ScoreOptions = {},
  ): Promise<number[]> {
    const turns = new Turns();
    const scores: number[] = [];
    for (const text of texts) {
      await turns.next(signal);
      const model = await this.#shared.load(signal);
      const { maxTokens = model.maxTokens } = this.#options;
      const logits = await model.run(METHOD, encodePair(model, question, text, maxTokens), ["logits"]);
      scores.push(probability(model.name, logits));
      onProgress?.({ done: scores.length, total: texts.length });
    }
    return scores;
  }

  /**
   * The hits by the model's score, best first; equals stay as they came. Passages are read as title and text.
   *
   * @throws InvalidArgumentError on k, and as `scores`
   */
  async rerank(
    question: string,
    hits: readonly RetrievedPassage[],
    { k, ...options }: RerankOptions = {},
  ): Promise<RerankedPassage[]> {
    if (typeof question !== "string") {
      throw new InvalidArgumentError(`rerank: expected the question to be a string, got ${show(question)}.`);
    }
    checkCount("rerank", "k", k);
    const texts = hits.map(({ passage }) => embeddedText(passage));
    const scores = await this.scores(question, texts, options);
    return bestFirst(hits, scores)
      .slice(0, k)
      .map(({ item, score }, i) => ({ ...item, score, priorScore: item.score, rank: i + 1 }));
  }

  /** Gives the model's memory back once nobody else uses it. What is asked of the reranker later rejects. */
  async dispose(): Promise<void> {
    await this.#shared.dispose();
  }
}

/** Items by score, the greatest first; equals stay as they came. */
export function bestFirst<T>(items: readonly T[], scores: readonly number[]): { item: T; score: number }[] {
  return items.map((item, i) => ({ item, score: scores[i] })).sort((a, b) => b.score - a.score);
}

function probability(model: string, { dims, data }: Output): number {
  if (data.length === 1) return 1 / (1 + Math.exp(-data[0]));
  if (data.length === 2) return 1 / (1 + Math.exp(data[0] - data[1]));
  throw new ModelError(
    "MODEL",
    `${METHOD}: expected one or two numbers for a pair of texts from ${model}, got a tensor of ${dims.join(" × ")}. Name a cross-encoder.`,
  );
}
