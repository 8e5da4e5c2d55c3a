/** Another retriever or vector store as the source of similarity: its documents become the core's priors. */
import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import type { DocumentInterface } from "@langchain/core/documents";
import type { BaseRetrieverInterface } from "@langchain/core/retrievers";
import { AsyncCaller } from "@langchain/core/utils/async_caller";
import type { VectorStoreInterface } from "@langchain/core/vectorstores";
import { InvalidArgumentError, type Prior, type TriGraph, show } from "@trigraph/core";

/** What returns documents that carry, as `id`, the ids of the index's passages. */
export type DenseSource = BaseRetrieverInterface | VectorStoreInterface;

/** Leaves a call that was aborted, whether or not the source heeds the signal; retrying is the source's to decide. */
const caller = new AsyncCaller({ maxRetries: 0 });

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
  const documents = await invoke(retriever, query, runManager, signal);
  const priors = documents.map((document, i) => ({ id: requireId(document), score: 1 / (i + 1) }));
  if (priors.length > 0 && priors.every(({ id }) => index.get(id) === undefined)) {
    throw new InvalidArgumentError(
      `denseRetriever: expected ids of the index's passages, got ${show(priors[0].id)} and others that it does not hold. Add the documents to both with the same ids.`,
    );
  }
  return priors;
}

async function invoke(
  retriever: BaseRetrieverInterface,
  query: string,
  runManager: CallbackManagerForRetrieverRun | undefined,
  signal: AbortSignal | undefined,
): Promise<DocumentInterface[]> {
  const callbacks = runManager?.getChild("dense");
  const config = { ...(callbacks && { callbacks }), ...(signal && { signal }) };
  signal?.throwIfAborted();
  try {
    return await caller.callWithOptions(signal ? { signal } : {}, () => retriever.invoke(query, config));
  } catch (error) {
    // The signal's own reason, which the caller wraps.
    signal?.throwIfAborted();
    throw error;
  }
}

function requireId(document: DocumentInterface): string {
  if (typeof document.id === "string" && document.id !== "") return document.id;
  throw new InvalidArgumentError(
    `denseRetriever: expected documents with the ids of the index's passages, got one without: ${show(document.pageContent)}.`,
  );
}
