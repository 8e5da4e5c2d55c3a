export { TransformersAnalyzer, type TransformersAnalyzerOptions } from "./analyzer.js";
export { TransformersEmbedder, type TransformersEmbedderOptions } from "./embedder.js";
export { ModelError } from "./errors.js";
export type { ModelOptions, ModelProgress } from "./options.js";
export { CrossEncoderReranker, type RerankedPassage, type RerankOptions, type ScoreOptions } from "./reranker.js";
