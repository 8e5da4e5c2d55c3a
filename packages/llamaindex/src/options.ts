import type { BaseEmbedding } from "@llamaindex/core/embeddings";
import type { BaseRetriever } from "@llamaindex/core/retriever";
import type { BaseVectorStore, MetadataFilters } from "@llamaindex/core/vector-store";
import type { Logger } from "@llamaindex/env";
import type { Budget, CallOptions, OpenOptions, TriGraphOptions } from "@trigraph/core";

/** How nodes are read. */
export interface NodeOptions {
  /**
   * Metadata key whose value is the passage's title: what the passage is about, an entity that it defines. Chunks of
   * one document share it. `false`: no titles. Default `"title"`.
   */
  readonly titleKey?: string | false | undefined;
}

/** What of a node is embedded: title and text as the core does, or all that `MetadataMode.EMBED` shows. */
export type EmbedText = "passage" | "node";

/** Where vectors come from. Without a model words and the graph answer alone. */
export interface EmbeddingOptions {
  /** Embeds nodes and questions. `"settings"`: LlamaIndex's `Settings.embedModel`. */
  readonly embedModel?: BaseEmbedding | "settings" | undefined;
  /** Names the model; kept with the index and checked when it is opened. Default: the model's own `model`. */
  readonly embedModelId?: string | undefined;
  /** Length of the vectors. Default: what the model says of itself, or the length of a first vector. */
  readonly embedDimensions?: number | undefined;
  /**
   * What a node is embedded as: `"passage"`, its title and text, as the core does; or `"node"`, what
   * `MetadataMode.EMBED` shows, with all metadata that the node does not exclude, as a `VectorStoreIndex` and an
   * `IngestionPipeline` do. Default `"passage"`.
   */
  readonly embedText?: EmbedText | undefined;
}

/** What a retrieval brings. */
export interface QueryOptions extends Budget {
  /** How many nodes, before neighbours; at least 1. Default 5. */
  readonly topK?: number | undefined;
  /** Nodes that may be seen. They are hidden before anything is ranked: nothing passes through the others. */
  readonly filters?: MetadataFilters | undefined;
  /**
   * Nodes before and after each hit, by their relationships, that come with it: in reading order, with the hit's
   * score. A side ends at the first that the filters hide or that does not fit. More of them give context and cost
   * tokens. Default 0.
   */
  readonly withNeighbours?: number | undefined;
  /**
   * Another retriever or vector store of the same nodes, whose best `denseTopK` the graph starts from as well. It takes
   * the place of an `embedModel`: nothing is embedded or stored twice. A vector store is asked with the same `filters`;
   * a retriever has filters of its own: give it the same, or these may leave little of what it brings.
   */
  readonly denseRetriever?: BaseRetriever | BaseVectorStore | undefined;
  /** Asked of a vector store given as `denseRetriever`; at least 1. A retriever has a number of its own. Default 30. */
  readonly denseTopK?: number | undefined;
  /** Warned when the `denseRetriever` brings nodes and the index holds none of them. Default: LlamaIndex's `consoleLogger`. */
  readonly logger?: Logger | undefined;
}

/** A retriever over an index that is there. A signal ends what it retrieves, with the signal's reason. */
export interface RetrieverOptions extends QueryOptions, CallOptions {}

/** How an index is made. */
export interface IndexOptions
  extends NodeOptions, EmbeddingOptions, QueryOptions, Pick<TriGraphOptions, "analyzer" | "preset" | "ranking"> {}

/** How an index is opened. */
export interface PersistedOptions extends IndexOptions, Pick<OpenOptions, "readOnly"> {}

const QUERY_OPTIONS = [
  "topK",
  "filters",
  "minScore",
  "maxTokens",
  "countTokens",
  "withNeighbours",
  "denseRetriever",
  "denseTopK",
  "logger",
];
export const RETRIEVER_OPTIONS = [...QUERY_OPTIONS, "signal"];
export const INDEX_OPTIONS = [
  "titleKey",
  "embedModel",
  "embedModelId",
  "embedDimensions",
  "embedText",
  ...QUERY_OPTIONS,
  "analyzer",
  "preset",
  "ranking",
];
