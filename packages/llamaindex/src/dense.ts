/** Other retrievers' scores as the core's priors. */
import type { QueryBundle } from "@llamaindex/core/query-engine";
import type { BaseRetriever } from "@llamaindex/core/retriever";
import { extractText } from "@llamaindex/core/utils";
import { type BaseVectorStore, type MetadataFilters, VectorStoreQueryMode } from "@llamaindex/core/vector-store";
import { type Prior, abortable } from "@trigraph/core";
import { attempt, embedQuestion } from "./embedder.js";
import { DEFAULT_NODE_SCORE } from "./defaults.js";

const MODEL = "retrieve: denseRetriever: expected its embedModel";

/** A node's id and what another retriever gave it. */
export interface ScoredId {
  readonly id: string;
  readonly score: number | undefined;
}

/**
 * Priors of scored nodes. A score of 0 or less says that a node is not relevant, so it is no prior; a node without a
 * score has the one that LlamaIndex's retrievers take it to have.
 */
export function toPriors(scored: readonly ScoredId[]): Prior[] {
  return scored.map(({ id, score = DEFAULT_NODE_SCORE }) => ({ id, score })).filter(({ score }) => !(score <= 0));
}

/** What the dense source brings for a question. */
export async function denseHits(
  source: BaseRetriever | BaseVectorStore,
  bundle: QueryBundle,
  topK: number,
  filters: MetadataFilters | undefined,
  signal: AbortSignal | undefined,
): Promise<ScoredId[]> {
  signal?.throwIfAborted();
  // Not by class: there may be several copies of LlamaIndex.
  if ("retrieve" in source) {
    const nodes = await abortable(source.retrieve(bundle), signal);
    return nodes.map(({ node, score }) => ({ id: node.id_, score }));
  }
  const text = extractText(bundle.query);
  const queryEmbedding =
    bundle.embeddings ?? (await attempt("retrieve", signal, () => embedQuestion(MODEL, source.embedModel, text)));
  const query = {
    queryStr: text,
    queryEmbedding,
    similarityTopK: topK,
    mode: VectorStoreQueryMode.DEFAULT,
    filters,
  };
  const { ids, similarities } = await abortable(source.query(query), signal);
  return ids.map((id, i) => ({ id, score: similarities[i] }));
}
