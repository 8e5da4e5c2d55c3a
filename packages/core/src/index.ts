export { abortable } from "./abort.js";
export { DEFAULT_RANKING, PRESETS, type PresetName, type RankingOptions } from "./defaults.js";
export type { SegmentVectors, VectorIndex, VectorIndexer } from "./dense/vector-index.js";
export { cachedEmbedder, MemoryVectorCache, type CachedVector, type VectorCache } from "./dense/vector-cache.js";
export { embeddedText } from "./dense/passage-text.js";
export type { ByteRange, Directory, LockHolder } from "./directory/directory.js";
export type { Checksum } from "./directory/checksum.js";
export { MemoryDirectory } from "./directory/memory.js";
export {
  ClosedError,
  EmbeddingError,
  IndexError,
  InvalidArgumentError,
  TriGraphError,
  type TriGraphErrorCode,
  WorkerError,
} from "./errors.js";
export { FUSION_CONTEXT, FUSION_FEATURES, type FusionContext, type FusionFeature } from "./fusion/features.js";
export type { PoolSizes } from "./fusion/candidates.js";
export type { ContextScale, FeatureShare, FeatureWeights, FusionModel, FusionWeights, Range } from "./fusion/model.js";
export type { IndexingWorkers } from "./index/workers.js";
export { withoutUndefined } from "./metadata.js";
export { estimateTokens, type Budget } from "./retrieve/budget.js";
export { withNeighbours, type Neighbours } from "./retrieve/neighbours.js";
export type { TextArrays, TitledText } from "./segment/text-arrays.js";
export type {
  Analyzer,
  AsyncTextAnalyzer,
  EntityMention,
  Span,
  TermSpan,
  TextAnalysis,
  TextAnalyzer,
  Token,
  UntaggedAnalysis,
} from "./text/analyzer.js";
export { EnglishAnalyzer } from "./text/english-analyzer.js";
export { stableKey } from "./text/keys.js";
export { analyzeUntagged, tokenize } from "./text/analyzer.js";
export { normalizeName } from "./text/names.js";
export { TriGraph, type OpenOptions, type TriGraphOptions } from "./trigraph.js";
export type {
  CallOptions,
  CandidateOptions,
  CandidatePool,
  CheckFinding,
  DeleteReport,
  Embedder,
  VectorPrecision,
  EntityPlace,
  EntitySeed,
  Evidence,
  EvidenceArrival,
  EvidenceStep,
  FusionEvidence,
  GraphEntity,
  GraphEvidence,
  GraphPassage,
  IndexStats,
  JsonValue,
  LongCallOptions,
  Metadata,
  NearestOptions,
  Passage,
  PassageFilter,
  PassageSeed,
  PassageStep,
  Prior,
  Progress,
  RetrievedPassage,
  ReembedOptions,
  RetrieveOptions,
  RetrieveStage,
  RetrieveTrace,
  SentenceEvidence,
  SentenceStep,
  SimilarityEvidence,
  StageScores,
  StoredPassage,
  UpsertOptions,
  UpsertReport,
} from "./types.js";
export { checkNames, show, toPredicate } from "./validate.js";
