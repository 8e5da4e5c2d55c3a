export type { TriGraphCallOptions } from "./call-options.js";
export type { DenseFilter, DenseSource } from "./dense.js";
export { langChainEmbedder, type LangChainEmbedderOptions } from "./embedder.js";
export type { DocumentFilter } from "./filter.js";
export {
  TriGraphRetriever,
  type FromIndexOptions,
  type FromTextsOptions,
  type TriGraphRetrieverInput,
  type TriGraphRetrieverOptions,
} from "./retriever.js";
export {
  TriGraphStore,
  type AddOptions,
  type DeleteOptions,
  type ExistingIndexOptions,
  type LoadOptions,
  type TriGraphStoreOptions,
} from "./store.js";
export { createTriGraphTool, type TriGraphToolOptions } from "./tool.js";
