import { dirname, resolve } from "node:path";
import type { Passage } from "@trigraph/core";
import { z } from "zod";
import { readCorpora, readQuestions } from "../data/files.js";
import { readJson } from "../data/json-file.js";
import type { TrainingSet } from "./options.js";

const FILES = z.array(z.string().min(1)).min(1);

const PLAN = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      corpora: FILES,
      questions: FILES,
      withoutTitles: z.boolean().optional(),
    }),
  )
  .min(1);

/** A data set as files. */
export type PlannedSet = z.infer<typeof PLAN>[number];

/** Options of `readTrainingPlan`. */
export interface PlanOptions {
  /** What the plan's paths start from. Default: the folder of the plan. */
  readonly folder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a plan, `[{name, corpora, questions, withoutTitles?}]` in JSON, and the files that it names.
 *
 * @throws EvaluationError `DATA` when a file cannot be read or is not as described
 */
export async function readTrainingPlan(file: string, options: PlanOptions = {}): Promise<TrainingSet[]> {
  const { folder = dirname(file), signal } = options;
  const plan = await readJson(file, PLAN, "a plan [{name, corpora, questions, withoutTitles?}]", signal);
  const from = (path: string) => resolve(folder, path);
  const sets = plan.map((set) => ({ ...set, corpora: set.corpora.map(from), questions: set.questions.map(from) }));
  return readTrainingSets(sets, signal);
}

/** Sets of the same corpora get the same array, read once, so that it is indexed once. @throws EvaluationError `DATA` */
export async function readTrainingSets(sets: readonly PlannedSet[], signal?: AbortSignal): Promise<TrainingSet[]> {
  const known = new Map<string, readonly Passage[]>();
  const read: TrainingSet[] = [];
  for (const { name, withoutTitles = false, corpora, questions: files } of sets) {
    const key = JSON.stringify([corpora, withoutTitles]);
    const corpus = known.get(key) ?? (await readCorpora(corpora, !withoutTitles, signal)).passages;
    known.set(key, corpus);
    const { questions } = await readQuestions(files, corpus, signal);
    read.push({ name, corpus, questions });
  }
  return read;
}
