/**
 * Answers and contexts judged by a chat model:
 *
 * - judged accuracy (LinearRAG, arXiv 2510.10114, "GPT-Acc."): the share of answers that a model takes for the same as
 *   the right one;
 * - context relevance (GraphRAG-Bench, arXiv 2506.05690): how far the retrieved passages together hold what the question
 *   asks for, rated 0, 1 or 2 twice; the mean of both ratings, divided by 2;
 * - evidence recall (the same): the share of the evidence's statements that the retrieved passages support.
 *
 * The prompts are this package's own, so figures are not comparable with published ones. A verdict that cannot be read
 * is asked for once more; then the measure is missing, and counted as such.
 */
import { z } from "zod";
import { EvaluationError, messageOf } from "../errors.js";
import type { ChatMessage, ChatModel } from "./chat.js";

export interface Judgement {
  readonly signal?: AbortSignal | undefined;
}

const ATTEMPTS = 2;

const ONLY_JSON = "Reply with one JSON object and nothing else.";

const ACCURACY = `You grade answers. You are given a question, the correct answer (sometimes in several wordings) and a
candidate's answer. The candidate is right when it states the correct answer, in whatever words and however much it adds,
unless what it adds contradicts the answer. Judge by the correct answer alone, not by what you know.
${ONLY_JSON} {"correct": true} or {"correct": false}`;

const RELEVANCE = `You grade search results. You are given a question and the passages that were found for it. Rate how
far the passages together contain what is needed to answer: 2 when everything needed is there, 1 when a part of it is, 0
when nothing of it is. Take nothing from your own knowledge.
${ONLY_JSON} {"rating": 0}, {"rating": 1} or {"rating": 2}`;

const EVIDENCE = `You check statements against passages. You are given some passages and a numbered list of statements.
A statement is supported when the passages say it or it follows from what they say; your own knowledge does not count.
${ONLY_JSON} {"supported": [true, false, …]} with one value for each statement, in their order`;

/** 1 when the model takes the answer for right, 0 when not, undefined when its verdict cannot be read. */
export async function judgeAccuracy(
  chat: ChatModel,
  { question, accepted, answer }: { question: string; accepted: readonly string[]; answer: string },
  { signal }: Judgement = {},
): Promise<number | undefined> {
  const facts = `Question: ${question}\nCorrect answer: ${accepted.join(" / ")}\nCandidate's answer: ${answer}`;
  const verdict = await ask(chat, ACCURACY, facts, z.object({ correct: z.boolean() }), signal);
  return verdict && (verdict.correct ? 1 : 0);
}

/** The mean of two ratings in [0, 1]; undefined when neither can be read; 0 without passages, and nothing is asked. */
export async function judgeRelevance(
  chat: ChatModel,
  { question, passages }: { question: string; passages: readonly string[] },
  { signal }: Judgement = {},
): Promise<number | undefined> {
  if (passages.length === 0) return 0;
  const facts = `${listed(passages)}\n\nQuestion: ${question}`;
  const schema = z.object({ rating: z.union([z.literal(0), z.literal(1), z.literal(2)]) });
  const ratings: number[] = [];
  for (let i = 0; i < 2; i++) {
    const verdict = await ask(chat, RELEVANCE, facts, schema, signal);
    if (verdict !== undefined) ratings.push(verdict.rating / 2);
  }
  return ratings.length === 0 ? undefined : ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
}

/** The share of supported statements; undefined when the verdict cannot be read; 0 without passages. */
export async function judgeEvidence(
  chat: ChatModel,
  { statements, passages }: { statements: readonly string[]; passages: readonly string[] },
  { signal }: Judgement = {},
): Promise<number | undefined> {
  if (passages.length === 0) return 0;
  const numbered = statements.map((statement, i) => `${i + 1}. ${statement}`).join("\n");
  const schema = z.object({ supported: z.array(z.boolean()).length(statements.length) });
  const verdict = await ask(chat, EVIDENCE, `${listed(passages)}\n\nStatements:\n${numbered}`, schema, signal);
  return verdict && verdict.supported.filter(Boolean).length / statements.length;
}

/**
 * What the model says.
 *
 * @throws EvaluationError `CHAT` when the model fails
 */
export async function complete(
  chat: ChatModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    return await chat.complete(messages, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new EvaluationError("CHAT", `chat model ${chat.id}: failed: ${messageOf(error)}.`, { cause: error });
  }
}

/** Passages as prompts list them. */
export function listed(passages: readonly string[]): string {
  return passages.map((text, i) => `[${i + 1}] ${text}`).join("\n\n");
}

async function ask<T>(
  chat: ChatModel,
  instructions: string,
  facts: string,
  schema: z.ZodType<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const messages: ChatMessage[] = [
    { role: "system", content: instructions },
    { role: "user", content: facts },
  ];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const verdict = schema.safeParse(jsonIn(await complete(chat, messages, signal)));
    if (verdict.success) return verdict.data;
  }
  return undefined;
}

/** The object that a reply holds, from its first brace to its last: models like to add a fence or a word. */
function jsonIn(reply: string): unknown {
  try {
    return JSON.parse(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
