import { BaseEmbedding } from "@llamaindex/core/embeddings";
import { Settings } from "@llamaindex/core/global";
import { RetrieverQueryEngine } from "@llamaindex/core/query-engine";
import type { BaseSynthesizer } from "@llamaindex/core/response-synthesizers";
import { NodeRelationship, type NodeWithScore, TextNode } from "@llamaindex/core/schema";
import { type MetadataFilters, VectorStoreQueryMode } from "@llamaindex/core/vector-store";
import { TriGraph } from "@trigraph/core";
import { createTriGraphTool, type IndexOptions, TriGraphRetriever, TriGraphVectorStore } from "@trigraph/llamaindex";
import { VectorStoreIndex } from "llamaindex";
import { DIMENSIONS, type Entrance, type Fed, type Found, type Search, vectorOf, type WayIn } from "./world.js";

class WordEmbedding extends BaseEmbedding {
  readonly model = "words";
  readonly dimensions = DIMENSIONS;

  constructor() {
    super();
  }

  async getTextEmbedding(text: string): Promise<number[]> {
    return vectorOf(text);
  }
}

const related = (nodeId: string) => ({ nodeId, metadata: { title: "", kind: "" } });

/** A `VectorStoreIndex` over the store: it takes the model from LlamaIndex's settings, even where the store has one. */
function indexOver(store: TriGraphVectorStore): Promise<VectorStoreIndex> {
  return Settings.withEmbedModel(new WordEmbedding(), () => VectorStoreIndex.fromVectorStore(store));
}

/** Asked for nothing: what is compared is what would be put before a model. */
const NO_SYNTHESIZER = {} as BaseSynthesizer;

/** The passages as nodes, each linked to the document and to its neighbours in it. */
export function toNodes(passages: readonly Fed[], all: readonly Fed[]): TextNode<Fields>[] {
  const at = new Map(all.map(({ id }, i) => [id, i]));
  return passages.map(({ id, title, text, kind, document }) => {
    const node = new TextNode<Fields>({
      id_: id,
      text,
      metadata: { title, kind },
      excludedEmbedMetadataKeys: ["kind"],
    });
    const relate = (relationship: NodeRelationship, other: Fed | undefined) => {
      if (other?.document === document) node.relationships[relationship] = related(other.id);
    };
    node.relationships[NodeRelationship.SOURCE] = related(document);
    relate(NodeRelationship.PREVIOUS, all[at.get(id)! - 1]);
    relate(NodeRelationship.NEXT, all[at.get(id)! + 1]);
    return node;
  });
}

type Fields = { title: string; kind: string };

function filtersOf({ kind }: Search): MetadataFilters | undefined {
  return kind === undefined ? undefined : { filters: [{ key: "kind", operator: "==", value: kind }] };
}

function optionsOf(search: Search): IndexOptions {
  const { question: _, kind: __, k: topK, ...limits } = search;
  return { ...limits, topK, filters: filtersOf(search) };
}

/** Nodes that a retriever was given. */
export async function llamaIndex(hasVectors: boolean, all: readonly Fed[]): Promise<Entrance> {
  const retriever = await TriGraphRetriever.fromNodes([], hasVectors ? { embedModel: new WordEmbedding() } : {});
  return {
    ways: await waysInto(retriever, new TriGraphVectorStore({ index: retriever.index }), hasVectors),
    async upsert(passages) {
      await retriever.insertNodes(toNodes(passages, all));
    },
    async delete(documents) {
      for (const document of documents) await retriever.deleteRefDoc(document);
    },
  };
}

/** Nodes that a `VectorStoreIndex` of LlamaIndex embedded and put into the store. */
export async function llamaIndexStore(all: readonly Fed[]): Promise<Entrance> {
  const embedModel = new WordEmbedding();
  const store = new TriGraphVectorStore({ index: await TriGraph.create(), embedModel });
  const index = await indexOver(store);
  const retriever = await TriGraphRetriever.fromExistingIndex(store.client(), { embedModel });
  return {
    ways: await waysInto(retriever, store, true),
    async upsert(passages) {
      await index.insertNodes(toNodes(passages, all));
    },
    async delete(documents) {
      for (const document of documents) await index.deleteRefDoc(document, false);
    },
  };
}

async function waysInto(
  retriever: TriGraphRetriever,
  vectorStore: TriGraphVectorStore,
  hasVectors: boolean,
): Promise<WayIn[]> {
  const all = ["minScore", "maxTokens", "withNeighbours"] as const;
  const ways: WayIn[] = [
    {
      name: "LlamaIndex: a retriever",
      takes: all,
      find: async (search) => found(await retriever.asRetriever(optionsOf(search)).retrieve(search.question)),
    },
    {
      name: "LlamaIndex: a query engine's retrieval",
      takes: all,
      async find(search) {
        const engine = new RetrieverQueryEngine(retriever.asRetriever(optionsOf(search)), NO_SYNTHESIZER);
        return found(await engine.retrieve({ query: search.question }));
      },
    },
    {
      name: "LlamaIndex: the tool",
      takes: all,
      async find(search) {
        const tool = createTriGraphTool({ retriever: retriever.asRetriever(optionsOf(search)) });
        const texts = await tool.call({ query: search.question });
        // A model is shown the title and the kind as well.
        return texts.map(({ id, text }) => ({ id, text: text.slice(text.indexOf("\n\n") + 2) }));
      },
    },
    {
      name: "LlamaIndex: the vector store",
      takes: ["minScore", "maxTokens"],
      async find(search) {
        const { question, k, minScore, maxTokens } = search;
        const { nodes, similarities } = await vectorStore.query({
          queryStr: question,
          ...(hasVectors && { queryEmbedding: vectorOf(question) }),
          similarityTopK: k,
          mode: VectorStoreQueryMode.DEFAULT,
          filters: filtersOf(search),
          customParams: { minScore, maxTokens },
        });
        return found(nodes!.map((node, i) => ({ node, score: similarities[i] })));
      },
    },
  ];
  if (!hasVectors) return ways;
  // LlamaIndex asks a store nothing before it has embedded the question.
  const index = await indexOver(vectorStore);
  ways.push({
    name: "LlamaIndex: a VectorStoreIndex's retriever",
    takes: ["minScore", "maxTokens"],
    async find(search) {
      const { k: similarityTopK, minScore, maxTokens } = search;
      const filters = filtersOf(search);
      const customParams = { minScore, maxTokens };
      const own = index.asRetriever({ similarityTopK, customParams, ...(filters && { filters }) });
      return found(await own.retrieve(search.question));
    },
  });
  return ways;
}

function found(nodes: readonly NodeWithScore[]): Found[] {
  return nodes.map(({ node, score }) => ({ id: node.id_, text: (node as TextNode).text, score }));
}
