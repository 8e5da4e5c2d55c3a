import { embeddedText, InvalidArgumentError, show, type Passage } from "@trigraph/core";
import { answerAndJudge, type AnswerOptions, type AnswerResult } from "./answers/answer.js";
import { type Question } from "./data/question.js";
import { DEFAULT_ANSWER_PASSAGES, DEFAULT_KS, WARM_UP } from "./defaults.js";
import { mean, percentile } from "./measures/numbers.js";
import { measureRanking, type Measures } from "./measures/question.js";
import type { LongCallOptions } from "./progress.js";
import { idsOf, type Retriever } from "./retriever.js";

/** Options of `evaluate`. */
export interface EvaluateOptions extends LongCallOptions {
  readonly retriever: Retriever;
  /** The passages that the retriever has indexed. */
  readonly corpus: Iterable<Passage>;
  readonly questions: readonly Question[];
  /** What it is called in errors and progress. Default `"retriever"`. */
  readonly name?: string | undefined;
  /** Depths of the measures, whole numbers of at least 1. The retriever is asked for the greatest. Default 2, 5, 10. */
  readonly ks?: readonly number[] | undefined;
  /** Has the questions answered and the answers judged. Default: no answers. */
  readonly answers?: AnswerOptions | undefined;
  /** Milliseconds spent embedding since some moment, such as `SharedEmbedder`'s; parts the latency. */
  readonly embeddingTime?: (() => number) | undefined;
}

/** What a retriever does with some questions. */
export interface Evaluation {
  readonly name: string;
  readonly ks: readonly number[];
  /** In the order of the questions. */
  readonly questions: readonly QuestionResult[];
  /** Means over the questions that have the measure. */
  readonly means: Measures;
  readonly latency: Latency;
}

/** What a retriever did with one question. */
export interface QuestionResult {
  readonly id: string;
  /** Ids of the retrieved passages, the best first. */
  readonly ranking: readonly string[];
  /** Of the ranking and of the answer; empty when nothing is known of where the evidence stands, and no answer is asked for. */
  readonly measures: Measures;
  readonly answer?: AnswerResult;
}

/** Milliseconds of one question. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  /** The same without the time in the embedder; undefined when nobody counts that. */
  readonly withoutEmbedding: { readonly p50: number; readonly p95: number } | undefined;
}

/**
 * Asks a retriever each question, one after the other, and measures what it returns. A few questions are asked before,
 * untimed. Answers, if wanted, are made afterwards.
 *
 * @throws InvalidArgumentError when there are no questions, or a depth is none
 * @throws EvaluationError `RETRIEVER` or `CHAT`
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  const { retriever, questions, name = "retriever", answers, signal, onProgress } = options;
  const ks = checkKs(options.ks ?? DEFAULT_KS);
  if (questions.length === 0) throw new InvalidArgumentError("evaluate: expected at least one question, got none.");
  const passages = new Map([...options.corpus].map((passage) => [passage.id, passage]));
  const asked = { name, known: (id: string) => passages.has(id), signal };
  const depth = Math.max(...ks);
  const clock = new Clock(options.embeddingTime);

  for (const { question } of questions.slice(0, WARM_UP)) await idsOf(retriever, question, depth, asked);
  const results: QuestionResult[] = [];
  for (const question of questions) {
    signal?.throwIfAborted();
    const ranking = await clock.time(() => idsOf(retriever, question.question, depth, asked));
    results.push({ id: question.id, ranking, measures: measureRanking(question, ranking, ks) });
    onProgress?.({ phase: "ask", method: name, done: results.length, total: questions.length });
  }
  const judged = answers === undefined ? results : await answerAll(results, passages, answers, options, name);
  return {
    name,
    ks,
    questions: judged,
    means: meansOf(judged.map(({ measures }) => measures)),
    latency: clock.latency,
  };
}

/** @throws InvalidArgumentError unless there is a depth and each is a whole number of at least 1; sorts them */
export function checkKs(ks: readonly number[]): number[] {
  const wrong = ks.find((k) => !Number.isSafeInteger(k) || k < 1);
  if (ks.length === 0 || wrong !== undefined) {
    throw new InvalidArgumentError(
      `ks: expected one or more whole numbers of at least 1, got ${wrong === undefined ? "none" : show(wrong)}.`,
    );
  }
  return [...new Set(ks)].sort((a, b) => a - b);
}

/** Each measure's mean over the questions that have it. */
function meansOf(all: readonly Measures[]): Measures {
  const names = new Set(all.flatMap((measures) => Object.keys(measures)));
  return Object.fromEntries(
    [...names].map((name) => [name, mean(all.map((each) => each[name]).filter((value) => value !== undefined))]),
  );
}

async function answerAll(
  results: readonly QuestionResult[],
  passages: ReadonlyMap<string, Passage>,
  answers: AnswerOptions,
  { questions, signal, onProgress }: EvaluateOptions,
  name: string,
): Promise<QuestionResult[]> {
  const count = answers.passages ?? DEFAULT_ANSWER_PASSAGES;
  const answered: QuestionResult[] = [];
  for (const [i, result] of results.entries()) {
    signal?.throwIfAborted();
    const texts = result.ranking.slice(0, count).map((id) => embeddedText(passages.get(id)!));
    const answer = await answerAndJudge(questions[i], texts, answers, signal);
    answered.push({ ...result, measures: { ...result.measures, ...answer.measures }, answer });
    onProgress?.({ phase: "answer", method: name, done: answered.length, total: results.length });
  }
  return answered;
}

/** Times tasks, with and without what of it was spent embedding. */
class Clock {
  readonly #embeddingTime: (() => number) | undefined;
  readonly #whole: number[] = [];
  readonly #rest: number[] = [];

  constructor(embeddingTime: (() => number) | undefined) {
    this.#embeddingTime = embeddingTime;
  }

  async time<T>(task: () => Promise<T>): Promise<T> {
    const embedded = this.#embeddingTime?.() ?? 0;
    const begun = performance.now();
    const result = await task();
    const whole = performance.now() - begun;
    this.#whole.push(whole);
    this.#rest.push(whole - ((this.#embeddingTime?.() ?? 0) - embedded));
    return result;
  }

  get latency(): Latency {
    const of = (values: readonly number[]) => ({ p50: percentile(values, 50), p95: percentile(values, 95) });
    return { ...of(this.#whole), withoutEmbedding: this.#embeddingTime === undefined ? undefined : of(this.#rest) };
  }
}
