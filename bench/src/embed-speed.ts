import { percentile } from "@trigraph/evaluation";
import type { Table } from "@trigraph/evaluation/node";
import { TransformersEmbedder } from "@trigraph/transformers";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DataSet } from "./data-sets.js";
import { UsageError } from "./errors.js";
import { formatNumber, note } from "./report.js";
import { time } from "./timing.js";

const MODEL = "Xenova/all-MiniLM-L6-v2";

/** Texts that are embedded in each way, in turn. */
const TEXTS = 300;
/** The ways take turns after so many, so that a slow phase of the machine falls on both. */
const TURN = 10;
const QUESTIONS = 100;

export interface EmbedReport {
  readonly model: string;
  readonly texts: number;
  /** Texts a second: one call of the library for each, and by the embedder. */
  readonly naive: number;
  readonly embedder: number;
  /** Milliseconds of one question. */
  readonly questionP50: number;
  readonly questionP95: number;
}

/**
 * The embedder against the library it stands on, called as its documentation shows.
 *
 * @param models folder with the model's files, as `localModelPath` takes it
 */
export async function measureEmbedding(models: string, data: DataSet, quick: boolean): Promise<EmbedReport> {
  if (!existsSync(join(models, MODEL))) {
    throw new UsageError(`--models: expected a folder that holds ${MODEL}, got "${models}"`);
  }
  note(`vectors: embedding with ${MODEL}`);
  const { env, pipeline } = await import("@xenova/transformers");
  env.localModelPath = models;
  env.allowRemoteModels = false;
  const naive = await pipeline("feature-extraction", MODEL);
  const embedder = new TransformersEmbedder({ model: MODEL, localModelPath: models, allowRemoteModels: false });
  await embedder.load();
  // The first inference makes room for all that follow.
  await naive("A text.", { pooling: "mean", normalize: true });
  await embedder.embedQuery("A text.");
  const texts = data.passages.slice(0, quick ? TEXTS / 5 : TEXTS).map(({ title, text }) => `${title}\n${text}`);
  const milliseconds = { naive: 0, embedder: 0 };
  for (let start = 0; start < texts.length; start += TURN) {
    const turn = texts.slice(start, start + TURN);
    milliseconds.naive += await time(async () => {
      for (const text of turn) await naive(text, { pooling: "mean", normalize: true });
    });
    milliseconds.embedder += await time(() => embedder.embedPassages(turn));
  }
  const questions: number[] = [];
  for (const { question } of data.questions.slice(0, QUESTIONS)) {
    questions.push(await time(() => embedder.embedQuery(question)));
  }
  await embedder.dispose();
  await naive.dispose();
  return {
    model: MODEL,
    texts: texts.length,
    naive: (1000 * texts.length) / milliseconds.naive,
    embedder: (1000 * texts.length) / milliseconds.embedder,
    questionP50: percentile(questions, 50),
    questionP95: percentile(questions, 95),
  };
}

export function embedTable({ model, texts, naive, embedder, questionP50, questionP95 }: EmbedReport): Table {
  return {
    title: `Embedding with ${model}, quantised`,
    columns: ["", ""],
    rows: [
      ["passages / s, the library called for each", formatNumber(naive)],
      ["passages / s, TransformersEmbedder", formatNumber(embedder)],
      ["by that", formatNumber(embedder / naive)],
      ["a question, p50, ms", formatNumber(questionP50)],
      ["a question, p95, ms", formatNumber(questionP95)],
    ],
    note: `${texts} passages of 2Wiki, the two ways in turn.`,
  };
}
