/**
 * LlamaIndex.TS's index and retriever, as its documentation sets them up: one node a passage, not split.
 *
 * All of it is loaded as CommonJS. The ES module of @llamaindex/bm25-retriever 0.0.12 takes the module of okapibm25 for
 * its function, so every call fails in Node; its CommonJS build is right. Two copies of LlamaIndex, one of each kind,
 * would not know each other's classes.
 */
import { type Embedder, embeddedText, type Passage } from "@trigraph/core";
import { createRequire } from "node:module";
import type { Method } from "./method.js";
import { loadOptional } from "./optional.js";

type LlamaIndex = typeof import("llamaindex");
type Bm25Package = typeof import("@llamaindex/bm25-retriever");

const require = createRequire(import.meta.url);

export const llamaIndexVectors: Method = {
  name: "llamaindex-vectors",
  description: "LlamaIndex's VectorStoreIndex",
  embedder: "needed",
  async build(passages, { embedder }) {
    const llama = await loadLlamaIndex(this.name);
    const embedModel = embedModelOf(llama, embedder!);
    const nodes = nodesOf(llama, passages);
    const index = await llama.Settings.withEmbedModel(embedModel, () => llama.VectorStoreIndex.init({ nodes }));
    return {
      async retrieve(question, k) {
        const found = await index.asRetriever({ similarityTopK: k }).retrieve(question);
        return found.map(({ node }) => node.id_);
      },
    };
  },
};

/**
 * What has a meaning in a regular expression. okapibm25 makes one of each word of the question as it stands: "(2005"
 * throws, and "?" would match nothing it says.
 */
const PATTERN_SIGNS = /[\\^$.*+?()[\]{}|]/g;

export const llamaIndexBm25: Method = {
  name: "llamaindex-bm25",
  description: "LlamaIndex's Bm25Retriever, the question's signs of regular expressions replaced by spaces",
  embedder: "unused",
  async build(passages) {
    const llama = await loadLlamaIndex(this.name);
    const { Bm25Retriever } = await loadOptional(
      this.name,
      ["@llamaindex/bm25-retriever"],
      () => require("@llamaindex/bm25-retriever") as Bm25Package,
    );
    const docStore = new llama.SimpleDocumentStore();
    await docStore.addDocuments(nodesOf(llama, passages), true);
    return {
      async retrieve(question, k) {
        const query = question.replace(PATTERN_SIGNS, " ").trim();
        const found = await new Bm25Retriever({ docStore, topK: k }).retrieve({ query });
        return found.map(({ node }) => node.id_);
      },
    };
  },
};

function loadLlamaIndex(method: string): Promise<LlamaIndex> {
  return loadOptional(method, ["llamaindex"], () => require("llamaindex") as LlamaIndex);
}

function nodesOf({ TextNode }: LlamaIndex, passages: readonly Passage[]) {
  return passages.map((passage) => new TextNode({ id_: passage.id, text: embeddedText(passage) }));
}

/** The embedder as LlamaIndex's. It wants arrays of numbers. */
function embedModelOf({ BaseEmbedding }: LlamaIndex, embedder: Embedder) {
  const embedTexts = async (texts: readonly string[]) =>
    (await embedder.embedPassages(texts)).map((vector) => Array.from(vector));

  class SharedEmbedding extends BaseEmbedding {
    // The base class's is protected.
    constructor() {
      super();
    }

    override getTextEmbeddings = embedTexts;

    async getTextEmbedding(text: string): Promise<number[]> {
      return (await embedTexts([text]))[0];
    }

    override async getQueryEmbedding(query: { type: string; text?: string }): Promise<number[] | null> {
      return query.text === undefined ? null : Array.from(await embedder.embedQuery(query.text));
    }
  }
  return new SharedEmbedding();
}
