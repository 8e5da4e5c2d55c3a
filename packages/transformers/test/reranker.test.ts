import { TriGraph } from "@trigraph/core";
import { expect, test } from "vitest";
import { CrossEncoderReranker } from "../src/index.js";
import { goldens, PAIRS, TINY } from "./support/models.js";

const QUESTION = "Who painted the sea?";
const PASSAGES = [
  { id: "bees", text: "Honey is made by bees." },
  { id: "sea", title: "Greta Holm", text: "A painter who painted the sea." },
  { id: "town", text: "The painter lived in a town." },
];

test("scores are the logistic function of another runtime's logits", async () => {
  const reranker = new CrossEncoderReranker(PAIRS);
  for (const { pair, quantized } of goldens.pairs) {
    const [score] = await reranker.scores(pair[0], [pair[1]]);
    expect(score).toBeCloseTo(1 / (1 + Math.exp(-quantized)), 3);
  }
});

test("what shares more of the question comes first, with the score that it had", async () => {
  const index = await TriGraph.create({ ranking: { fusion: "none" } });
  await index.upsert(PASSAGES);
  const hits = await index.retrieve(QUESTION, { k: 3 });
  const reversed = [...hits].reverse();
  const reranked = await new CrossEncoderReranker(PAIRS).rerank(QUESTION, reversed);
  expect(reranked.map(({ passage, rank }) => [passage.id, rank])).toEqual([
    ["sea", 1],
    ["town", 2],
    ["bees", 3],
  ]);
  for (const { passage, priorScore } of reranked) {
    expect(priorScore).toBe(hits.find((hit) => hit.passage.id === passage.id)!.score);
  }
  expect(await new CrossEncoderReranker(PAIRS).rerank(QUESTION, hits, { k: 1 })).toEqual(reranked.slice(0, 1));
  expect(await new CrossEncoderReranker(PAIRS).rerank(QUESTION, [])).toEqual([]);
});

test("equals stay as they came, and titles are read", async () => {
  const hit = (id: string, title?: string) => ({
    passage: { id, text: "Honey is made by bees.", ...(title !== undefined && { title }) },
    score: 1,
    rank: 1,
  });
  const hits = [hit("b"), hit("a"), hit("t", "Who painted the sea"), hit("c")];
  const reranked = await new CrossEncoderReranker(PAIRS).rerank(QUESTION, hits);
  expect(reranked.map(({ passage }) => passage.id)).toEqual(["t", "b", "a", "c"]);
});

test("long texts are cut, and scored by their beginning", async () => {
  const reranker = new CrossEncoderReranker(PAIRS);
  const scores = await reranker.scores(QUESTION, [
    `The sea was painted. ${"honey ".repeat(500)}`,
    `The sea was painted. ${"honey ".repeat(900)}`,
  ]);
  expect(scores[0]).toBe(scores[1]);
});

test("tells how far it is, and can be aborted", async () => {
  const reranker = new CrossEncoderReranker(PAIRS);
  const texts = PASSAGES.map(({ text }) => text);
  const seen: unknown[] = [];
  await reranker.scores(QUESTION, texts, { onProgress: (progress) => seen.push(progress) });
  expect(seen).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })));
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error("stop"));
  await expect(reranker.scores(QUESTION, texts, { signal: controller.signal, onProgress })).rejects.toThrow("stop");
});

test("errors", async () => {
  const reranker = new CrossEncoderReranker(PAIRS);
  await expect(reranker.rerank(QUESTION, [], { k: 0 })).rejects.toThrow(/expected k to be an integer of at least 1/);
  await expect(reranker.rerank(undefined as never, [])).rejects.toThrow(/expected the question to be a string/);
  const other = new CrossEncoderReranker({ ...TINY, model: "entities" });
  await expect(other.scores(QUESTION, ["x"])).rejects.toThrow(/expected one or two numbers .* from entities/);
  await reranker.load();
  await reranker.dispose();
  await expect(reranker.scores(QUESTION, ["x"])).rejects.toMatchObject({ code: "CLOSED" });
});
