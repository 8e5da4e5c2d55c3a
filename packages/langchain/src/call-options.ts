import type { RunnableConfig } from "@langchain/core/runnables";
import type { Budget } from "@trigraph/core";
import type { DenseFilter } from "./dense.js";
import type { DocumentFilter } from "./filter.js";

/** What limits a result. */
export interface SearchOptions extends Budget {
  /** Documents to return, an integer of at least 1. Default 5. */
  readonly k?: number | undefined;
  readonly filter?: DocumentFilter | undefined;
  /**
   * Says `filter` in the language of the vector store that is the `denseRetriever`, as in `(filter) => filter` for one
   * that takes the same, or `() => ({ year: { $lt: 1950 } })`; undefined where that cannot say it. Without it the store
   * is asked for more documents, and those that `filter` hides are dropped: up to 64 times `denseK`.
   */
  readonly denseFilter?: DenseFilter | undefined;
}

/**
 * Options of one call of a retriever: LangChain's, and what differs from the constructor's. The latter may stand
 * beside LangChain's or in `configurable`; where both do, the former counts.
 */
export type TriGraphCallOptions = Partial<RunnableConfig> & SearchOptions;

const NAMES = [
  "k",
  "filter",
  "denseFilter",
  "minScore",
  "maxTokens",
  "countTokens",
] as const satisfies readonly (keyof SearchOptions)[];

/** What a retriever keeps of a call under way: as its member `call`, on the object that is made for it. */
export interface TriGraphCall extends SearchOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The options that the call sets, unchecked: the core checks them. */
export function readCallOptions(config: TriGraphCallOptions): SearchOptions {
  const configurable = (config.configurable ?? {}) as SearchOptions;
  const entries = NAMES.map((name) => [name, config[name] === undefined ? configurable[name] : config[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The retriever as it is for one call. Calls at the same time do not see each other's, and each is itself in all else. */
export function forCall<R extends object>(retriever: R, call: TriGraphCall): R {
  return Object.create(retriever, { call: { value: call } }) as R;
}
