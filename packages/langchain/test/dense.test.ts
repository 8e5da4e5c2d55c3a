// Another retriever or vector store as the source of similarity, alone and with filters.
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { Document } from "@langchain/core/documents";
import { FakeEmbeddings, FakeRetriever, SyntheticEmbeddings } from "@langchain/core/utils/testing";
import { InvalidArgumentError } from "@trigraph/core";
import { describe, expect, test, vi } from "vitest";
import { type DenseFilter, type DocumentFilter, TriGraphRetriever } from "../src/index.js";
import { films, idsOf, QUESTION } from "./support/films.js";

const filmRetriever = (options = {}) => TriGraphRetriever.fromDocuments(films(), undefined, options);

describe("a dense retriever", () => {
  const vectors = () => MemoryVectorStore.fromDocuments(films(), new SyntheticEmbeddings({ vectorSize: 32 }));

  test("brings what words do not find; nothing is embedded for it", async () => {
    const documents = [...films(), new Document({ id: "far", pageContent: "Loaves are kept in linen.", metadata: {} })];
    const filler = Array.from(
      { length: 20 },
      (_, i) => new Document({ id: `filler ${i}`, pageContent: `Stones of sort ${i} lie on the shore.`, metadata: {} }),
    );
    const all = [...documents, ...filler];
    const question = "How is crispbread stored?";
    const words = await TriGraphRetriever.fromDocuments(all, undefined, { k: 3 });
    expect(idsOf(await words.invoke(question))).not.toContain("far");

    const denseRetriever = new FakeRetriever({ output: [documents[5], documents[4]] });
    const both = await TriGraphRetriever.fromDocuments(all, undefined, { k: 3, denseRetriever });
    expect(
      idsOf(await both.invoke(question))
        .slice(0, 2)
        .sort(),
    ).toEqual(["bread", "far"]);
    expect((await both.vectorStore.index()).stats().dimensions).toBe(0);
  });

  test("may be a vector store, asked for denseK documents", async () => {
    const store = await vectors();
    const search = vi.spyOn(store, "similaritySearch");
    const retriever = await filmRetriever({ denseRetriever: store, denseK: 3, k: 3 });
    expect(idsOf(await retriever.invoke(QUESTION))).toContain("film");
    expect(search.mock.calls[0].slice(0, 2)).toEqual([QUESTION, 3]);
  });

  test("whose documents cannot be matched with the index's is refused", async () => {
    const foreign = new FakeRetriever({ output: [new Document({ id: "elsewhere", pageContent: "x" })] });
    await expect((await filmRetriever({ denseRetriever: foreign })).invoke(QUESTION)).rejects.toThrow(/"elsewhere"/);
    const nameless = new FakeRetriever({ output: [new Document({ pageContent: "no id" })] });
    await expect((await filmRetriever({ denseRetriever: nameless })).invoke(QUESTION)).rejects.toThrow(/one without/);
    await expect(
      TriGraphRetriever.fromDocuments(films(), new FakeEmbeddings(), { denseRetriever: foreign }),
    ).rejects.toThrow(/got both/);
  });
});

describe("a dense retriever and a filter", () => {
  /** Which of the stones, from the nearest to the question on, pass the filter. */
  const isKept = (n: number) => n % 30 === 29;
  const stones = Array.from(
    { length: 120 },
    (_, n) => new Document({ id: `${n}`, pageContent: `Stone ${n} lies there.`, metadata: { kept: isKept(n) } }),
  );
  const keptIds = ["29", "59", "89", "119"];
  /** Shares no word with the stones: the graph has only what the dense source brings. */
  const question = "Where?";
  const filter = { kept: true };

  /** Stones by number: the first is nearest to the question. */
  const embeddings = {
    embedDocuments: async (texts: string[]) => texts.map((text) => [1, Number(/\d+/.exec(text)![0]) / 100]),
    embedQuery: async () => [1, 0],
  };
  const vectorsOf = (documents: Document[]) => MemoryVectorStore.fromDocuments(documents, embeddings);

  /** What the retriever finds with ids and scores, and what its store was asked for. */
  async function ask(store: MemoryVectorStore, options: object, call = {}) {
    const search = vi.spyOn(store, "similaritySearch");
    const all = { k: 4, includeScore: true, denseRetriever: store, ...options };
    const retriever = await TriGraphRetriever.fromDocuments(stones, undefined, all);
    const found = (await retriever.invoke(question, call)).map(({ id, metadata }) => [id, metadata.score as number]);
    return { found, asked: search.mock.calls.map(([, k, native]) => [k, native]) };
  }

  /** By stores that hold nothing but what the filter lets through. */
  const expected = async () => (await ask(await vectorsOf(stones.filter((_, n) => isKept(n))), { filter })).found;

  test("the hidden ones count in nothing: the rest is as it is over a store without them", async () => {
    const { found, asked } = await ask(await vectorsOf(stones), { filter, denseK: 4 });
    expect(found.map(([id]) => id)).toEqual(keptIds);
    expect(found).toEqual(await expected());
    // 16 and 64 nearest ones hold too few that are kept.
    expect(asked).toEqual([4, 16, 64, 256].map((k) => [k, undefined]));
  });

  test("a store that can say the filter is asked once, of the constructor or of the call", async () => {
    const native = (document: Document) => document.metadata.kept === true;
    const denseFilter = vi.fn<DenseFilter>(() => native);
    const once = { found: await expected(), asked: [[4, native]] };
    expect(await ask(await vectorsOf(stones), { filter, denseFilter, denseK: 4 })).toEqual(once);
    expect(await ask(await vectorsOf(stones), { denseK: 4 }, { filter, denseFilter })).toEqual(once);
    const configurable = { filter, denseFilter };
    expect(await ask(await vectorsOf(stones), { denseK: 4, filter: { kept: false } }, { configurable })).toEqual(once);
    expect(denseFilter.mock.calls).toEqual([[filter], [filter], [filter]]);
  });

  test("which it may be unable to say; and without a filter there is nothing to say", async () => {
    const denseFilter = vi.fn((wanted: DocumentFilter) => (typeof wanted === "function" ? wanted : undefined));
    const { found, asked } = await ask(await vectorsOf(stones), { filter, denseFilter, denseK: 4 });
    expect(found).toEqual(await expected());
    expect(asked).toHaveLength(4);
    const predicate = ({ id }: Document) => keptIds.includes(id!);
    const said = await ask(await vectorsOf(stones), { denseFilter, denseK: 4 }, { filter: predicate });
    expect(said).toEqual({ found, asked: [[4, predicate]] });
    expect((await ask(await vectorsOf(stones), { denseFilter, denseK: 4 })).asked).toEqual([[4, undefined]]);
    expect(denseFilter).toHaveBeenCalledTimes(2);
  });

  test("a store is not asked for more than 64 times denseK", async () => {
    const isLast = ({ id }: Document) => id === "119";
    const { found, asked } = await ask(await vectorsOf(stones), { filter: isLast, denseK: 1 });
    expect(asked.map(([k]) => k)).toEqual([1, 4, 16, 64]);
    const unaided = await TriGraphRetriever.fromDocuments(stones, undefined, { filter: isLast });
    expect(found.map(([id]) => id)).toEqual(idsOf(await unaided.invoke(question)));
  });

  test("a native filter alone hides nothing: what the store brings in spite of it is dropped", async () => {
    const denseFilter = () => () => true;
    const { found, asked } = await ask(await vectorsOf(stones), { filter, denseFilter, denseK: 30 });
    expect(asked).toHaveLength(1);
    expect(found.map(([id]) => id).sort()).toEqual([...keptIds].sort());
    expect(found[0][0]).toBe("29");
  });

  test("a retriever is asked once, and ranks are among those that are left", async () => {
    const scores = async (output: Document[]) => {
      const denseRetriever = new FakeRetriever({ output });
      const options = { filter, k: 4, denseRetriever, includeScore: true };
      const retriever = await TriGraphRetriever.fromDocuments(stones, undefined, options);
      return (await retriever.invoke(question)).map(({ id, metadata }) => [id, metadata.score as number]);
    };
    const found = await scores([stones[3], stones[59], stones[4], stones[5], stones[29]]);
    expect(found.map(([id]) => id).slice(0, 2)).toEqual(["59", "29"]);
    expect(found).toEqual(await scores([stones[59], stones[29]]));
    expect(await scores([stones[3]])).toEqual(await scores([]));
  });

  test("a native filter that nothing would be asked with is refused", async () => {
    const denseFilter = () => ({ kept: true });
    const refused = (options: object) =>
      expect(TriGraphRetriever.fromDocuments(stones, undefined, options)).rejects.toThrow(InvalidArgumentError);
    await refused({ denseFilter });
    await refused({ denseFilter, denseRetriever: new FakeRetriever() });
    await refused({ denseFilter: { kept: true }, denseRetriever: await vectorsOf(stones) });
    const plain = await TriGraphRetriever.fromDocuments(stones);
    await expect(plain.invoke(question, { filter, denseFilter })).rejects.toThrow(
      /expected a vector store as the denseRetriever for denseFilter, got undefined/,
    );
  });
});
