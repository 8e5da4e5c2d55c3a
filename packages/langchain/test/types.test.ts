// What must and what must not compile: `tsc` checks the marked lines, whether or not they are run.
import type { Document } from "@langchain/core/documents";
import type { BaseRetrieverInterface } from "@langchain/core/retrievers";
import type {
  VectorStoreInterface,
  VectorStoreRetriever,
  VectorStoreRetrieverInterface,
} from "@langchain/core/vectorstores";
import type { MemoryDirectory } from "@trigraph/core";
import { expectTypeOf, test } from "vitest";
import { createTriGraphTool, TriGraphRetriever, type TriGraphRetrieverInput, TriGraphStore } from "../src/index.js";

test("ours stand where LangChain's interfaces are asked for", () => {
  expectTypeOf<TriGraphRetriever>().toExtend<BaseRetrieverInterface>();
  expectTypeOf<TriGraphRetriever>().toExtend<VectorStoreRetrieverInterface>();
  expectTypeOf<TriGraphStore>().toExtend<VectorStoreInterface>();
  expectTypeOf<ReturnType<TriGraphStore["asRetriever"]>>().toExtend<VectorStoreRetriever>();
  expectTypeOf<ReturnType<TriGraphRetriever["invoke"]>>().resolves.toEqualTypeOf<Document[]>();
  expectTypeOf<ReturnType<TriGraphStore["addDocuments"]>>().resolves.toEqualTypeOf<string[]>();
});

test("right options compile", () => {
  const input: Omit<TriGraphRetrieverInput, "vectorStore"> = {
    k: 3,
    filter: (document) => document.metadata.year === 1962,
    minScore: 0.1,
    maxTokens: 1000,
    countTokens: (text) => text.length,
    includeScore: true,
    scoreKey: "relevance",
    withNeighbours: 1,
    denseFilter: (filter) => (typeof filter === "function" ? undefined : filter),
    tags: ["a"],
    metadata: { any: new Date() },
  };
  expectTypeOf(input.k).toEqualTypeOf<number | undefined>();
  expectTypeOf<{ year: 1962; tags: ["a"] }>().toExtend<TriGraphStore["FilterType"]>();
});

// Never called: it is there to be compiled.
export async function wrong(retriever: TriGraphRetriever, store: TriGraphStore, directory: MemoryDirectory) {
  // @ts-expect-error -- a filter is a function or an object
  await retriever.invoke("q", { filter: "year" });
  // @ts-expect-error -- of JSON values
  await retriever.invoke("q", { filter: { year: new Date() } });
  // @ts-expect-error -- that takes a document
  await retriever.invoke("q", { filter: (year: number) => year > 1900 });
  // @ts-expect-error -- and says yes or no
  await retriever.invoke("q", { filter: () => "yes" });
  // @ts-expect-error -- a native filter is made of the filter
  await retriever.invoke("q", { denseFilter: { year: 1962 } });
  // @ts-expect-error -- and is what vector stores take
  await retriever.invoke("q", { denseFilter: () => 1962 });
  // @ts-expect-error -- the store's own retriever has no k of the call
  await store.asRetriever().invoke("q", { k: 3 });
  // @ts-expect-error -- k is a number
  await retriever.invoke("q", { k: "3" });
  // @ts-expect-error -- a question is a string
  await retriever.invoke({ question: "q" });
  // @ts-expect-error -- no such option
  new TriGraphRetriever({ vectorStore: store, filters: {} });
  // @ts-expect-error -- a store is needed
  new TriGraphRetriever({ k: 3 });
  // @ts-expect-error -- embeddings have methods
  new TriGraphStore({ embed: () => [1] });
  // @ts-expect-error -- no such preset
  new TriGraphStore(undefined, { preset: "best" });
  // @ts-expect-error -- ids are deleted, not filters
  await store.delete({ filter: { year: 1 } });
  // @ts-expect-error -- a path is no directory
  await store.save("folder");
  // @ts-expect-error -- embeddings come before options
  await TriGraphStore.load(directory, { create: true });
  // @ts-expect-error -- the filter of a store as well
  await store.similaritySearch("q", 3, 5);
  // @ts-expect-error -- and of its retriever
  store.asRetriever({ filter: "year" });
  // @ts-expect-error -- progress is told to a function
  await store.addDocuments([], { onProgress: true });
  // @ts-expect-error -- a tool is made of a retriever
  createTriGraphTool(store);
}
