/** Questions with the words of their evidence, which need no knowledge of how files are split into passages. */
import { parseRows } from "@trigraph/console/json-lines";
import { ReadError, readText } from "@trigraph/console/read";
import type { Passage } from "@trigraph/core";
import type { Question } from "@trigraph/evaluation";
import { z } from "zod";

const WORDS = z.string().refine((text) => text.trim() !== "", "Expected words");

// Strict: an "answer" for "answers" would be passed over in silence, and with it what was to be compared.
const ROW = z.strictObject({
  question: WORDS,
  /** Wordings of the right answer. */
  answers: z.array(WORDS).default([]),
  /** What the evidence says, word for word. */
  quotes: z.array(WORDS).default([]),
});

const EXPECTED = "a question {question, answers?, quotes?}";

/**
 * The questions of a file in JSON Lines. Each quote is a statement of the evidence, and stands in every passage that has its
 * words; spaces and line ends do not count.
 *
 * @throws ReadError with file and line for a row of another form, or a quote that no passage has; or when no row has quotes
 */
export async function readQuestions(file: string, passages: readonly Passage[]): Promise<Question[]> {
  const texts = passages.map(({ id, text }) => ({ id, text: oneLine(text) }));
  const rows = parseRows(await readText(file), file, ROW, EXPECTED);
  if (rows.every(({ row }) => row.quotes.length === 0)) {
    throw new ReadError(`${file}: expected at least one question with "quotes", what its evidence says; found none.`);
  }
  return rows.map(({ source, row: { question, answers, quotes } }) => {
    const evidence = quotes.map((quote) => {
      const holding = texts.filter(({ text }) => text.includes(oneLine(quote))).map(({ id }) => id);
      if (holding.length > 0) return { text: quote, passages: holding };
      throw new ReadError(`${source}: expected a quote that stands in a passage, word for word; got "${quote}".`);
    });
    const [answer, ...answerAliases] = answers;
    return {
      id: source,
      question,
      gold: null,
      ...(evidence.length === 0 ? {} : { evidence }),
      ...(answer === undefined ? {} : { answer, answerAliases }),
    };
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
