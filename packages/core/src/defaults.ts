import type { ActivationOptions } from "./activation/activate.js";
import { DEFAULT_FUSION } from "./fusion/default-model.js";
import type { FusionModel } from "./fusion/model.js";
import type { Bm25Parameters } from "./lexical/bm25.js";
import type { ResetOptions } from "./pagerank/reset.js";
import type { NgramSeedOptions } from "./seeds/ngrams.js";
import type { VectorPrecision } from "./types.js";
import type { SimilarSeedOptions } from "./seeds/similar-names.js";

/** How questions are answered. Every default stands in `DEFAULT_RANKING` with its reason. */
export interface RankingOptions
  extends ActivationOptions, ResetOptions, NgramSeedOptions, SimilarSeedOptions, Bm25Parameters {
  /**
   * Where seeds come from: names in the question, the mentions its analysis finds, or the second where the first finds
   * nothing. With `"none"` the graph has only priors to start from; without any similarity alone ranks: plain BM25 or vector search.
   */
  readonly seeds: "names" | "mentions" | "both" | "none";
  /**
   * What sim(q, p) is: BM25, the cosine of vectors, or the mean of both. sim(q, s) is shared words, but for `"dense"`:
   * there it is the passage's cosine. `"auto"` is `"hybrid"` when the question has a vector, else `"lexical"`.
   */
  readonly similarity: "auto" | "lexical" | "dense" | "hybrid";
  /** L, in tokens: a sentence this long counts half as relevant as its words alone make it. */
  readonly sentenceLengthScale: number;
  /** Passages by each similarity that stage 2 gives reset mass for it. */
  readonly candidates: number;
  /** `"none"` is the paper's ablation without entity activation: the seeds alone. */
  readonly activation: "spread" | "none";
  /** `"reset"` is the paper's ablation without global importance: passages ranked by equation 7. */
  readonly importance: "pagerank" | "reset";
  /** Stage 2's solver. `"exact"` solves over the whole graph, for comparison. */
  readonly solver: "push" | "exact";
  /** d: share of the mass that goes on from a node, in (0, 1). Raising it reaches further and costs more. */
  readonly damping: number;
  /** Stage 3: the model that re-orders the best passages of graph, words and vectors; `"none"` ranks by stage 2. With `seeds: "none"` there is nothing to fuse. */
  readonly fusion: FusionModel | "none";
  /** ε of the local push. Lowering it costs edges in proportion. */
  readonly epsilon: number;
  /** Where the exact solver stops: absolute change of all scores together. */
  readonly tolerance: number;
}

/** Measured on the development questions (DESIGN.md, "Settings"), without an embedder unless said otherwise. */
export const DEFAULT_RANKING: RankingOptions = {
  // Names first: they find nearly everything. Mentions catch names with one word misspelt, where no name is found.
  seeds: "both",
  // Longer titles exist, but hardly a question names them in full.
  maxNameTokens: 12,
  // 0.25 %: 15 passages of 6,000, 75 of 30,000. Commoner words are plain words more often than names.
  maxSeedShare: 0.0025,
  // In a small corpus everything is rare.
  minSeedPassages: 10,
  // "Green" the colour is rarely Green the name: 2 to 5 points of recall@2 where questions are worded freely.
  minNameUse: 0.35,
  // Below this, different names meet: "John Smith" and "John Smythe" are at 0.75.
  minNameSimilarity: 0.7,
  maxWordPassages: 200,
  similarity: "auto",
  // Long sentences say more, but less of it is about the question; 10 to 20 serve alike.
  sentenceLengthScale: 15,
  propagation: "top-sentences",
  hops: 3,
  // Low enough for a third hop: σ is around 0.3 a hop.
  activationThreshold: 0.05,
  // One sentence an entity: a second one costs 1 to 3 points of recall@2 (it is rarely the question's).
  sentencesPerEntity: 1,
  // Against all words: 1 to 3 points of recall@5 on three sets of four, and chains of three hops are found at all.
  sentenceWords: "open",
  // Reading every sentence of commoner entities costs time and brings nothing, at 6,000 and 30,000 passages alike.
  hubDegree: 100,
  // What words find first. More of them cost time, and change no recall by more than half a point.
  candidates: 30,
  activation: "spread",
  // No value serves all corpora: smaller ones serve encyclopedic texts, larger ones prose.
  similarityWeight: 0.15,
  passageWeight: 0.05,
  specificity: 0.5,
  // A passage's title says what it is about: 12 to 15 points of recall@5 over a plain mention.
  definitionWeight: 16,
  priorShare: 0.5,
  importance: "pagerank",
  solver: "push",
  damping: 0.65,
  // 1,500 edges a question at any corpus size; thirty times smaller changes no recall by more than half a point.
  epsilon: 1e-4,
  tolerance: 1e-10,
  // 3 to 14 points of recall@2 on every set, and what keeps prose from being harmed by the graph (DESIGN.md, "Stage 3").
  fusion: DEFAULT_FUSION,
  // The usual values (Robertson, Zaragoza 2009).
  k1: 1.2,
  b: 0.75,
};

/** What LinearRAG's authors publish. Of this library's departures σ stays, and how similar names are looked for. */
const PAPER: RankingOptions = {
  ...DEFAULT_RANKING,
  sentenceWords: "all",
  seeds: "mentions",
  // The nearest entity that shares a word counts, however far.
  minNameSimilarity: Number.MIN_VALUE,
  hubDegree: Infinity,
  candidates: Infinity,
  specificity: 0,
  definitionWeight: 0,
  fusion: "none",
  damping: 0.5,
  passageWeight: 0.05,
};

/** Named settings: this library's, and those published for each data set (LinearRAG, appendix). */
export const PRESETS = {
  default: DEFAULT_RANKING,
  "paper-2wiki": { ...PAPER, hops: 3, similarityWeight: 0.05, activationThreshold: 0.4, sentencesPerEntity: 1 },
  "paper-hotpotqa": { ...PAPER, hops: 3, similarityWeight: 0.05, activationThreshold: 0.4, sentencesPerEntity: 1 },
  "paper-musique": { ...PAPER, hops: 5, similarityWeight: 2, activationThreshold: 0.1, sentencesPerEntity: 4 },
  "paper-medical": { ...PAPER, hops: 3, similarityWeight: 1.5, activationThreshold: 0.5, sentencesPerEntity: 1 },
} as const satisfies Record<string, RankingOptions>;

/** Names of `PRESETS`. */
export type PresetName = keyof typeof PRESETS;

/** Passages that `retrieve` returns unless told otherwise: what the paper returns. */
export const DEFAULT_K = 5;

/** Of a language model's tokenizer on English text, for a budget where nobody counts. */
export const DEFAULT_CHARACTERS_PER_TOKEN = 4;

/** Tokens after which an upsert freezes a segment: some 25,000 short passages, a few hundred megabytes of work. */
export const SEGMENT_TOKENS = 2_000_000;

/** Segments of one size class that are merged into one. Fewer make writing dearer, more make reading dearer. */
export const MERGE_FACTOR = 8;
/** Merges of at most so many tokens are done by the write that makes them due: some ten milliseconds. Others run in the background. */
export const SMALL_MERGE_TOKENS = 160_000;
/** From so many segments on a write does large merges itself, before it adds more. Some 30 are usual at a million passages. */
export const MAX_SEGMENTS = 64;
/** Segments smaller than this, in tokens, are one size class. */
export const SMALLEST_TIER_TOKENS = 20_000;
/** So many dead passages of a segment stand in the manifest, which every commit writes anew: about 2 KB. More have a file. */
export const MAX_INLINE_DEAD = 256;
/** What was given is what is compared. `"int8"` is a quarter of the bytes and several times faster (DESIGN.md, "Vectors"). */
export const DEFAULT_VECTOR_PRECISION: VectorPrecision = "float32";
/** Texts that an analyzer is given at once, where it takes its time. A few: between them progress is told. */
export const ANALYZE_BATCH = 16;
/** Characters of passages that a worker thread reads at once: some 400 short passages, 0.2 s. Several for a small upsert. */
export const WORKER_CHARACTERS = 200_000;
/** Texts that the embedder is given at once. */
export const EMBED_BATCH = 64;
