import { fileURLToPath } from "node:url";
import type { Passage } from "@trigraph/core";
import { z } from "zod";
import type { Question } from "./compare.js";
import { readCorpora } from "./corpus.js";
import { readText } from "./text-file.js";
import { parseJsonLines } from "./json-lines.js";

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
  return readCorpora([pathOf("corpus.jsonl")]);
}

export async function readBundledQuestions(): Promise<Question[]> {
  const file = pathOf("questions.jsonl");
  return parseJsonLines(await readText(file), file, QUESTION_ROW, "a question").map(({ row }) => row);
}
