import { startLocalOpenAi, type LocalOpenAi, type RecordedRequest } from "@trigraph/local-openai";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAiChat, type ChatModel } from "../src/answers/chat.js";
import { compareMethods } from "../src/compare.js";
import type { Method } from "../src/methods/method.js";
import { tablesOf } from "../src/report/tables.js";
import { PASSAGES, QUESTIONS } from "./support/data.js";

const EVIDENCE = [
  { text: "Ada Lindqvist directed it.", passages: ["film"] },
  { text: "Greta Holm is her mother.", passages: ["director"] },
];

/** What the server replies, by what the request asks for. */
interface Replies {
  answer: string;
  correct: string;
  rating: string[];
  supported: string;
}

let replies: Replies;
let server: LocalOpenAi;
let chat: ChatModel;

beforeEach(async () => {
  replies = { answer: "She was born in Visby.", correct: '{"correct": true}', rating: [], supported: "" };
  server = await startLocalOpenAi({ answers });
  chat = openAiChat(new OpenAI({ baseURL: server.url, apiKey: "none", maxRetries: 0 }), "local-chat");
});

afterEach(() => server.close());

function answers({ text }: RecordedRequest): string {
  if (text.includes('{"correct"')) return replies.correct;
  if (text.includes('{"rating"')) return replies.rating.shift() ?? "no idea";
  if (text.includes('{"supported"')) return replies.supported;
  return replies.answer;
}

const method: Method = {
  ...{ name: "fixed", description: "fixed", embedder: "unused" },
  build: async () => ({ retrieve: () => ["film", "director", "town"] }),
};

async function judge(question: object) {
  const options = { methods: [method], corpus: PASSAGES, answers: { chat, passages: 2 }, ks: [2] };
  const { report, times } = await compareMethods({ ...options, questions: [{ ...QUESTIONS[0], ...question }] });
  return { report, times, ...report.questions[0].methods[0] };
}

describe("answers judged over HTTP", () => {
  test("contain and judged accuracy, context relevance, and evidence recall", async () => {
    replies = { ...replies, rating: ['{"rating": 2}', '{"rating": 1}'], supported: '{"supported": [true, false]}' };
    const { measures, answer, report } = await judge({ evidence: EVIDENCE });
    expect(answer).toBe("She was born in Visby.");
    expect(measures).toMatchObject({
      "contain accuracy": 1,
      "judged accuracy": 1,
      "context relevance": 0.75,
      "judged evidence recall": 0.5,
      "recall@2": 1,
    });
    expect(report.methods[0].unjudged).toBe(0);
    expect(report.settings.chat).toEqual({ answers: "local-chat", judge: "local-chat", passages: 2 });
  });

  test("models get the question, the first passages, the right answer and the statements", async () => {
    replies = { ...replies, rating: ['{"rating": 0}', '{"rating": 0}'], supported: '{"supported": [true, true]}' };
    await judge({ evidence: EVIDENCE, answerAliases: ["Wisby"] });
    const [answering, correct, rating, , supported] = server.requests.map(({ text }) => text);
    expect(server.requests).toHaveLength(5);
    for (const text of [answering, rating]) {
      expect(text).toContain("[1] The Silent Harbour\nThe Silent Harbour is a film by the director Ada Lindqvist.");
      expect(text).toContain("[2] Ada Lindqvist");
      expect(text).not.toContain("Gothenburg");
      expect(text).toContain(`Question: ${QUESTIONS[0].question}`);
    }
    expect(correct).toContain("Correct answer: Visby / Wisby\nCandidate's answer: She was born in Visby.");
    expect(supported).toContain("1. Ada Lindqvist directed it.\n2. Greta Holm is her mother.");
    expect(
      server.requests.every(({ body }: RecordedRequest) => (body as { temperature: number }).temperature === 0),
    ).toBe(true);
  });

  test("a wrong answer is wrong, with words around the verdict or not", async () => {
    replies = { ...replies, answer: "Uppsala", correct: 'Sure!\n```json\n{"correct": false}\n```' };
    replies.rating = ['{"rating": 1}', '{"rating": 1}'];
    const { measures } = await judge({});
    expect(measures).toMatchObject({ "contain accuracy": 0, "judged accuracy": 0, "context relevance": 0.5 });
    // Without statements there is no evidence to judge.
    expect(measures).not.toHaveProperty("judged evidence recall");
  });

  test("a verdict that cannot be read is asked for twice, then missing and counted", async () => {
    replies = { ...replies, correct: "perhaps", supported: '{"supported": [true]}' };
    const { measures, report, times } = await judge({ evidence: EVIDENCE });
    expect(measures).toHaveProperty("contain accuracy", 1);
    for (const name of ["judged accuracy", "context relevance", "judged evidence recall"]) {
      expect(measures).not.toHaveProperty(name);
    }
    expect(report.methods[0].unjudged).toBe(3);
    expect(tablesOf(report, times)[0].note).toContain("fixed: 3 verdicts of the judge could not be read.");
    // One answer, two verdicts on it, two for each of two ratings, two on the evidence.
    expect(server.requests).toHaveLength(1 + 2 + 4 + 2);
  });

  test("a question without an answer is not judged for accuracy", async () => {
    replies.rating = ['{"rating": 2}', '{"rating": 2}'];
    const { id, question, gold } = QUESTIONS[0];
    const options = { methods: [method], corpus: PASSAGES, answers: { chat }, questions: [{ id, question, gold }] };
    const { report } = await compareMethods(options);
    const { measures } = report.questions[0].methods[0];
    expect(measures).toHaveProperty("context relevance", 1);
    expect(measures).not.toHaveProperty("contain accuracy");
    expect(measures).not.toHaveProperty("judged accuracy");
  });

  test("a model that fails is an error that names it", async () => {
    server.failNext({ status: 500 });
    const judged = judge({});
    await expect(judged).rejects.toMatchObject({ name: "EvaluationError", code: "CHAT" });
    await expect(judged).rejects.toThrow("chat model local-chat: failed");
  });

  test("an abort ends with its reason", async () => {
    server.failNext({ timeout: true });
    const controller = new AbortController();
    const compared = compareMethods({
      ...{ methods: [method], corpus: PASSAGES, questions: QUESTIONS, answers: { chat }, signal: controller.signal },
      onProgress: ({ phase, done, total }) => {
        if (phase === "ask" && done === total) setTimeout(() => controller.abort("enough"), 50);
      },
    });
    await expect(compared).rejects.toBe("enough");
  });
});
