// The vector store in LlamaIndex's own ingestion pipeline and vector store index.
import { Settings } from "@llamaindex/core/global";
import { Document, type TextNode } from "@llamaindex/core/schema";
import { type VectorStoreQuery, VectorStoreQueryMode } from "@llamaindex/core/vector-store";
import { InvalidArgumentError, MemoryDirectory, TriGraph } from "@trigraph/core";
import { type LocalOpenAi, startLocalOpenAi } from "@trigraph/local-openai";
import {
  DocStoreStrategy,
  IngestionPipeline,
  SimpleDocumentStore,
  storageContextFromDefaults,
  VectorStoreIndex,
} from "llamaindex";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { llamaIndexEmbedder, type TriGraphQueryParams, TriGraphRetriever, TriGraphVectorStore } from "../src/index.js";
import { LineParser } from "./support/line-parser.js";
import {
  CHAIN,
  chatModel,
  chats,
  documents,
  embedded,
  embeddingModel,
  idsOf,
  nodes,
  QUESTION,
  textOf,
  titlesOf,
} from "./support/world.js";

type Query = VectorStoreQuery<TriGraphQueryParams>;

const CHAIN_TITLES = ["The Silent Harbour", "Ada Lindqvist", "Greta Holm"];

let server: LocalOpenAi;
beforeAll(async () => {
  server = await startLocalOpenAi();
});
afterAll(() => server.close());

async function filled(options: { docs?: Document[] } = {}) {
  const store = new TriGraphVectorStore({ index: await TriGraph.create() });
  const docStore = new SimpleDocumentStore();
  const pipeline = new IngestionPipeline({
    transformations: [new LineParser(), embeddingModel(server)],
    vectorStore: store,
    docStore,
    docStoreStrategy: DocStoreStrategy.UPSERTS,
    disableCache: true,
  });
  await pipeline.run({ documents: options.docs ?? documents() });
  return { store, pipeline, index: store.client() };
}

const query = (rest: Partial<Query> = {}): Query => ({
  queryStr: QUESTION,
  similarityTopK: 3,
  mode: VectorStoreQueryMode.DEFAULT,
  ...rest,
});

describe("an ingestion pipeline", () => {
  test("fills the store with texts and vectors, without Settings", async () => {
    const { store, index } = await filled();
    expect(index.stats()).toMatchObject({ passages: 5, dimensions: 256 });
    const { nodes: found, ids, similarities } = await store.query(query());
    expect(found!.map(({ metadata }) => metadata.title as string)).toEqual(CHAIN_TITLES);
    expect(found!.map(({ id_ }) => id_)).toEqual(ids);
    expect(found!.map(({ sourceNode }) => sourceNode?.nodeId)).toEqual(CHAIN);
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
  });

  test("replaces documents that changed and leaves the others", async () => {
    const { pipeline, index } = await filled();
    const changed = documents();
    changed[2] = new Document({ id_: "mother", text: "Greta Holm was a sculptor.", metadata: { title: "Greta Holm" } });
    const before = embedded(server).length;
    await pipeline.run({ documents: changed });
    expect(
      embedded(server)
        .slice(before)
        .map(({ text }) => text),
    ).toEqual(["title: Greta Holm\n\nGreta Holm was a sculptor."]);
    const texts = [...index.passages()].map(({ text }) => text);
    expect(texts).toHaveLength(5);
    expect(texts).toContain("Greta Holm was a sculptor.");
    expect(texts).not.toContain(textOf("mother"));
  });
});

describe("a vector store index", () => {
  test("retrieves over the graph, embeds with its model, and deletes by document", async () => {
    const store = new TriGraphVectorStore({ index: await TriGraph.create(), embedModel: embeddingModel(server) });
    await Settings.withEmbedModel(embeddingModel(server), async () => {
      const index = await VectorStoreIndex.fromVectorStore(store);
      await index.insertNodes(nodes());
      const found = await index.asRetriever({ similarityTopK: 3 }).retrieve(QUESTION);
      expect(idsOf(found)).toEqual(CHAIN);
      await index.deleteRefDoc("doc-mother", false);
      expect(store.client().get("mother")).toBeUndefined();
      const rest = await index.asRetriever({ similarityTopK: 5 }).retrieve(QUESTION);
      expect(idsOf(rest)).toHaveLength(4);
    });
  });

  test("passes preFilters on", async () => {
    const { store } = await filled();
    await Settings.withEmbedModel(embeddingModel(server), async () => {
      const index = await VectorStoreIndex.fromVectorStore(store);
      const filters = { filters: [{ key: "year", operator: ">" as const, value: 1999 }] };
      const found = await index.asRetriever({ similarityTopK: 5, filters }).retrieve(QUESTION);
      expect(titlesOf(found).sort()).toEqual(["Harbours", "Mother of the Year"]);
    });
  });

  test("made of documents puts what it retrieved into the prompt", async () => {
    const store = new TriGraphVectorStore({ index: await TriGraph.create() });
    const settings = <T>(run: () => Promise<T>) =>
      Settings.withEmbedModel(embeddingModel(server), () => Settings.withLLM(chatModel(server), run));
    await settings(async () => {
      const storageContext = await storageContextFromDefaults({ vectorStore: store });
      const index = await VectorStoreIndex.fromDocuments(documents(), { storageContext });
      const engine = index.asQueryEngine({ similarityTopK: 3 });
      const response = await engine.query({ query: QUESTION });
      const prompt = chats(server).at(-1)!.text;
      for (const id of CHAIN) expect(prompt).toContain(textOf(id));
      expect(prompt).not.toContain(textOf("decoy"));
      expect(response.sourceNodes).toHaveLength(3);
    });
  });

  test("uses Settings' model for what has none of its own, looked up when it is needed", async () => {
    const store = new TriGraphVectorStore({ index: await TriGraph.create() });
    await expect(store.embedModel.getTextEmbedding("x")).rejects.toThrow(/Cannot find Embedding/);
    await Settings.withEmbedModel(embeddingModel(server), async () => {
      expect(await store.embedModel.getTextEmbedding("x")).toHaveLength(256);
      expect(await store.embedModel.getQueryEmbedding({ type: "text", text: "x" })).toHaveLength(256);
      const [node] = await store.embedModel(nodes());
      expect(node.embedding).toHaveLength(256);
    });
  });
});

test("a retriever over the same index sees what the store was given", async () => {
  const { index, store } = await filled();
  const retriever = await TriGraphRetriever.fromExistingIndex(index, { topK: 3, embedModel: embeddingModel(server) });
  expect(titlesOf(await retriever.retrieve(QUESTION))).toEqual(CHAIN_TITLES);
  await retriever.insertNodes(nodes().slice(0, 1));
  await store.delete("doc-film");
  expect(index.get("film")).toBeUndefined();
  expect(await retriever.deleteRefDoc("film")).toMatchObject({ deleted: 1 });
});

test("the store's index is saved and opened with the model's name", async () => {
  const directory = new MemoryDirectory();
  const embedder = await llamaIndexEmbedder(embeddingModel(server));
  const store = new TriGraphVectorStore({ index: await TriGraph.open(directory, { create: true, embedder }) });
  const embedModel = embeddingModel(server);
  await store.add(await embedModel(nodes()));
  await store.client().close();
  await expect(TriGraph.open(directory, { embedder: { ...embedder, id: "other" } })).rejects.toMatchObject({
    code: "INDEX_MISMATCH",
  });
  const again = new TriGraphVectorStore({ index: await TriGraph.open(directory, { embedder }) });
  expect((await again.query(query())).ids).toEqual(CHAIN);
  await again.delete("doc-film");
  expect((await again.query(query({ similarityTopK: 9 }))).ids).toHaveLength(4);
});

describe("a query", () => {
  let store: TriGraphVectorStore;
  let queryEmbedding: number[];
  beforeAll(async () => {
    store = new TriGraphVectorStore({ index: await TriGraph.create() });
    const embedModel = embeddingModel(server);
    const embeddings: TextNode[] = nodes();
    await store.add(await embedModel(embeddings));
    queryEmbedding = await embedModel.getTextEmbedding(textOf("other"));
  });

  test("without text is answered by its vector", async () => {
    const { ids, similarities } = await store.query(
      query({ queryStr: undefined as never, queryEmbedding, similarityTopK: 1 }),
    );
    expect(ids).toEqual(["other"]);
    expect(similarities[0]).toBeGreaterThan(0.5);
  });

  test("that is sparse takes no vector, any other does", async () => {
    const ask = async (mode: VectorStoreQueryMode, embedding?: number[]) =>
      (await store.query(query({ mode, similarityTopK: 5, ...(embedding && { queryEmbedding: embedding }) })))
        .similarities;
    const plain = await ask(VectorStoreQueryMode.DEFAULT);
    expect(await ask(VectorStoreQueryMode.SPARSE, queryEmbedding)).toEqual(plain);
    expect(await ask(VectorStoreQueryMode.HYBRID, queryEmbedding)).not.toEqual(plain);
    expect(await ask(VectorStoreQueryMode.DEFAULT, queryEmbedding)).toEqual(
      await ask(VectorStoreQueryMode.HYBRID, queryEmbedding),
    );
  });

  test("sees the documents and nodes that it names", async () => {
    const { ids } = await store.query(query({ docIds: ["doc-director", "decoy", "unknown"], similarityTopK: 5 }));
    expect([...ids].sort()).toEqual(["decoy", "director"]);
    const filters = { filters: [{ key: "year", operator: "<" as const, value: 2000 }] };
    expect((await store.query(query({ docIds: ["doc-director", "decoy"], filters }))).ids).toEqual(["director"]);
  });

  test("has a budget in its customParams", async () => {
    const budget = { maxTokens: 2, countTokens: () => 1 };
    expect((await store.query({ ...query(), customParams: budget })).ids).toEqual(CHAIN.slice(0, 2));
    expect((await store.query({ ...query(), customParams: { minScore: 2 } })).ids).toEqual([]);
  });

  test.each([
    [{ mode: VectorStoreQueryMode.MMR }, 'query: expected the mode default, hybrid, sparse, got "mmr".'],
    [{ mode: VectorStoreQueryMode.SVM }, "query: expected the mode"],
    [{ alpha: 0.5 }, "query: expected no alpha, got 0.5."],
    [{ customParams: { k: 1 } }, 'query: customParams: expected options of minScore, maxTokens, countTokens, got "k".'],
    [{ similarityTopK: 0 }, "expected k to be an integer of at least 1, got 0"],
    [{ queryEmbedding: [1, 2] }, "vector: expected a vector of 256 numbers, got 2"],
    [{ queryStr: "", queryEmbedding: [1], customParams: { minScore: 1 } }, "customParams of a query without text"],
    [{ filters: { filters: [{ key: "a", operator: "~", value: 1 }] } }, "query: filters: filter"],
  ])("that cannot be answered as asked is refused: %j", async (rest, message) => {
    const refused = store.query(query(rest as Partial<Query>));
    await expect(refused).rejects.toThrow(InvalidArgumentError);
    await expect(refused).rejects.toThrow(message);
  });
});

test("queries and deletions end with their signal", async () => {
  const { store, index } = await filled();
  const aborted = { signal: AbortSignal.abort(new Error("no")) };
  await expect(store.query(query(), aborted)).rejects.toThrow("no");
  const embedModel = embeddingModel(server);
  const queryEmbedding = await embedModel.getTextEmbedding(QUESTION);
  await expect(store.query(query({ queryStr: "", queryEmbedding }), aborted)).rejects.toThrow("no");
  await expect(store.delete("film", aborted)).rejects.toThrow("no");
  expect(index.size).toBe(5);
  await expect(store.query(query(), { timeout: 9 } as object)).rejects.toThrow(/^query: .* got "timeout"/);
  await expect(store.delete("film", { now: true } as object)).rejects.toThrow(/^delete: .* got "now"/);
});

test("vectors of another length are refused, and nothing is added", async () => {
  const { store, index } = await filled();
  const [node] = nodes();
  node.embedding = [1, 2, 3];
  await expect(store.add([node])).rejects.toThrow(/expected a vector of 256 numbers, got 3/);
  expect(index.size).toBe(5);
});
