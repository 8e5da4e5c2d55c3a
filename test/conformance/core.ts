import { type Embedder, type Passage, type RetrievedPassage, TriGraph } from "@trigraph/core";
import { DIMENSIONS, type Entrance, type Fed, type Search, vectorOf } from "./world.js";

const EMBEDDER: Embedder = {
  id: "words",
  dimensions: DIMENSIONS,
  embedPassages: async (texts) => texts.map(vectorOf),
  embedQuery: async (text) => vectorOf(text),
};

export const toPassage = ({ id, title, text, kind }: Fed): Passage => ({ id, title, text, metadata: { kind } });

const fromHit = ({ passage: { id, text }, score }: RetrievedPassage) => ({ id, text, score });

/** The core itself: all others are compared with it. */
export async function core(hasVectors: boolean): Promise<Entrance & { readonly index: TriGraph }> {
  const index = await TriGraph.create(hasVectors ? { embedder: EMBEDDER } : {});
  /** The ids of each document's passages. */
  const documents = new Map<string, Set<string>>();
  return {
    index,
    ways: [
      {
        name: "TriGraph.retrieve",
        takes: ["minScore", "maxTokens"],
        async find({ question, kind, k, minScore, maxTokens }: Search) {
          const filter = kind === undefined ? undefined : { kind };
          return (await index.retrieve(question, { k, filter, minScore, maxTokens })).map(fromHit);
        },
      },
    ],
    async upsert(passages) {
      for (const { id, document } of passages) {
        documents.set(document, (documents.get(document) ?? new Set()).add(id));
      }
      await index.upsert(passages.map(toPassage));
    },
    async delete(gone) {
      await index.delete(gone.flatMap((document) => [...(documents.get(document) ?? [])]));
    },
  };
}
