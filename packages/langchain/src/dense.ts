/** Another retriever or vector store as the source of similarity: its documents become the core's priors. */
import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import type { DocumentInterface } from "@langchain/core/documents";
import type { BaseRetrieverInterface } from "@langchain/core/retrievers";
import type { VectorStoreInterface } from "@langchain/core/vectorstores";
import { abortable, InvalidArgumentError, type Prior, type TriGraph, show } from "@trigraph/core";

/** What returns documents that carry, as `id`, the ids of the index's passages. */
export type DenseSource = BaseRetrieverInterface | VectorStoreInterface;

/** @param k documents to ask of a vector store; a retriever has its own */
export function toRetriever(source: DenseSource, k: number): BaseRetrieverInterface {
  return "asRetriever" in source ? source.asRetriever(k) : source;
}

/**
 * The source's documents, each with weight 1 / rank: some stores' scores are distances, others similarities, and
 * nothing tells which.
 *
 * @throws InvalidArgumentError when documents have no ids, or none that the index knows
 */
export async function densePriors(
  retriever: BaseRetrieverInterface,
  index: TriGraph,
  query: string,
  runManager: CallbackManagerForRetrieverRun | undefined,
  signal: AbortSignal | undefined,
): Promise<Prior[]> {
  signal?.throwIfAborted();
  const callbacks = runManager?.getChild("dense");
  const config = { ...(callbacks && { callbacks }), ...(signal && { signal }) };
  // Left when it is aborted, whether or not the source heeds the signal.
  const documents = await abortable(retriever.invoke(query, config), signal);
  const priors = documents.map((document, i) => ({ id: requireId(document), score: 1 / (i + 1) }));
  if (priors.length > 0 && priors.every(({ id }) => index.get(id) === undefined)) {
    throw new InvalidArgumentError(
      `denseRetriever: expected ids of the index's passages, got ${show(priors[0].id)} and others that it does not hold. Add the documents to both with the same ids.`,
    );
  }
  return priors;
}

function requireId(document: DocumentInterface): string {
  if (typeof document.id === "string" && document.id !== "") return document.id;
  throw new InvalidArgumentError(
    `denseRetriever: expected documents with the ids of the index's passages, got one without: ${show(document.pageContent)}.`,
  );
}
