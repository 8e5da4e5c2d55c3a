export { llamaIndexEmbedder, type EmbedderOptions } from "./embedder.js";
export { contentId, nodesFromDocuments, type DocumentOptions } from "./documents.js";
export type {
  EmbeddingOptions,
  EmbedText,
  IndexOptions,
  NodeOptions,
  PersistedOptions,
  QueryOptions,
  RetrieverOptions,
} from "./options.js";
export { TriGraphPostprocessor, type JudgedNode, type TriGraphPostprocessorOptions } from "./postprocessor.js";
export { TriGraphRetriever, type QueryEngineOptions, type TriGraphQuery } from "./retriever.js";
export { createTriGraphTool, type RetrievedText, type TriGraphToolOptions } from "./tool.js";
export { TriGraphVectorStore, type TriGraphQueryParams, type TriGraphVectorStoreOptions } from "./vector-store.js";
