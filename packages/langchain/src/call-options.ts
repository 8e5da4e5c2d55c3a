import type { RunnableConfig } from "@langchain/core/runnables";
import type { Budget } from "@trigraph/core";
import type { DocumentFilter } from "./filter.js";

/** What limits a result. */
export interface SearchOptions extends Budget {
  /** Documents to return, an integer of at least 1. Default 5. */
  readonly k?: number | undefined;
  readonly filter?: DocumentFilter | undefined;
}

/**
 * Options of one call of a retriever: LangChain's, and what differs from the constructor's. The latter may stand
 * beside LangChain's or in `configurable`; where both do, the former counts.
 */
export type TriGraphCallOptions = Partial<RunnableConfig> & SearchOptions;

const NAMES = [
  "k",
  "filter",
  "minScore",
  "maxTokens",
  "countTokens",
] as const satisfies readonly (keyof SearchOptions)[];

/** The options that the call sets, unchecked: the core checks them. */
export function readCallOptions(config: TriGraphCallOptions): SearchOptions {
  const configurable = (config.configurable ?? {}) as SearchOptions;
  const entries = NAMES.map((name) => [name, config[name] === undefined ? configurable[name] : config[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
