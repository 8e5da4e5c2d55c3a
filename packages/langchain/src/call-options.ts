import type { RunnableConfig } from "@langchain/core/runnables";
import type { DocumentFilter } from "./filter.js";

/** What limits a result. */
export interface SearchOptions {
  /** Documents to return, an integer of at least 1. Default 5. */
  readonly k?: number | undefined;
  readonly filter?: DocumentFilter | undefined;
  /** Leave out what scores less. Scores of two questions cannot be compared. Default 0. */
  readonly minScore?: number | undefined;
  /** Tokens that all texts together may have: the result ends before the first one that does not fit. Default unlimited. */
  readonly maxTokens?: number | undefined;
  /** Tokens of a text, as `maxTokens` counts them. Default: a token for every four characters. */
  readonly countTokens?: ((text: string) => number) | undefined;
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
