import { Document } from "@langchain/core/documents";
import { index } from "@langchain/core/indexing";
import { FakeEmbeddings, SyntheticEmbeddings } from "@langchain/core/utils/testing";
import { VectorStoreRetriever } from "@langchain/core/vectorstores";
import { IndexError, InvalidArgumentError, MemoryDirectory, TriGraph } from "@trigraph/core";
import { describe, expect, test, vi } from "vitest";
import { langChainEmbedder, TriGraphStore } from "../src/index.js";
import { films, idsOf, PATH, QUESTION, textOf } from "./support/films.js";
import { TickingRecordManager } from "./support/records.js";

const doc = (id: string | undefined, pageContent: string, metadata: Record<string, unknown> = {}) =>
  new Document({ ...(id !== undefined && { id }), pageContent, metadata });

const idsIn = async (store: TriGraphStore) => [...(await store.index()).passages()].map(({ id }) => id).sort();

describe("adding and deleting", () => {
  test("ids are those of the call, then the documents', then derived of their content", async () => {
    const store = new TriGraphStore();
    expect(await store.addDocuments([doc("own", "One.")], { ids: ["given"] })).toEqual(["given"]);
    expect(await store.addDocuments([doc("own", "One.")])).toEqual(["own"]);
    const [derived] = await store.addDocuments([doc(undefined, "Two.", { page: 1 })]);
    expect(await store.addDocuments([doc(undefined, "Two.", { page: 1 })])).toEqual([derived]);
    expect(await store.addDocuments([doc(undefined, "Two.", { page: 2 })])).not.toEqual([derived]);
    expect(await idsIn(store)).toHaveLength(4);
    expect((await store.similaritySearch("two", 1))[0].id).toBeDefined();
  });

  test("an id that exists is replaced; the same again changes and embeds nothing", async () => {
    const embeddings = new FakeEmbeddings();
    const embed = vi.spyOn(embeddings, "embedDocuments");
    const store = await TriGraphStore.fromDocuments(films(), embeddings);
    await store.addDocuments(films());
    expect(embed).toHaveBeenCalledTimes(1);
    await store.addDocuments([doc("film", "Another film.", { year: 1 })]);
    expect(embed).toHaveBeenCalledTimes(2);
    const [found] = await store.similaritySearch("another film", 1);
    expect(found).toEqual(doc("film", "Another film.", { year: 1 }));
    expect((await store.index()).size).toBe(5);
  });

  test("deletes for good, and ids it does not hold are no error", async () => {
    const store = await TriGraphStore.fromDocuments(films());
    await store.delete({ ids: ["director", "unknown"] });
    expect(idsOf(await store.similaritySearch(QUESTION, 5))).not.toContain("director");
    expect(await (await store.index()).check()).toEqual([]);
    for (const wrong of [undefined, {}, { filter: { year: 1 } }, { ids: "film" }]) {
      await expect(store.delete(wrong as never)).rejects.toThrow(/delete: expected \{ ids \}/);
    }
  });

  test("a failed call changes nothing", async () => {
    const store = await TriGraphStore.fromDocuments(films());
    for (const wrong of [
      [doc("new", "Good."), doc("blank", " ")],
      [doc("new", "Good."), doc("date", "Bad.", { at: new Date() })],
      [doc("new", "Good."), doc(undefined, "Bad.", { big: 1n })],
      [doc("new", "Good."), doc("own", "Bad.", { "trigraph:position": 1 })],
      [doc("new", "Good."), { text: "no document" }],
      "documents",
    ]) {
      await expect(store.addDocuments(wrong as never)).rejects.toThrow(InvalidArgumentError);
    }
    await expect(store.addDocuments([doc("a", "A.")], { ids: [] })).rejects.toThrow(/expected ids for 1 documents/);
    await expect(store.addVectors([[1], [2]], [doc("a", "A.")])).rejects.toThrow(/expected vectors for 1 documents/);
    const aborted = AbortSignal.abort(new Error("stop"));
    await expect(store.addDocuments([doc("a", "A.")], { signal: aborted })).rejects.toThrow("stop");
    expect(await idsIn(store)).toEqual(
      films()
        .map(({ id }) => id!)
        .sort(),
    );
  });

  test("metadata comes back as JSON keeps it: members that are undefined are not there", async () => {
    const metadata = { a: undefined, b: null, c: { d: undefined, e: [1, { f: undefined }] }, title: "A title" };
    const store = await TriGraphStore.fromDocuments([doc("x", "Text.", metadata)]);
    const [found] = await store.similaritySearch("text", 1);
    expect(Object.keys(found.metadata)).toEqual(["b", "c", "title"]);
    expect(found.metadata).toEqual({ b: null, c: { e: [1, {}] }, title: "A title" });
  });

  test("titles are metadata.title, another key, or none; what is no text is no title", async () => {
    const titleOf = async (metadata: Record<string, unknown>, titleKey?: string | null) => {
      const store = await TriGraphStore.fromDocuments([doc("x", "Text.", metadata)], undefined, { titleKey });
      return (await store.index()).get("x")!.title;
    };
    expect(await titleOf({ title: "T", name: "N" })).toBe("T");
    expect(await titleOf({ title: "T", name: "N" }, "name")).toBe("N");
    expect(await titleOf({ title: "T" }, null)).toBeUndefined();
    expect(await titleOf({ title: 7 })).toBeUndefined();
    expect(await titleOf({ title: " " })).toBeUndefined();
  });

  test("documents are never split", async () => {
    const long = `${"A long sentence stands here. ".repeat(2000)}The end is about bees.`;
    const store = await TriGraphStore.fromDocuments([doc("long", long)]);
    expect((await store.similaritySearch("bees", 1))[0].pageContent).toBe(long);
  });
});

describe("searching", () => {
  test("by text runs the graph, with scores if asked, four documents unless told otherwise", async () => {
    const store = await TriGraphStore.fromDocuments(films(), new SyntheticEmbeddings({ vectorSize: 16 }));
    expect(idsOf(await store.similaritySearch(QUESTION, 3))).toEqual(PATH);
    expect(await store.similaritySearch(QUESTION)).toHaveLength(4);
    const scored = await store.similaritySearchWithScore(QUESTION, 3, ({ metadata }) => metadata.year < 1950);
    expect(scored.map(([{ id }]) => id)).toEqual(["director", "mother"]);
    expect(scored[0][1]).toBeGreaterThan(scored[1][1]);
  });

  test("asRetriever is LangChain's own, and runs the graph", async () => {
    const store = await TriGraphStore.fromDocuments(films());
    const retriever = store.asRetriever({ k: 3 });
    expect(retriever).toBeInstanceOf(VectorStoreRetriever);
    expect(retriever._vectorstoreType()).toBe("trigraph");
    expect(idsOf(await retriever.invoke(QUESTION))).toEqual(PATH);
    expect(idsOf(await store.asRetriever(3, { year: 1902 }).invoke(QUESTION))).toEqual(["mother"]);
    expect(await store.asRetriever().invoke(QUESTION)).toHaveLength(4);
    expect(store.asRetriever({ k: 2, tags: ["own"], metadata: { a: 1 }, verbose: true })).toMatchObject({
      k: 2,
      tags: ["own", "trigraph"],
      metadata: { a: 1 },
      verbose: true,
      searchType: "similarity",
    });
    await retriever.addDocuments([doc("bees", "Bees make honey.")]);
    expect(idsOf(await store.similaritySearch("honey", 1))).toEqual(["bees"]);
  });

  test("by a vector is plain vector search", async () => {
    const store = new TriGraphStore();
    const vectors = [
      [1, 0],
      [0, 1],
      [1, 1],
    ];
    await store.addVectors(vectors, [doc("x", "East.", { n: 1 }), doc("y", "North."), doc("xy", "North-east.")]);
    const found = await store.similaritySearchVectorWithScore([2, 0], 3);
    expect(found.map(([{ id }]) => id)).toEqual(["x", "xy", "y"]);
    [1, Math.SQRT1_2, 0].forEach((cosine, i) => expect(found[i][1]).toBeCloseTo(cosine, 6));
    const filtered = await store.similaritySearchVectorWithScore([0, 1], 3, { n: 1 });
    expect(filtered.map(([document]) => document)).toEqual([doc("x", "East.", { n: 1 })]);
    await expect(store.similaritySearchVectorWithScore([1, 2, 3], 1)).rejects.toThrow(InvalidArgumentError);
    await expect(store.addVectors([[1, 2, 3]], [doc("z", "Far.")])).rejects.toThrow(InvalidArgumentError);
  });

  test("maximal marginal relevance prefers documents unlike each other", async () => {
    const vectorOf: Record<string, number[]> = { "?": [1, 0], "A.": [1, 0.1], "A too.": [1, 0.11], "B.": [0.8, -0.6] };
    const embed = (text: string) => Promise.resolve(vectorOf[text]);
    const embeddings = {
      embedQuery: embed,
      embedDocuments: (texts: string[]) => Promise.all(texts.map(embed)),
    };
    const documents = [doc("a", "A."), doc("a2", "A too."), doc("b", "B.", { n: 1 })];
    const store = await TriGraphStore.fromDocuments(documents, embeddings, { dimensions: 2 });
    const nearest = await store.maxMarginalRelevanceSearch("?", { k: 2, lambda: 1 });
    expect(idsOf(nearest)).toEqual(["a", "a2"]);
    expect(idsOf(await store.maxMarginalRelevanceSearch("?", { k: 2 }))).toEqual(["a", "b"]);
    expect(idsOf(await store.maxMarginalRelevanceSearch("?", { k: 2, filter: { n: 1 } }))).toEqual(["b"]);
    const retriever = store.asRetriever({ k: 2, searchType: "mmr", searchKwargs: { fetchK: 3, lambda: 0.5 } });
    expect(idsOf(await retriever.invoke("?"))).toEqual(["a", "b"]);
    const without = await TriGraphStore.fromDocuments(films());
    await expect(without.maxMarginalRelevanceSearch("?", { k: 1 })).rejects.toThrow(/expected embeddings/);
  });
});

describe("LangChain's index()", () => {
  const source = (name: string, ...texts: string[]) => texts.map((text) => doc(undefined, text, { source: name }));

  test("incremental: what changed is added, what is gone of a source is deleted, the rest is skipped", async () => {
    const vectorStore = new TriGraphStore(new SyntheticEmbeddings({ vectorSize: 8 }));
    const recordManager = new TickingRecordManager();
    const run = (docsSource: Document[]) =>
      index({ docsSource, recordManager, vectorStore, options: { cleanup: "incremental", sourceIdKey: "source" } });

    const counts = await run([...source("a", "One.", "Two."), ...source("b", "Three.")]);
    expect(counts).toEqual({ numAdded: 3, numDeleted: 0, numUpdated: 0, numSkipped: 0 });
    const again = await run(source("a", "Two.", "Four."));
    expect(again).toEqual({ numAdded: 1, numDeleted: 1, numUpdated: 0, numSkipped: 1 });

    const held = [...(await vectorStore.index()).passages()].map(({ text }) => text).sort();
    expect(held).toEqual(["Four.", "Three.", "Two."]);
    expect((await vectorStore.similaritySearch("one", 5)).map(({ pageContent }) => pageContent)).not.toContain("One.");
  });

  test("full: what is not there any more is deleted, batch by batch, and a batch may be repeated", async () => {
    const vectorStore = new TriGraphStore();
    const recordManager = new TickingRecordManager();
    const run = (docsSource: Document[]) =>
      index({
        docsSource,
        recordManager,
        vectorStore,
        options: { cleanup: "full", batchSize: 10, cleanupBatchSize: 7 },
      });
    const texts = Array.from({ length: 35 }, (_, i) => `Text number ${i}.`);
    expect((await run(source("a", ...texts))).numAdded).toBe(35);
    expect(await run(source("a", ...texts.slice(30)))).toMatchObject({ numDeleted: 30, numSkipped: 5 });
    expect((await vectorStore.index()).size).toBe(5);

    // A run that broke off before it was recorded: the same documents come again, with the same ids.
    const fresh = new TickingRecordManager();
    await index({ docsSource: source("a", ...texts.slice(30)), recordManager: fresh, vectorStore });
    expect((await vectorStore.index()).size).toBe(5);
    expect(await (await vectorStore.index()).check()).toEqual([]);
  });
});

describe("saving and loading", () => {
  test("a loaded store answers as the saved one, and its writes are durable", async () => {
    const embeddings = new SyntheticEmbeddings({ vectorSize: 16 });
    const store = await TriGraphStore.fromDocuments(films(), embeddings);
    const directory = new MemoryDirectory();
    await store.save(directory);
    const expected = await store.similaritySearchWithScore(QUESTION, 5);

    const loaded = await TriGraphStore.load(directory, embeddings);
    expect(await loaded.similaritySearchWithScore(QUESTION, 5)).toEqual(expected);
    await loaded.delete({ ids: ["decoy"] });
    await expect(TriGraphStore.load(directory, embeddings)).rejects.toThrow(IndexError);
    await loaded.close();

    const again = await TriGraphStore.load(directory, embeddings, { readOnly: true });
    expect(await idsIn(again)).toEqual(["bread", "director", "film", "mother"]);
    await expect(again.addDocuments(films())).rejects.toThrow(/readOnly/);
  });

  test("another model's store is not opened, by id or by length", async () => {
    const store = await TriGraphStore.fromDocuments(films(), new SyntheticEmbeddings({ vectorSize: 16 }));
    const directory = new MemoryDirectory();
    await store.save(directory);
    const load = (size: number, embedderId?: string) =>
      TriGraphStore.load(directory, new SyntheticEmbeddings({ vectorSize: size }), { embedderId });
    await expect(load(16, "another")).rejects.toThrow(/"SyntheticEmbeddings" of 16 dimensions, got "another"/);
    await expect(load(17)).rejects.toThrow(/of 17/);
    await expect(TriGraphStore.load(new MemoryDirectory())).rejects.toThrow(/create: true/);
    const begun = await TriGraphStore.load(new MemoryDirectory(), undefined, { create: true });
    await begun.addDocuments(films());
    expect(idsOf(await begun.similaritySearch(QUESTION, 3))).toEqual(PATH);
  });

  test("an existing index keeps its own ways; embeddings serve maximal marginal relevance", async () => {
    const embeddings = new SyntheticEmbeddings({ vectorSize: 16 });
    const graph = await TriGraph.create({ embedder: await langChainEmbedder(embeddings) });
    await graph.upsert([{ id: "film", title: "The Silent Harbour", text: textOf("film"), metadata: { year: 1962 } }]);
    const store = TriGraphStore.fromExistingIndex(graph, { embeddings });
    expect(await store.index()).toBe(graph);
    expect(idsOf(await store.maxMarginalRelevanceSearch("harbour", { k: 1 }))).toEqual(["film"]);
    expect((await store.similaritySearch("harbour"))[0].metadata).toEqual({ year: 1962 });
  });
});

describe("langChainEmbedder", () => {
  test("is named after class and model, or as told", async () => {
    const embeddings = new FakeEmbeddings();
    expect((await langChainEmbedder(embeddings)).id).toBe("FakeEmbeddings");
    expect((await langChainEmbedder(Object.assign(embeddings, { model: "m-1" }))).id).toBe("FakeEmbeddings:m-1");
    expect(await langChainEmbedder(embeddings, { id: "mine", dimensions: 9 })).toMatchObject({
      id: "mine",
      dimensions: 9,
    });
    expect((await langChainEmbedder(embeddings)).dimensions).toBe(4);
  });

  test("gives each text its vector, the repeated ones too", async () => {
    const embedder = await langChainEmbedder({
      embedDocuments: async (texts) => texts.map((text) => [text.length]),
      embedQuery: async () => [0],
    });
    expect(await embedder.embedPassages(["a", "bb", "a"])).toEqual([[1], [2], [1]]);
  });

  test("embeddings that answer with too few or unequal vectors are refused, and nothing is added", async () => {
    for (const embedDocuments of [
      async () => [],
      async (texts: string[]) => texts.map((_, i) => [1, i].slice(0, i + 1)),
    ]) {
      const store = new TriGraphStore({ embedDocuments, embedQuery: async () => [1, 0] });
      await expect(store.addDocuments(films())).rejects.toThrow(
        expect.objectContaining({ code: "EMBEDDING" }) as Error,
      );
      expect((await store.index()).size).toBe(0);
    }
  });
});
