/** LangChain's retrievers, as its documentation sets them up: one document a passage, all options at their defaults. */
import { type Embedder, embeddedText, type Passage } from "@trigraph/core";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { BaseRetriever } from "@langchain/core/retrievers";
import type { BuildContext, BuiltMethod, Method } from "./method.js";
import { loadOptional } from "./optional.js";

export const langChainBm25: Method = {
  name: "langchain-bm25",
  description: "LangChain's BM25Retriever",
  embedder: "unused",
  async build(passages) {
    const retriever = await bm25Over(passages, this.name);
    return asBuilt(retriever, (k) => (retriever.k = k));
  },
};

export const langChainVectors: Method = {
  name: "langchain-vectors",
  description: "LangChain's MemoryVectorStore",
  embedder: "needed",
  async build(passages, context) {
    const store = await vectorsOver(passages, context, this.name);
    return {
      retrieve: async (question, k) => (await store.similaritySearch(question, k)).map(({ id }) => id!),
    };
  },
};

export const langChainEnsemble: Method = {
  name: "langchain-ensemble",
  description: "LangChain's EnsembleRetriever over its BM25Retriever and MemoryVectorStore, equal weights",
  embedder: "needed",
  async build(passages, context) {
    const { EnsembleRetriever } = await loadOptional(
      this.name,
      ["@langchain/classic", "@langchain/core"],
      () => import("@langchain/classic/retrievers/ensemble"),
    );
    const words = await bm25Over(passages, this.name);
    const vectors = (await vectorsOver(passages, context, this.name)).asRetriever();
    const ensemble = new EnsembleRetriever({ retrievers: [words, vectors] });
    return asBuilt(ensemble, (k) => {
      words.k = k;
      vectors.k = k;
    });
  },
};

/** @param setK how many documents the next question gets: a property of the retriever, no argument */
function asBuilt(retriever: BaseRetriever, setK: (k: number) => void): BuiltMethod {
  return {
    async retrieve(question, k, { signal }) {
      setK(k);
      const found = await retriever.invoke(question, signal === undefined ? {} : { signal });
      return found.slice(0, k).map(({ id }) => id!);
    },
  };
}

async function bm25Over(passages: readonly Passage[], method: string) {
  const { BM25Retriever } = await loadOptional(
    method,
    ["@langchain/community", "@langchain/core"],
    () => import("@langchain/community/retrievers/bm25"),
  );
  return BM25Retriever.fromDocuments(await documentsOf(passages, method), { k: 1 });
}

async function vectorsOver(passages: readonly Passage[], { embedder }: BuildContext, method: string) {
  const { MemoryVectorStore } = await loadOptional(
    method,
    ["@langchain/classic", "@langchain/core"],
    () => import("@langchain/classic/vectorstores/memory"),
  );
  return MemoryVectorStore.fromDocuments(await documentsOf(passages, method), embeddingsOf(embedder!));
}

async function documentsOf(passages: readonly Passage[], method: string) {
  const { Document } = await loadOptional(method, ["@langchain/core"], () => import("@langchain/core/documents"));
  return passages.map((passage) => new Document({ id: passage.id, pageContent: embeddedText(passage) }));
}

/** The embedder as LangChain's. It wants arrays of numbers. */
function embeddingsOf(embedder: Embedder): EmbeddingsInterface {
  return {
    embedDocuments: async (texts) => (await embedder.embedPassages(texts)).map((vector) => Array.from(vector)),
    embedQuery: async (text) => Array.from(await embedder.embedQuery(text)),
  };
}
