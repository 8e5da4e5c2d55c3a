import { embeddedText, type Passage } from "@trigraph/core";
import { type ChatModel, containAccuracy, mean, type Question, type Report } from "@trigraph/evaluation";

/** Passages that an answer is made from: the cut of the figures beside it. */
export const ANSWER_PASSAGES = 5;

const INSTRUCTIONS = "Answer the question from the numbered passages alone, as short as you can.";

/**
 * Has each question whose answer is known answered from what each method found.
 *
 * @returns for each method the share of answers that contain the right one; empty when no answer is known
 */
export async function containAccuracies(
  { methods, questions: asked }: Report,
  { questions, passages, chat, signal }: Answering,
): Promise<ReadonlyMap<string, number>> {
  const texts = new Map(passages.map((passage) => [passage.id, embeddedText(passage)]));
  const accuracies = new Map<string, number>();
  for (const [m, { name }] of methods.entries()) {
    const values: number[] = [];
    for (const [q, { question, answer, answerAliases = [] }] of questions.entries()) {
      if (answer === undefined) continue;
      const found = asked[q].methods[m].ranking.slice(0, ANSWER_PASSAGES).map((id) => texts.get(id)!);
      const given = await chat.complete(promptOf(question, found), { signal });
      values.push(containAccuracy(given, [answer, ...answerAliases]));
    }
    if (values.length > 0) accuracies.set(name, mean(values));
  }
  return accuracies;
}

export interface Answering {
  /** Those of the report, in its order. */
  readonly questions: readonly Question[];
  readonly passages: readonly Passage[];
  readonly chat: ChatModel;
  readonly signal: AbortSignal;
}

function promptOf(question: string, texts: readonly string[]) {
  const passages = texts.map((text, i) => `[${i + 1}] ${text}`).join("\n\n");
  return [
    { role: "system" as const, content: INSTRUCTIONS },
    { role: "user" as const, content: `${passages}\n\nQuestion: ${question}` },
  ];
}
