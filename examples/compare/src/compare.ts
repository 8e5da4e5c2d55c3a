import { allPassages } from "@trigraph/console/read";
import { compareMethods } from "@trigraph/evaluation";
import { drawTables, methodsNamed, writeReport } from "@trigraph/evaluation/node";
import { ANSWER_PASSAGES, containAccuracies } from "./answers.js";
import type { Arguments } from "./arguments.js";
import type { Models } from "./models.js";
import { readQuestions } from "./questions.js";
import { tablesOf } from "./tables.js";

/** The middle one is the cut at which methods are compared: what answers are made from. */
const KS = [2, ANSWER_PASSAGES, 10];

/**
 * @returns what is to be printed
 * @throws ReadError of the files; InvalidArgumentError for a method that there is not; EvaluationError
 */
export async function compare(
  { folder, questions: file, methods, report: out }: Arguments,
  { name, embedder, chat }: Models,
  signal: AbortSignal,
): Promise<string> {
  const chosen = methodsNamed(methods);
  const passages = await allPassages([folder], { root: folder });
  const questions = await readQuestions(file, passages);
  const result = await compareMethods({ methods: chosen, corpus: passages, questions, ks: KS, embedder, signal });
  if (out !== undefined) await writeReport(out, result);
  const accuracies = await containAccuracies(result.report, { questions, passages, chat, signal });
  const tables = drawTables(tablesOf(result.report, questions, accuracies));
  return `${questions.length} questions over ${passages.length} passages of ${folder}\nAnswers and vectors by ${name}\n\n${tables}`;
}
