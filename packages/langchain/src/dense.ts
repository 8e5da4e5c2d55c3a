/** Another retriever or vector store as the source of similarity: its documents become the core's priors. */
import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import type { DocumentInterface } from "@langchain/core/documents";
import type { BaseRetrieverInterface } from "@langchain/core/retrievers";
import type { VectorStoreInterface } from "@langchain/core/vectorstores";
import {
  abortable,
  InvalidArgumentError,
  type Prior,
  show,
  type StoredPassage,
  toPredicate,
  type TriGraph,
} from "@trigraph/core";
import { DENSE_FETCH_GROWTH, DENSE_FETCH_LIMIT } from "./defaults.js";
import { type DocumentFilter, toPassageFilter } from "./filter.js";

/** What returns documents that carry, as `id`, the ids of the index's passages. */
export type DenseSource = BaseRetrieverInterface | VectorStoreInterface;

/** Says a filter in a vector store's own language; undefined where that cannot say it. */
export type DenseFilter = (filter: DocumentFilter) => VectorStoreInterface["FilterType"] | undefined;

/** What a source is asked. */
export interface DenseQuery {
  readonly question: string;
  readonly index: TriGraph;
  /** Documents that are wanted of a vector store. */
  readonly k: number;
  readonly filter: DocumentFilter | undefined;
  readonly denseFilter: DenseFilter | undefined;
  readonly runManager: CallbackManagerForRetrieverRun | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @throws InvalidArgumentError on a `denseFilter` that nothing would be asked with */
export function checkDenseFilter(source: DenseSource | undefined, denseFilter: unknown): void {
  if (denseFilter === undefined) return;
  if (typeof denseFilter !== "function") {
    throw new InvalidArgumentError(
      `TriGraphRetriever: expected denseFilter to be a function that says a filter as the vector store does, got ${show(denseFilter)}. Pass () => filter.`,
    );
  }
  if (source !== undefined && isVectorStore(source)) return;
  throw new InvalidArgumentError(
    `TriGraphRetriever: expected a vector store as the denseRetriever for denseFilter, got ${show(source)}. A retriever has a filter of its own.`,
  );
}

/**
 * The documents that the source brings and the filter lets through, each with weight 1 / rank among these: some stores'
 * scores are distances, others similarities, and nothing tells which.
 *
 * A vector store that is not told the filter may bring documents that it hides. It is then asked for more, until k are
 * left, it has no more, or `DENSE_FETCH_LIMIT` times k were asked for. A retriever is asked once.
 *
 * @throws InvalidArgumentError when documents have no ids, or none that the index knows
 */
export async function densePriors(source: DenseSource, query: DenseQuery): Promise<Prior[]> {
  const { index, k, filter, denseFilter } = query;
  const isVisible = toPredicate("TriGraphRetriever", toPassageFilter("TriGraphRetriever", filter)) ?? (() => true);
  const priorsOf = (documents: readonly DocumentInterface[]) => toPriors(documents, index, isVisible);
  if (!isVectorStore(source)) return priorsOf(await ask(source, query));
  const native = filter && denseFilter?.(filter);
  const limit = filter === undefined || native !== undefined ? k : k * DENSE_FETCH_LIMIT;
  for (let asked = k; ; asked *= DENSE_FETCH_GROWTH) {
    const documents = await ask(source.asRetriever(asked, native), query);
    const priors = priorsOf(documents);
    if (priors.length >= k || documents.length < asked || asked >= limit) return priors.slice(0, k);
  }
}

function isVectorStore(source: DenseSource): source is VectorStoreInterface {
  return "asRetriever" in source;
}

function ask(
  retriever: BaseRetrieverInterface,
  { question, runManager, signal }: DenseQuery,
): Promise<DocumentInterface[]> {
  signal?.throwIfAborted();
  const callbacks = runManager?.getChild("dense");
  const config = { ...(callbacks && { callbacks }), ...(signal && { signal }) };
  // Left when it is aborted, whether or not the source heeds the signal.
  return abortable(retriever.invoke(question, config), signal);
}

function toPriors(
  documents: readonly DocumentInterface[],
  index: TriGraph,
  isVisible: (passage: StoredPassage) => boolean,
): Prior[] {
  const ids = documents.map(requireId);
  const passages = ids.flatMap((id) => index.get(id) ?? []);
  if (ids.length > 0 && passages.length === 0) {
    throw new InvalidArgumentError(
      `denseRetriever: expected ids of the index's passages, got ${show(ids[0])} and others that it does not hold. Add the documents to both with the same ids.`,
    );
  }
  return passages.filter(isVisible).map(({ id }, i) => ({ id, score: 1 / (i + 1) }));
}

function requireId(document: DocumentInterface): string {
  if (typeof document.id === "string" && document.id !== "") return document.id;
  throw new InvalidArgumentError(
    `denseRetriever: expected documents with the ids of the index's passages, got one without: ${show(document.pageContent)}.`,
  );
}
