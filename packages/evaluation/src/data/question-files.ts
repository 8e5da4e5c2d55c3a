import { ID, TEXT } from "@trigraph/console/json-lines";
import { z } from "zod";
import { EvaluationError } from "../errors.js";
import { checkIds, type NamedText } from "./corpus.js";
import { parseJsonLines } from "./json-lines.js";
import { placesOf, type Question } from "./question.js";

const QUESTION_ROW = z.object({
  id: ID,
  question: z.string().refine((text) => text.trim() !== "", "Expected a question that is not blank"),
  type: TEXT,
  answer: TEXT,
  answer_aliases: z.array(z.string()).nullish(),
  gold: z
    .array(ID)
    .nullish()
    .transform((ids) => ids ?? null),
  evidence: z.array(z.object({ text: z.string(), passages: z.array(ID) })).nullish(),
});

const EXPECTED = "a question {id, question, gold, type?, answer?, answer_aliases?, evidence?}";

/**
 * The questions of some files in JSON Lines, in the order given. `gold` lists ids of the corpus, or is null (or left
 * out) where they are not known; `evidence: [{text, passages}]` says which passages hold each statement, any one being
 * enough, or none where no place could be trusted. Each question's `set` is its file's name.
 *
 * @param known whether there is a passage with an id
 * @throws EvaluationError `DATA` with file and line when a row has another form, names a passage that there is not, or
 *   has the id of another row
 */
export function parseQuestions(files: readonly NamedText[], known: (id: string) => boolean): Question[] {
  const rows = files.flatMap(({ name, text }) =>
    parseJsonLines(text, name, QUESTION_ROW, EXPECTED).map(({ source, row }) => ({
      source,
      row: toQuestion(row, name),
    })),
  );
  checkIds(rows);
  for (const { source, row } of rows) {
    const stranger = [...(row.gold ?? []), ...placesOf(row).flat()].find((id) => !known(id));
    if (stranger === undefined) continue;
    throw new EvaluationError("DATA", `${source}: expected ids of the corpus as gold and evidence, got "${stranger}".`);
  }
  return rows.map(({ row }) => row);
}

function toQuestion(row: z.infer<typeof QUESTION_ROW>, set: string): Question {
  const { id, question, type, answer, answer_aliases: aliases, gold, evidence } = row;
  return {
    id,
    question,
    set,
    gold,
    ...(type === undefined ? {} : { type }),
    ...(answer === undefined ? {} : { answer }),
    ...(aliases ? { answerAliases: aliases } : {}),
    ...(evidence ? { evidence } : {}),
  };
}
