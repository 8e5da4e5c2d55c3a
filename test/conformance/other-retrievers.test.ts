// Vectors, and what other retrievers brought, mean the same to both adapters as to the core: nearest passages, priors.
import { FakeRetriever } from "@langchain/core/utils/testing";
import type { BaseRetriever } from "@llamaindex/core/retriever";
import type { NodeWithScore } from "@llamaindex/core/schema";
import { VectorStoreQueryMode } from "@llamaindex/core/vector-store";
import { TriGraph } from "@trigraph/core";
import { TriGraphRetriever as LangChainRetriever, TriGraphStore } from "@trigraph/langchain";
import {
  TriGraphPostprocessor,
  TriGraphRetriever as LlamaIndexRetriever,
  TriGraphVectorStore,
} from "@trigraph/llamaindex";
import { beforeAll, describe, expect, test } from "vitest";
import { toPassage } from "./core.js";
import { toDocument } from "./langchain.js";
import { toNodes } from "./llamaindex.js";
import { type Fed, readWorld, vectorOf } from "./world.js";

const { passages, questions } = readWorld();
const K = 6;

/** Passages that another retriever brings, whatever the question: the first counts most. */
const brought = [3, 40, 77, 111, 150].map((i) => passages[i]);
const scoreOf = (i: number) => 1 / (i + 1);
const priors = brought.map(({ id }, i) => ({ id, score: scoreOf(i) }));

const scored = (found: readonly (readonly [id: string | undefined, score: number | undefined])[]) =>
  found.map(([id, score]) => ({ id, score: score!.toPrecision(12) }));

describe("what another retriever brought", () => {
  let index: TriGraph;
  let nodes: NodeWithScore[];
  beforeAll(async () => {
    index = await TriGraph.create();
    await index.upsert(passages.map(toPassage));
    nodes = toNodes(brought, passages).map((node, i) => ({ node, score: scoreOf(i) }));
  });

  const fromCore = async (question: string, options: object) =>
    scored((await index.retrieve(question, { priors, ...options })).map(({ passage, score }) => [passage.id, score]));

  test("counts alike as LangChain's and as LlamaIndex's denseRetriever", async () => {
    const langChain = await LangChainRetriever.fromDocuments(passages.map(toDocument), undefined, {
      denseRetriever: new FakeRetriever({ output: brought.map(toDocument) }),
      k: K,
      includeScore: true,
    });
    const llamaIndex = await LlamaIndexRetriever.fromNodes(toNodes(passages, passages), {
      denseRetriever: { retrieve: async () => nodes } as unknown as BaseRetriever,
      topK: K,
    });
    for (const question of questions) {
      const expected = await fromCore(question, { k: K });
      const documents = await langChain.invoke(question);
      expect(scored(documents.map(({ id, metadata }) => [id, metadata.score as number]))).toEqual(expected);
      const retrieved = await llamaIndex.retrieve(question);
      expect(scored(retrieved.map(({ node, score }) => [node.id_, score]))).toEqual(expected);
    }
    expect(await fromCore(questions[0], { k: K })).not.toEqual(await fromCore(questions[0], { k: K, priors: [] }));
  });

  test("counts in neither when it is hidden, whatever place it took", async () => {
    const isPlain = ({ kind }: Fed) => kind === "plain";
    const visible = brought.filter(isPlain);
    const langChain = await LangChainRetriever.fromDocuments(passages.map(toDocument), undefined, {
      denseRetriever: new FakeRetriever({ output: brought.map(toDocument) }),
      filter: { kind: "plain" },
      k: K,
      includeScore: true,
    });
    // LangChain's ranks are those among the visible ones; LlamaIndex's scores stay what they are.
    const found = toNodes(brought, passages).map((node, i) => {
      const rank = visible.indexOf(brought[i]);
      return { node, score: rank < 0 ? 9 : scoreOf(rank) };
    });
    const llamaIndex = await LlamaIndexRetriever.fromNodes(toNodes(passages, passages), {
      denseRetriever: { retrieve: async () => found } as unknown as BaseRetriever,
      filters: { filters: [{ key: "kind", operator: "==", value: "plain" }] },
      topK: K,
    });
    expect(visible.length).toBeLessThan(brought.length);
    expect(isPlain(brought[0])).toBe(false);
    for (const question of questions) {
      const own = visible.map(({ id }, i) => ({ id, score: scoreOf(i) }));
      const expected = await fromCore(question, { k: K, priors: own, filter: { kind: "plain" } });
      const documents = await langChain.invoke(question);
      expect(scored(documents.map(({ id, metadata }) => [id, metadata.score as number]))).toEqual(expected);
      const retrieved = await llamaIndex.retrieve(question);
      expect(scored(retrieved.map(({ node, score }) => [node.id_, score]))).toEqual(expected);
    }
  });

  test("is ranked by LlamaIndex's postprocessor as the core ranks it, alone or with what the graph adds", async () => {
    const rerank = new TriGraphPostprocessor({ index, mode: "rerank" });
    const extend = new TriGraphPostprocessor({ index, mode: "extend", append: 3 });
    const ids = new Set(brought.map(({ id }) => id));
    for (const question of questions) {
      const reranked = await rerank.postprocessNodes(nodes, question);
      expect(scored(reranked.map(({ node, score }) => [node.id_, score]))).toEqual(
        await fromCore(question, { k: K, among: ids }),
      );
      const all = await fromCore(question, { k: passages.length });
      const added = all.filter(({ id }) => !ids.has(id!)).slice(0, 3);
      const extended = await extend.postprocessNodes(nodes, question);
      expect(scored(extended.map(({ node, score }) => [node.id_, score]))).toEqual(
        all.filter((each) => ids.has(each.id!) || added.includes(each)),
      );
    }
  });
});

test("searching by a vector finds the nearest passages through every way in", async () => {
  const vectors = passages.map(({ title, text }) => vectorOf(`${title}\n${text}`));
  const index = await TriGraph.create();
  await index.upsert(passages.map((fed, i) => ({ ...toPassage(fed), vector: vectors[i] })));
  const langChain = new TriGraphStore();
  await langChain.addVectors(vectors, passages.map(toDocument));
  const llamaIndex = new TriGraphVectorStore({ index: await TriGraph.create() });
  const nodes = toNodes(passages, passages);
  nodes.forEach((node, i) => (node.embedding = vectors[i]));
  await llamaIndex.add(nodes);
  for (const question of questions) {
    const vector = vectorOf(question);
    const nearest = await index.nearest(vector, { k: K, filter: { kind: "plain" } });
    const expected = scored(nearest.map(({ passage, score }) => [passage.id, score]));
    const found = await langChain.similaritySearchVectorWithScore(vector, K, { kind: "plain" });
    expect(scored(found.map(([{ id }, score]) => [id, score]))).toEqual(expected);
    const { ids, similarities } = await llamaIndex.query({
      queryEmbedding: vector,
      similarityTopK: K,
      mode: VectorStoreQueryMode.DEFAULT,
      filters: { filters: [{ key: "kind", operator: "==", value: "plain" }] },
    });
    expect(scored(ids.map((id, i) => [id, similarities[i]]))).toEqual(expected);
  }
});
