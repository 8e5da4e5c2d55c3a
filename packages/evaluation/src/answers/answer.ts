import type { Question } from "../data/question.js";
import { containAccuracy } from "../measures/answer.js";
import type { MeasureName } from "../measures/question.js";
import type { ChatModel } from "./chat.js";
import { complete, judgeAccuracy, judgeEvidence, judgeRelevance, listed } from "./judge.js";

/** How questions are answered and answers judged. */
export interface AnswerOptions {
  /** Writes the answers. */
  readonly chat: ChatModel;
  /** Judges them. Default: the same model. */
  readonly judge?: ChatModel | undefined;
  /** How many of the best passages it answers from. Default 5. */
  readonly passages?: number | undefined;
}

/** What a model made of a question's passages. */
export interface AnswerResult {
  readonly text: string;
  /** Those of the answer's measures that the question has what it takes for, and that could be judged. */
  readonly measures: Readonly<Record<MeasureName, number>>;
  /** Measures whose verdict could not be read. */
  readonly unjudged: readonly MeasureName[];
}

const INSTRUCTIONS = `Answer the question from the passages. Reply with the answer alone, as short as it can be. When the
passages do not tell, say that they do not.`;

/**
 * Has a question answered from passages and judges the answer: contain accuracy and judged accuracy where the question
 * has an answer, context relevance, and the judged evidence recall where it has statements of evidence.
 *
 * @param passages texts, the best first
 * @throws EvaluationError `CHAT` when a model fails
 */
export async function answerAndJudge(
  question: Question,
  passages: readonly string[],
  { chat, judge = chat }: AnswerOptions,
  signal: AbortSignal | undefined,
): Promise<AnswerResult> {
  const text = await complete(
    chat,
    [
      { role: "system", content: INSTRUCTIONS },
      { role: "user", content: `${listed(passages)}\n\nQuestion: ${question.question}` },
    ],
    signal,
  );
  const accepted = [question.answer, ...(question.answerAliases ?? [])].filter((answer) => answer !== undefined);
  const statements = (question.evidence ?? []).map((statement) => statement.text);
  const asked = { question: question.question, accepted, answer: text, passages, statements };

  const found = new Map<MeasureName, number | undefined>();
  if (accepted.length > 0) {
    found.set("contain accuracy", containAccuracy(text, accepted));
    found.set("judged accuracy", await judgeAccuracy(judge, asked, { signal }));
  }
  found.set("context relevance", await judgeRelevance(judge, asked, { signal }));
  if (statements.length > 0) found.set("judged evidence recall", await judgeEvidence(judge, asked, { signal }));

  const entries = [...found];
  return {
    text,
    measures: Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== undefined)),
    unjudged: entries.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}
