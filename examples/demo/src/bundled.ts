import { fileURLToPath } from "node:url";
import { parseRows } from "@trigraph/console/json-lines";
import { allPassages, readText } from "@trigraph/console/read";
import type { Passage } from "@trigraph/core";
import { z } from "zod";
import type { Question } from "./compare.js";

const QUESTION_ROW = z.object({
  id: z.string(),
  question: z.string(),
  answer: z.string(),
  type: z.string(),
  gold: z.array(z.string()).min(1),
});

const pathOf = (name: string) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));

/** The corpus that comes with the demo; `data/README.md` says where it is from. */
export async function readBundledCorpus(): Promise<Passage[]> {
  return allPassages([pathOf("corpus.jsonl")]);
}

export async function readBundledQuestions(): Promise<Question[]> {
  const file = pathOf("questions.jsonl");
  return parseRows(await readText(file), file, QUESTION_ROW, "a question").map(({ row }) => row);
}
