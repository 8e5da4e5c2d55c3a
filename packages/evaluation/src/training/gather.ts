import { type Embedder, embeddedText, FUSION_FEATURES, type Passage, TriGraph } from "@trigraph/core";
import { placesOf, type Question } from "../data/question.js";
import { EvaluationError } from "../errors.js";
import type { SharedEmbedder } from "../methods/embedding.js";
import type { LongCallOptions } from "../progress.js";
import { DEPTHS } from "./figures.js";
import type { LabelledPool } from "./pools.js";

const VECTOR_SCORE = FUSION_FEATURES.indexOf("vectorScore");

/** What one data set gives to learn from. */
export interface Gathered {
  readonly set: string;
  /** Questions left out, since nobody has said where their evidence stands. */
  readonly withoutGold: number;
  /** Of the questions without their vectors. */
  readonly words: readonly LabelledPool[];
  /** Of the same with them; empty without an embedder. */
  readonly vectors: readonly LabelledPool[];
}

/**
 * An index over passages with their vectors but no embedder, so that a question can be asked with and without its own.
 *
 * @param name for the progress
 */
export async function buildIndex(
  name: string,
  passages: readonly Passage[],
  embedder: SharedEmbedder | undefined,
  { signal, onProgress }: LongCallOptions,
): Promise<TriGraph> {
  const index = await TriGraph.create();
  const total = passages.length;
  await index.upsert(await withVectors(passages, embedder, { signal, onProgress }), {
    signal,
    onProgress: ({ phase, done }) => {
      if (phase === "analyze") onProgress?.({ phase: "index", method: name, done, total });
    },
  });
  return index;
}

async function withVectors(
  passages: readonly Passage[],
  embedder: SharedEmbedder | undefined,
  { signal, onProgress }: LongCallOptions,
): Promise<readonly Passage[]> {
  if (embedder === undefined) return passages;
  const texts = passages.map(embeddedText);
  const total = texts.length;
  await embedder.prepare(texts, { signal, onBatch: (done) => onProgress?.({ phase: "embed", done, total }) });
  const vectors = await embedder.embedPassages(texts);
  return passages.map((passage, i) => ({ ...passage, vector: vectors[i] }));
}

/**
 * The pools of a set's questions.
 *
 * @throws EvaluationError `TRAINING` when no question has gold, or no pool a candidate
 */
export async function gatherPools(
  index: TriGraph,
  set: { readonly name: string; readonly questions: readonly Question[] },
  embedder: Embedder | undefined,
  { signal, onProgress }: LongCallOptions,
): Promise<Gathered> {
  const { name } = set;
  const questions = set.questions.filter((question) => placesOf(question).length > 0);
  if (questions.length === 0) {
    throw failure(name, "expected questions whose gold passages or placed evidence are known, got none");
  }
  const [words, vectors]: [LabelledPool[], LabelledPool[]] = [[], []];
  for (const question of questions) {
    signal?.throwIfAborted();
    words.push(await poolOf(index, name, question, undefined, signal));
    if (embedder !== undefined) {
      const vector = await embedder.embedQuery(question.question, signal && { signal });
      vectors.push(await poolOf(index, name, question, vector, signal));
    }
    onProgress?.({ phase: "gather", method: name, done: words.length, total: questions.length });
  }
  if (words.every(({ candidates }) => candidates.length === 0)) {
    throw failure(name, "expected candidates for its questions, got none. Is its index empty?");
  }
  if (words.some(({ candidates }) => candidates.some(({ features }) => features[VECTOR_SCORE] !== 0))) {
    throw failure(
      name,
      "expected an index without an embedder of its own, got one that embeds questions. Give the embedder as option",
    );
  }
  return { set: name, withoutGold: set.questions.length - questions.length, words, vectors };
}

async function poolOf(
  index: TriGraph,
  set: string,
  question: Question,
  vector: ArrayLike<number> | undefined,
  signal: AbortSignal | undefined,
): Promise<LabelledPool> {
  const pool = await index.candidates(question.question, { vector, signal });
  const hits = await index.retrieve(question.question, { k: Math.max(...DEPTHS), vector, signal });
  const current = hits.map(({ passage }) => passage.id);
  return { ...pool, set, question: question.id, evidence: placesOf(question), current };
}

function failure(set: string, what: string): EvaluationError {
  return new EvaluationError("TRAINING", `train: set ${JSON.stringify(set)}: ${what}.`);
}
