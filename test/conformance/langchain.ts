import { Document, type DocumentInterface } from "@langchain/core/documents";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { ToolMessage } from "@langchain/core/messages";
import {
  createTriGraphTool,
  TriGraphRetriever,
  type TriGraphRetrieverOptions,
  TriGraphStore,
} from "@trigraph/langchain";
import { DIMENSIONS, type Entrance, type Fed, type Found, type Search, vectorOf, type WayIn } from "./world.js";

const EMBEDDINGS: EmbeddingsInterface = {
  embedDocuments: async (texts) => texts.map(vectorOf),
  embedQuery: async (text) => vectorOf(text),
};

export function toDocument({ id, title, text, kind, document }: Fed): Document {
  return new Document({ id, pageContent: text, metadata: { title, kind, source: document } });
}

function fromDocument({ id, pageContent, metadata }: DocumentInterface): Found {
  return { id: id!, text: pageContent, score: metadata.score as number | undefined };
}

const filterOf = ({ kind }: Search) => (kind === undefined ? undefined : { kind });
const predicateOf =
  ({ kind }: Search) =>
  (document: DocumentInterface) =>
    kind === undefined || document.metadata.kind === kind;

function optionsOf(search: Search): TriGraphRetrieverOptions {
  const { question: _, kind: __, ...limits } = search;
  return { ...limits, filter: filterOf(search), includeScore: true };
}

/** One store, and every way to ask it. */
export async function langChain(hasVectors: boolean): Promise<Entrance> {
  const store = new TriGraphStore(hasVectors ? EMBEDDINGS : undefined, { dimensions: DIMENSIONS, embedderId: "words" });
  const ids = new Map<string, string>();
  return {
    ways: waysInto(store),
    async upsert(passages) {
      for (const { id, document } of passages) ids.set(id, document);
      await store.addDocuments(passages.map(toDocument));
    },
    async delete(documents) {
      await store.delete({ ids: [...ids.keys()].filter((id) => documents.includes(ids.get(id)!)) });
    },
  };
}

function waysInto(vectorStore: TriGraphStore): WayIn[] {
  const asked = new TriGraphRetriever({ vectorStore, includeScore: true });
  const all = ["minScore", "maxTokens", "withNeighbours"] as const;
  const ofCall = ["minScore", "maxTokens"] as const;
  return [
    {
      name: "LangChain: a retriever",
      takes: all,
      find: async (search) => found(await retrieverFor(vectorStore, search).invoke(search.question)),
    },
    {
      name: "LangChain: a retriever, options of the call",
      takes: ofCall,
      find: async (search) => found(await asked.invoke(search.question, optionsOf(search))),
    },
    {
      name: "LangChain: a retriever, options in configurable, a function as the filter",
      takes: ofCall,
      async find(search) {
        const { k, minScore, maxTokens } = search;
        const configurable = { k, minScore, maxTokens, filter: predicateOf(search) };
        return found(await asked.withConfig({ configurable }).invoke(search.question));
      },
    },
    {
      name: "LangChain: a retriever over the store's index",
      takes: all,
      async find(search) {
        const index = await vectorStore.index();
        return found(await TriGraphRetriever.fromExistingIndex(index, optionsOf(search)).invoke(search.question));
      },
    },
    {
      name: "LangChain: similaritySearch",
      takes: [],
      find: async (search) => found(await vectorStore.similaritySearch(search.question, search.k, predicateOf(search))),
    },
    {
      name: "LangChain: similaritySearchWithScore",
      takes: [],
      async find(search) {
        const hits = await vectorStore.similaritySearchWithScore(search.question, search.k, filterOf(search));
        return hits.map(([document, score]) => ({ ...fromDocument(document), score }));
      },
    },
    {
      name: "LangChain: asRetriever",
      takes: [],
      async find(search) {
        const filter = predicateOf(search);
        return found(await vectorStore.asRetriever({ k: search.k, filter }).invoke(search.question));
      },
    },
    {
      name: "LangChain: the tool",
      takes: all,
      async find(search) {
        const tool = createTriGraphTool(retrieverFor(vectorStore, search));
        const call = { type: "tool_call", id: "1", name: tool.name, args: { question: search.question } } as const;
        return found(((await tool.invoke(call)) as ToolMessage).artifact as Document[]);
      },
    },
  ];
}

function retrieverFor(vectorStore: TriGraphStore, search: Search): TriGraphRetriever {
  return new TriGraphRetriever({ ...optionsOf(search), vectorStore });
}

function found(documents: readonly DocumentInterface[]): Found[] {
  return documents.map(fromDocument);
}
