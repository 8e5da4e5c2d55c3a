import { Document } from "@langchain/core/documents";
import { FakeEmbeddings, FakeRetriever, SyntheticEmbeddings } from "@langchain/core/utils/testing";
import { RunnableLambda } from "@langchain/core/runnables";
import { CacheBackedEmbeddings } from "@langchain/classic/embeddings/cache_backed";
import { InMemoryStore } from "@langchain/classic/storage/in_memory";
import { InvalidArgumentError, TriGraph, type Evidence, type Progress } from "@trigraph/core";
import { describe, expect, test, vi } from "vitest";
import { langChainEmbedder, TriGraphRetriever, TriGraphStore } from "../src/index.js";
import { films, idsOf, PATH, QUESTION, textOf } from "./support/films.js";
import { RunRecorder } from "./support/runs.js";

const filmRetriever = (options = {}) => TriGraphRetriever.fromDocuments(films(), undefined, options);

describe("what comes back", () => {
  test("documents on the path to the answer, in its order, with ids, texts and metadata as they were added", async () => {
    const retriever = await filmRetriever({ k: 3 });
    const found = await retriever.invoke(QUESTION);
    expect(idsOf(found)).toEqual(PATH);
    const added = new Map(films().map((film) => [film.id, film]));
    for (const document of found) {
      expect(document).toBeInstanceOf(Document);
      expect(document).toEqual(added.get(document.id));
    }
  });

  test("five documents unless told otherwise, and all when there are fewer than k", async () => {
    const many = [...films(), ...films().map((film) => new Document({ ...film, id: `${film.id} again` }))];
    expect(await (await TriGraphRetriever.fromDocuments(many)).invoke(QUESTION)).toHaveLength(5);
    expect(await (await filmRetriever({ k: 50 })).invoke(QUESTION)).toHaveLength(5);
  });

  test("fresh objects: what is done to a result or to an added document reaches nobody else", async () => {
    const own = films();
    const retriever = await TriGraphRetriever.fromDocuments(own);
    own[0].metadata.title = "changed";
    const [first] = await retriever.invoke(QUESTION);
    (first.metadata as { loc: { lines: { from: number } } }).loc.lines.from = 99;
    first.pageContent = "changed";
    expect((await retriever.invoke(QUESTION))[0]).toEqual(films()[0]);
  });

  test("the same order each time, whatever the order of addition", async () => {
    const forward = await filmRetriever();
    const backward = await TriGraphRetriever.fromDocuments(films().reverse());
    const expected = idsOf(await forward.invoke(QUESTION));
    expect(idsOf(await forward.invoke(QUESTION))).toEqual(expected);
    expect(idsOf(await backward.invoke(QUESTION))).toEqual(expected);
  });

  test("no score and no evidence unless asked for; then under the keys that are told", async () => {
    const plain = await (await filmRetriever()).invoke(QUESTION);
    expect(plain.flatMap(({ metadata }) => Object.keys(metadata))).not.toContain("score");

    const scored = await (await filmRetriever({ includeScore: true, includeEvidence: true })).invoke(QUESTION);
    const scores = scored.map(({ metadata }) => metadata.score as number);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeGreaterThan(0);
    const evidence = scored[2].metadata.evidence as Evidence;
    expect(evidence.via).toBe("graph");
    expect(evidence.sentence!.text).toContain("Greta Holm");
    expect(JSON.parse(JSON.stringify(scored))).toBeDefined();

    const named = await filmRetriever({
      includeScore: true,
      scoreKey: "rank",
      includeEvidence: true,
      evidenceKey: "why",
    });
    expect((await named.invoke(QUESTION))[0].metadata).toMatchObject({ rank: scores[0], why: { via: "graph" } });
  });

  test("a score does not overwrite metadata", async () => {
    const retriever = await filmRetriever({ includeScore: true, scoreKey: "year" });
    await expect(retriever.invoke(QUESTION)).rejects.toThrow(/expected metadata without "year".*Set scoreKey/);
  });

  test("questions are texts to search, whatever characters they have", async () => {
    const retriever = await filmRetriever({ k: 1 });
    for (const question of ["(", "[a-", "*+?", "\\", "The Silent Harbour ($1)?", "constructor __proto__"]) {
      expect(await retriever.invoke(question)).toHaveLength(1);
    }
  });

  test("an object in place of the question is refused by name, not by accident", async () => {
    const retriever = await filmRetriever();
    const recorder = new RunRecorder();
    const asked = retriever.invoke({ question: QUESTION } as unknown as string, { callbacks: [recorder] });
    await expect(asked).rejects.toThrow(InvalidArgumentError);
    await expect(asked).rejects.toThrow(/expected the question to be a string, got an object of Object.*\(input\) =>/);
    expect(recorder.list[0].error).toBeInstanceOf(InvalidArgumentError);
    await expect(retriever.invoke("  ")).rejects.toThrow(InvalidArgumentError);
  });
});

describe("options of a call", () => {
  test("k, filter, minScore and maxTokens count in the constructor, beside LangChain's options and in configurable", async () => {
    const tokens = Math.ceil(textOf("film").length / 4);
    const cases = [
      [{ k: 2 }, ["film", "director"]],
      [{ k: 2, filter: { year: 1902 } }, ["mother"]],
      [{ k: 2, filter: ({ metadata }: Document) => metadata.year < 1940 }, ["director", "mother"]],
      [{ minScore: 1 }, []],
      [{ maxTokens: tokens }, ["film"]],
      [{ maxTokens: 2, countTokens: () => 1 }, ["film", "director"]],
    ] as const;
    const retriever = await filmRetriever();
    for (const [options, expected] of cases) {
      expect(idsOf(await (await filmRetriever(options)).invoke(QUESTION))).toEqual(expected);
      expect(idsOf(await retriever.invoke(QUESTION, options))).toEqual(expected);
      expect(idsOf(await retriever.invoke(QUESTION, { configurable: options }))).toEqual(expected);
      expect(idsOf(await retriever.withConfig({ configurable: options }).invoke(QUESTION))).toEqual(expected);
    }
    expect(await retriever.invoke(QUESTION)).toHaveLength(5);
  });

  test("the nearer option wins: of the call over configurable, configurable over the constructor's", async () => {
    const retriever = await filmRetriever({ k: 1, filter: { year: 1902 } });
    expect(idsOf(await retriever.invoke(QUESTION, { configurable: { k: 3, filter: {} } }))).toEqual(PATH);
    expect(await retriever.invoke(QUESTION, { k: 2, configurable: { k: 3, filter: {} } })).toHaveLength(2);
  });

  test("calls at the same time do not see each other's", async () => {
    const retriever = await filmRetriever();
    const results = await Promise.all([1, 2, 3, 4, 5].map((k) => retriever.invoke(QUESTION, { k })));
    expect(results.map((documents) => documents.length)).toEqual([1, 2, 3, 4, 5]);
    const aborted = retriever.invoke(QUESTION, { signal: AbortSignal.abort(new Error("stop")) });
    const [one, other] = await Promise.allSettled([aborted, retriever.invoke(QUESTION)]);
    expect([one.status, other.status]).toEqual(["rejected", "fulfilled"]);
  });

  test("they reach the retriever inside a chain, and batches", async () => {
    const retriever = await filmRetriever();
    const chain = RunnableLambda.from((input: { q: string }) => input.q).pipe(retriever);
    expect(await chain.invoke({ q: QUESTION }, { configurable: { k: 2 } })).toHaveLength(2);
    const batches = await retriever.batch([QUESTION, "rye"], [{ configurable: { k: 1 } }, { configurable: { k: 2 } }]);
    expect(batches.map((documents) => documents.length)).toEqual([1, 2]);
  });

  test("a filter of another shape is refused, and metadata for tracing filters nothing", async () => {
    const retriever = await filmRetriever();
    const wrong: unknown[] = ["year", 5, null, [], { year: { $gt: 1900 } }, { $and: [] }, { year: new Date() }];
    for (const filter of wrong) {
      await expect(retriever.invoke(QUESTION, { filter } as never), String(filter)).rejects.toThrow(
        InvalidArgumentError,
      );
    }
    await expect(retriever.invoke(QUESTION, { filter: (() => "yes") as never })).rejects.toThrow(/true or false/);
    expect(await retriever.invoke(QUESTION, { metadata: { year: 1902 } })).toHaveLength(5);
  });

  test("wrong numbers are refused", async () => {
    const retriever = await filmRetriever();
    for (const options of [{ k: 0 }, { k: 1.5 }, { k: "3" }, { minScore: NaN }, { maxTokens: -1 }]) {
      await expect(retriever.invoke(QUESTION, options as never)).rejects.toThrow(InvalidArgumentError);
    }
    const vectorStore = new TriGraphStore();
    expect(() => new TriGraphRetriever({ vectorStore, withNeighbours: -1 })).toThrow(InvalidArgumentError);
    expect(() => new TriGraphRetriever({ vectorStore, denseK: 0 })).toThrow(InvalidArgumentError);
  });
});

/** Embeddings that never answer a question. */
class SilentEmbeddings extends FakeEmbeddings {
  override embedQuery(): Promise<number[]> {
    return new Promise(() => {});
  }
}

const slow = () => TriGraphRetriever.fromDocuments(films(), new SilentEmbeddings(), { dimensions: 4 });

describe("ending a call", () => {
  test("a signal ends it with its reason, also while the embeddings are waited for", async () => {
    const retriever = await slow();
    const controller = new AbortController();
    const asked = retriever.invoke(QUESTION, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(asked).rejects.toThrow("enough");
  });

  test("a timeout ends it, and is reported as an error of the run", async () => {
    const retriever = await slow();
    const recorder = new RunRecorder();
    const asked = retriever.invoke(QUESTION, { timeout: 30, callbacks: [recorder] });
    await expect(asked).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }) as Error);
    expect(recorder.list[0].error).toMatchObject({ name: "TimeoutError" });
  });

  test.each(["similarity", "mmr"] as const)("the store's own retriever ends as well: %s", async (searchType) => {
    const { vectorStore } = await slow();
    const retriever = vectorStore.asRetriever({ k: 2, searchType });
    const recorder = new RunRecorder();
    const asked = retriever.invoke(QUESTION, { timeout: 30, callbacks: [recorder] });
    await expect(asked).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }) as Error);
    expect(recorder.list).toMatchObject([{ name: "TriGraphStoreRetriever", tags: ["trigraph"] }]);
    const signal = AbortSignal.abort(new Error("no"));
    await expect(retriever.invoke(QUESTION, { signal })).rejects.toThrow("no");
    await expect(vectorStore.similaritySearch(QUESTION, 1, undefined, undefined, { signal })).rejects.toThrow("no");
    const scored = vectorStore.similaritySearchWithScore(QUESTION, 1, undefined, undefined, { signal });
    await expect(scored).rejects.toThrow("no");
  });

  test("a signal ends waiting for a dense retriever that does not heed it", async () => {
    const denseRetriever = Object.assign(new FakeRetriever(), { _getRelevantDocuments: () => new Promise(() => {}) });
    const retriever = await filmRetriever({ denseRetriever });
    await expect(retriever.invoke(QUESTION, { timeout: 30 })).rejects.toThrow(
      expect.objectContaining({ name: "TimeoutError" }) as Error,
    );
    await expect(retriever.invoke(QUESTION, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
  });
});

describe("filling an index", () => {
  test("tells how far it is, and ends with its signal's reason", async () => {
    const embeddings = new SyntheticEmbeddings({ vectorSize: 8 });
    const phases: string[] = [];
    const onProgress = ({ phase, done, total }: Progress) => phases.push(`${phase} ${done}/${total}`);
    await TriGraphRetriever.fromDocuments(films(), embeddings, {}, { onProgress });
    expect(phases).toEqual(["embed 5/5", "analyze 5/5"]);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(TriGraphRetriever.fromDocuments(films(), embeddings, {}, { signal })).rejects.toThrow("enough");
    const retriever = await slow();
    const controller = new AbortController();
    const added = retriever.addDocuments([new Document({ pageContent: "New." })], { signal: controller.signal });
    controller.abort(new Error("stop"));
    await expect(added).rejects.toThrow("stop");
    expect((await retriever.vectorStore.index()).size).toBe(5);
  });
});

describe("tracing", () => {
  test("a run begins and ends, with the tags of the retriever and of the call", async () => {
    const retriever = await filmRetriever({ k: 2, tags: ["films"] });
    const recorder = new RunRecorder();
    await retriever.invoke(QUESTION, { callbacks: [recorder], tags: ["now"] });
    expect(recorder.list).toEqual([
      { name: "TriGraphRetriever", query: QUESTION, parent: undefined, tags: ["now", "films"], documents: 2 },
    ]);
  });

  test("the dense retriever's run is nested in it", async () => {
    const recorder = new RunRecorder();
    const denseRetriever = new FakeRetriever({ output: films() });
    const retriever = await filmRetriever({ denseRetriever });
    await retriever.invoke(QUESTION, { callbacks: [recorder] });
    const [[outer], [, inner]] = [...recorder.runs];
    expect(inner).toMatchObject({ name: "FakeRetriever", parent: outer, query: QUESTION });
    expect(inner.tags).toContain("dense");
  });

  test("what a run reports of the retriever holds neither the store nor the options", async () => {
    const retriever = await filmRetriever();
    expect(JSON.stringify(retriever.toJSON())).toBe(
      JSON.stringify({ lc: 1, type: "not_implemented", id: ["trigraph", "retrievers", "TriGraphRetriever"] }),
    );
    expect(retriever.lc_kwargs).not.toHaveProperty("vectorStore");
  });
});

describe("embeddings", () => {
  test("any that implement the interface do, and each text is embedded once", async () => {
    const embedDocuments = vi.fn(async (texts: string[]) => texts.map((text) => [text.length, 1, 0]));
    const embedQuery = vi.fn(async (text: string) => [text.length, 1, 1]);
    const documents = [...films(), ...films().map((film) => new Document({ ...film, id: `${film.id} again` }))];
    const retriever = await TriGraphRetriever.fromDocuments(documents, { embedDocuments, embedQuery });
    expect(embedDocuments).toHaveBeenCalledTimes(1);
    expect(embedDocuments.mock.calls[0][0]).toHaveLength(5);
    expect((await retriever.vectorStore.index()).stats().dimensions).toBe(3);
    await retriever.addDocuments(documents);
    expect(embedDocuments).toHaveBeenCalledTimes(1);
    await retriever.addDocuments([]);
    expect(embedDocuments).toHaveBeenCalledTimes(1);
    expect(idsOf(await retriever.invoke(QUESTION, { k: 2 }))).toContain("film");
  });

  test("LangChain's cache of embeddings serves the next index", async () => {
    const underlying = new SyntheticEmbeddings({ vectorSize: 8 });
    const embed = vi.spyOn(underlying, "embedDocuments");
    const cached = CacheBackedEmbeddings.fromBytesStore(underlying, new InMemoryStore<Uint8Array>());
    const options = { dimensions: 8, embedderId: "cached" };
    const [first, second] = [
      await TriGraphRetriever.fromDocuments(films(), cached, options),
      await TriGraphRetriever.fromDocuments(films(), cached, options),
    ];
    expect(embed.mock.calls.filter(([texts]) => texts.length > 0)).toHaveLength(1);
    expect(await second.invoke(QUESTION)).toEqual(await first.invoke(QUESTION));
  });

  test("embeddings that fail once are asked again", async () => {
    const embeddings = new FakeEmbeddings();
    const embedQuery = vi.spyOn(embeddings, "embedQuery").mockRejectedValueOnce(new Error("down"));
    const retriever = new TriGraphRetriever({ vectorStore: new TriGraphStore(embeddings) });
    await expect(retriever.addDocuments(films())).rejects.toThrow(/FakeEmbeddings failed on a first text: down/);
    await retriever.addDocuments(films());
    expect(embedQuery).toHaveBeenCalledTimes(2);
    expect(await retriever.invoke(QUESTION)).toHaveLength(5);
  });
});

describe("an existing index", () => {
  test("is searched, and written to", async () => {
    const index = await TriGraph.create({
      embedder: await langChainEmbedder(new SyntheticEmbeddings({ vectorSize: 16 })),
    });
    await index.upsert([{ id: "film", title: "The Silent Harbour", text: textOf("film") }]);
    const retriever = TriGraphRetriever.fromExistingIndex(index, { k: 3, titleKey: "name" });
    await retriever.addDocuments([
      new Document({ id: "director", pageContent: textOf("director"), metadata: { name: "Ada Lindqvist" } }),
    ]);
    expect(index.get("director")!.title).toBe("Ada Lindqvist");
    expect(idsOf(await retriever.invoke(QUESTION))).toEqual(["film", "director"]);
    await retriever.delete({ ids: ["film", "unknown"] });
    expect(index.get("film")).toBeUndefined();
    expect(() => TriGraphRetriever.fromExistingIndex({} as TriGraph)).toThrow(/expected a TriGraph/);
  });

  test("texts take the metadata of each, or of all", async () => {
    const each = await TriGraphRetriever.fromTexts(["One is here.", "Two is there."], [{ n: 1 }, { n: 2 }]);
    expect((await each.invoke("two", { k: 1 }))[0].metadata).toEqual({ n: 2 });
    const all = await TriGraphRetriever.fromTexts(["One is here.", "Two is there."], { n: 0 });
    expect((await all.invoke("two")).map(({ metadata }) => metadata)).toEqual([{ n: 0 }, { n: 0 }]);
    await expect(TriGraphRetriever.fromTexts(["One."], [])).rejects.toThrow(/one metadata for each of 1 texts, got 0/);
  });
});

describe("neighbours", () => {
  /** The lines of a text as chunks of one document. */
  const chunks = (source: string, texts: string[]) =>
    texts.map(
      (pageContent, i) => new Document({ id: `${source}${i}`, pageContent, metadata: { source, part: i % 2 } }),
    );

  const letters = chunks("a", [
    "The letter begins with the weather.",
    "Then it tells of a journey to Lisbon.",
    "The ship was late by a week.",
    "It ends with greetings.",
  ]);
  const recipes = chunks("b", ["Take flour.", "Knead the dough.", "Bake for an hour."]);

  test("come before and after their hit, in the order of addition, once", async () => {
    const retriever = await TriGraphRetriever.fromDocuments([letters[0], recipes[0], ...letters.slice(1)], undefined, {
      k: 1,
      withNeighbours: 1,
      includeScore: true,
    });
    const found = await retriever.invoke("Lisbon");
    expect(idsOf(found)).toEqual(["a0", "a1", "a2"]);
    expect(found.map(({ metadata }) => Object.keys(metadata))).toEqual([
      ["source", "part"],
      ["source", "part", "score"],
      ["source", "part"],
    ]);
    expect(idsOf(await retriever.invoke("Lisbon ship", { k: 2 }))).toEqual(["a0", "a1", "a2", "a3"]);
  });

  test("keep their order when chunks are replaced, deleted, merged, saved and loaded", async () => {
    const { MemoryDirectory } = await import("@trigraph/core");
    const store = new TriGraphStore();
    // One by one: as many segments, which merges put into another order.
    for (const chunk of [...letters, ...recipes]) await store.addDocuments([chunk]);
    await store.addDocuments([new Document({ ...letters[0], pageContent: "The letter begins with the snow." })]);
    await store.delete({ ids: ["a2"] });
    await (await store.index()).merge();
    const directory = new MemoryDirectory();
    await store.save(directory);
    const loaded = await TriGraphStore.load(directory);
    await loaded.addDocuments(chunks("a", ["", "", "", "", "A postscript is about bees."]).slice(4));
    for (const [vectorStore, expected] of [
      [store, ["a0", "a1", "a3"]],
      [loaded, ["a0", "a1", "a3", "a4"]],
    ] as const) {
      const retriever = new TriGraphRetriever({ vectorStore, k: 1, withNeighbours: 2 });
      expect(idsOf(await retriever.invoke("Lisbon"))).toEqual(expected);
    }
    expect((await loaded.similaritySearch("bees", 1))[0].metadata).toEqual({ source: "a", part: 0 });
  });

  test("are subject to the filter and to the budget", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(letters, undefined, { k: 1, withNeighbours: 2 });
    const notFirst = ({ id }: Document) => id !== "a0";
    expect(idsOf(await retriever.invoke("Lisbon", { filter: notFirst }))).toEqual(["a1", "a2", "a3"]);
    // A side ends at what is hidden: what stands behind it is no neighbour.
    expect(idsOf(await retriever.invoke("Lisbon", { filter: { part: 1 } }))).toEqual(["a1"]);
    const within = async (maxTokens: number) =>
      idsOf(await retriever.invoke("Lisbon", { maxTokens, countTokens: () => 1 }));
    expect(await within(1)).toEqual(["a1"]);
    expect(await within(2)).toEqual(["a0", "a1"]);
    expect(await within(3)).toEqual(["a0", "a1", "a2"]);
    await expect(within(-1)).rejects.toThrow(InvalidArgumentError);
  });

  test("are told by the metadata of documentIdKey; documents without it have none", async () => {
    const named = letters.map(({ id, pageContent }) => new Document({ id: id!, pageContent, metadata: { book: 7 } }));
    const options = { k: 1, withNeighbours: 1 };
    const retriever = await TriGraphRetriever.fromDocuments(named, undefined, { ...options, documentIdKey: "book" });
    expect(idsOf(await retriever.invoke("Lisbon"))).toEqual(["a0", "a1", "a2"]);
    const without = await TriGraphRetriever.fromDocuments(named, undefined, options);
    expect(idsOf(await without.invoke("Lisbon"))).toEqual(["a1"]);
  });
});
