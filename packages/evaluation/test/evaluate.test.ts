import { EmbeddingError, InvalidArgumentError, TriGraph } from "@trigraph/core";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { compareMethods } from "../src/compare.js";
import { evaluate } from "../src/evaluate.js";
import type { Method } from "../src/methods/method.js";
import { trigraphMethod } from "../src/methods/trigraph.js";
import { VARIANTS } from "../src/methods/variants.js";
import type { Progress } from "../src/progress.js";
import type { Hit } from "../src/retriever.js";
import { hashingEmbedder, PASSAGES, QUESTIONS } from "./support/data.js";

const base = { corpus: PASSAGES, questions: QUESTIONS };

/** Returns the same for every question. */
const fixed = (...hits: unknown[]) => ({ retrieve: () => hits as Hit[] });

describe("evaluate", () => {
  test("takes what a TriGraph returns", async () => {
    const index = await TriGraph.create();
    await index.upsert(PASSAGES);
    const { questions, means, latency } = await evaluate({
      ...base,
      retriever: { retrieve: (question, k) => index.retrieve(question, { k }) },
      ks: [3, 1],
    });
    expect(questions.map(({ id, ranking }) => [id, ranking.length])).toEqual([
      ["born", 3],
      ["largest", 3],
    ]);
    expect(means["recall@3"]).toBe((questions[0].measures["recall@3"] + questions[1].measures["recall@3"]) / 2);
    expect(questions[1].measures["recall@1"]).toBe(1);
    expect(latency.p50).toBeGreaterThan(0);
    expect(latency.p95).toBeGreaterThanOrEqual(latency.p50);
    expect(latency.withoutEmbedding).toBeUndefined();
  });

  test("takes ids, objects with an id, and promises, and cuts off what is more than k", async () => {
    const ranking = ["director", "film", "town"];
    for (const hits of [ranking, ranking.map((id) => ({ id })), ranking.map((id) => ({ passage: { id } }))]) {
      const { questions } = await evaluate({ ...base, retriever: fixed(...hits), ks: [2] });
      expect(questions[0].ranking).toEqual(["director", "film"]);
      expect(questions[0].measures).toMatchObject({ "recall@2": 2 / 3, "precision@2": 1, MRR: 1 });
    }
    const slow = { retrieve: async () => setTimeout(1, ranking) };
    expect((await evaluate({ ...base, retriever: slow })).questions[0].ranking).toEqual(ranking);
  });

  test("leaves questions out of the means whose evidence is not known", async () => {
    const unknown = { id: "u", question: "Which?", gold: null };
    const { questions, means } = await evaluate({
      ...base,
      retriever: fixed("town"),
      questions: [unknown, QUESTIONS[1]],
      ks: [1],
    });
    expect(questions[0]).toEqual({ id: "u", ranking: ["town"], measures: {} });
    expect(means["recall@1"]).toBe(1);
  });

  test("parts the latency from the embedder's time", async () => {
    let spent = 0;
    const retriever = {
      async retrieve() {
        await setTimeout(20);
        spent += 15;
        return ["town"];
      },
    };
    const { latency } = await evaluate({ ...base, retriever, embeddingTime: () => spent });
    expect(latency.p50 - latency.withoutEmbedding!.p50).toBeCloseTo(15, 6);
  });

  test.each([
    [fixed("nobody"), "no id of the corpus"],
    [fixed("town", "town"), "twice"],
    [fixed(3), "should return ids"],
    [fixed(null), "should return ids"],
    [{ retrieve: () => "town" as unknown as Hit[] }, "an array of hits"],
    [{ retrieve: () => Promise.reject(new Error("no connection")) }, "failed: no connection"],
  ])("says what a retriever does wrong: %#", async (retriever, message) => {
    const evaluated = evaluate({ ...base, retriever, name: "mine" });
    await expect(evaluated).rejects.toMatchObject({ name: "EvaluationError", code: "RETRIEVER" });
    await expect(evaluated).rejects.toThrow(`mine: retrieve("Where`);
    await expect(evaluated).rejects.toThrow(message);
  });

  test.each([[[]], [[0]], [[1.5]], [[2, NaN]]])("refuses the depths %j", async (ks) => {
    await expect(evaluate({ ...base, retriever: fixed(), ks })).rejects.toThrow(InvalidArgumentError);
  });

  test("refuses no questions", async () => {
    await expect(evaluate({ ...base, retriever: fixed(), questions: [] })).rejects.toThrow("at least one question");
  });

  test("tells how far it is, and ends with the signal's reason", async () => {
    const progress: Progress[] = [];
    const controller = new AbortController();
    const reason = new Error("enough");
    const evaluated = evaluate({
      ...base,
      retriever: fixed("town"),
      signal: controller.signal,
      onProgress(each) {
        progress.push(each);
        controller.abort(reason);
      },
    });
    await expect(evaluated).rejects.toBe(reason);
    expect(progress).toEqual([{ phase: "ask", method: "retriever", done: 1, total: 2 }]);
  });
});

describe("compareMethods", () => {
  const words = trigraphMethod("words", VARIANTS.words);
  const method = (name: string, ranking: readonly string[]): Method => ({
    ...{ name, description: name, embedder: "unused" },
    build: async () => ({ retrieve: (_question, k) => ranking.slice(0, k) }),
  });

  test("tests the others against the first, for all, each set and each type", async () => {
    const all = PASSAGES.map(({ id }) => id);
    const { report, times } = await compareMethods({
      methods: [method("forward", all), method("backward", [...all].reverse())],
      corpus: PASSAGES,
      questions: [
        { ...QUESTIONS[0], set: "one" },
        { ...QUESTIONS[1], set: "two" },
      ],
      ks: [1, 3, 5],
    });
    expect(report.settings).toMatchObject({ cut: 3, ks: [1, 3, 5], embedder: null, chat: null });
    expect(report.groups.map(({ by, name, questions }) => [by, name, questions])).toEqual([
      ["all", "all", 2],
      ["set", "one", 1],
      ["set", "two", 1],
      ["type", "bridge", 1],
      ["type", "single", 1],
    ]);
    const recall = report.groups[0].measures.find(({ measure }) => measure === "recall@3")!;
    // Forward finds three of three and nothing; backward the mother, third from the end, and the town.
    expect(recall.methods.map(({ mean }) => mean)).toEqual([0.5, 2 / 3]);
    const { difference, better, equal, worse, p, interval } = recall.methods[1].versusFirst!;
    expect(difference).toBeCloseTo((1 / 3 - 1 + 1) / 2, 12);
    expect([better, equal, worse]).toEqual([1, 0, 1]);
    // −2/3 and 1: of the four sums two are as far from 0 as 1/3, the others further.
    expect(p).toBe(1);
    expect(interval).toEqual([expect.closeTo(-2 / 3, 12), 1]);
    expect(report.losses).toEqual([{ id: "largest", method: "backward", first: 0, other: 1 }]);
    expect(report.failures.map(({ id, gold }) => [id, gold])).toEqual([
      [
        "born",
        [
          { id: "film", ranks: [1, 5] },
          { id: "director", ranks: [2, 4] },
          { id: "mother", ranks: [3, 3] },
        ],
      ],
      ["largest", [{ id: "town", ranks: [5, 1] }]],
    ]);
    expect(report.passages.map(({ id }) => id)).toEqual([...all].sort());
    expect(times.methods.map((each) => each.method)).toEqual(["forward", "backward"]);
  });

  test("tells why trigraph returns what it returns", async () => {
    const { report } = await compareMethods({
      methods: [trigraphMethod("trigraph", VARIANTS.trigraph), method("nothing", [])],
      ...base,
    });
    const [first] = report.failures[0].methods[0].returned;
    expect(first.evidence).toMatchObject({ via: "graph", path: ["silent harbour"] });
    const { probability, shares } = first.evidence!.fusion!;
    expect(probability).toBeGreaterThan(0);
    expect(probability).toBeLessThan(1);
    const sizes = shares.map(({ logOdds }) => Math.abs(logOdds));
    expect(sizes).toHaveLength(3);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(report.failures[0].gold.map(({ ranks }) => ranks[1])).toEqual([null, null, null]);
  });

  test("embeds each passage once for all methods", async () => {
    const embedder = hashingEmbedder();
    const methods = [trigraphMethod("a", VARIANTS.vectors), trigraphMethod("b", VARIANTS.hybrid), words];
    const { report, times } = await compareMethods({ ...base, methods, embedder });
    expect(embedder.embedded).toHaveLength(PASSAGES.length);
    expect(report.settings.embedder).toBe("hashing");
    expect(times.embedding).toBeGreaterThan(0);
    expect(times.methods.every(({ queryWithoutEmbedding }) => queryWithoutEmbedding !== null)).toBe(true);
  });

  test("says which embedder or method fails", async () => {
    const broken = { ...hashingEmbedder(), embedPassages: () => Promise.reject(new Error("no model")) };
    const few = { ...hashingEmbedder(), embedPassages: async () => [] };
    await expect(compareMethods({ ...base, methods: [words], embedder: broken })).rejects.toThrow(EmbeddingError);
    await expect(compareMethods({ ...base, methods: [words], embedder: few })).rejects.toThrow(
      "each of 5 texts, got 0",
    );
    const build = () => Promise.reject(new TypeError("no disk"));
    const compared = compareMethods({ ...base, methods: [{ ...words, build }] });
    await expect(compared).rejects.toMatchObject({ code: "RETRIEVER", message: "words: indexing failed: no disk." });
  });

  test.each([
    [{ methods: [] }, "at least one method"],
    [{ methods: [trigraphMethod("vectors", VARIANTS.vectors)] }, "vectors needs vectors"],
    [{ questions: [{ id: "q", question: "?", gold: null }] }, "gold passages are known"],
    [{ seed: -1 }, "seed"],
    [{ resamples: 0 }, "resamples"],
    [{ ks: [] }, "ks"],
  ])("refuses %j", async (options, message) => {
    const compared = compareMethods({ ...base, methods: [words], ...options });
    await expect(compared).rejects.toThrow(InvalidArgumentError);
    await expect(compared).rejects.toThrow(message);
  });
});
