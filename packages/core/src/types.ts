import type { RankingOptions } from "./defaults.js";
import type { FeatureShare } from "./fusion/model.js";
import type { IndexingWorkers } from "./index/workers.js";
import type { Span } from "./text/analyzer.js";

/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A passage's metadata: a plain object of JSON values. */
export type Metadata = { readonly [key: string]: JsonValue };

/** A unit of retrieval: a paragraph, a chunk of a document. It is never split. */
export interface Passage {
  /** Unique within the index, not empty. Upserting an id that exists replaces its passage. */
  readonly id: string;
  readonly text: string;
  /** What the passage is about. A title is an entity that the passage defines; chunks of one document share it. */
  readonly title?: string;
  readonly metadata?: Metadata;
  /** A ready vector of the index's dimensions, instead of one made by the embedder. */
  readonly vector?: ArrayLike<number>;
}

/** A passage as it is kept: what was upserted, without its vector. */
export type StoredPassage = Omit<Passage, "vector">;

/**
 * Turns text into vectors of one length. Passages and questions may be embedded differently.
 * Similarity is the cosine, so vectors need not be normalised.
 */
export interface Embedder {
  /** Names the model; stored with the index and checked when it is opened. */
  readonly id: string;
  /** Length of every vector. Where a model is loaded first, it may be unknown until `load` has resolved. */
  readonly dimensions: number;
  /** Called by `TriGraph.create` and `open` before anything else is read but `id`. Calling it again must do no harm. */
  load?(): Promise<void>;
  /** One vector for each text, in the same order. */
  embedPassages(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<readonly ArrayLike<number>[]>;
  /** The question's vector. */
  embedQuery(text: string, options?: { signal?: AbortSignal }): Promise<ArrayLike<number>>;
}

/** How many bits an index keeps of each number of a vector: 32, or 8 with one scale for the vector. */
export type VectorPrecision = "float32" | "int8";

/** Which passages a query may see: a predicate, or metadata values that must be equal (all of them). */
export type PassageFilter = ((passage: StoredPassage) => boolean) | Metadata;

/** A passage that another retriever considers relevant. */
export interface Prior {
  readonly id: string;
  /** Relevance, greater than 0; priors are scaled so that the greatest counts like the best similarity. */
  readonly score: number;
}

/** Options of every call that may be aborted. */
export interface CallOptions {
  /** Aborting rejects with the signal's reason; an upsert or delete that was not committed leaves no trace. */
  readonly signal?: AbortSignal | undefined;
}

/** How far a long call has come. */
export interface Progress {
  readonly phase: "read" | "analyze" | "embed" | "index-vectors" | "merge" | "write" | "check";
  /**
   * How much of this phase is done, in passages; in segments when merging and writing. `total` is undefined where it
   * is not known beforehand: of an iterable that is no array, and of the merges that an upsert brings about.
   */
  readonly done: number;
  readonly total: number | undefined;
}

/** Options of calls whose time grows with the passages. */
export interface LongCallOptions extends CallOptions {
  /** Called between steps; must not throw. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `TriGraph.upsert`. */
export interface UpsertOptions extends LongCallOptions {
  /**
   * Threads that analyse the passages: the index is the same, byte for byte, as without. Their analyzer must be the
   * index's. Embedding stays in this thread. Default: this thread analyses them.
   */
  readonly workers?: IndexingWorkers | undefined;
}

/** Options of `TriGraph.nearest`. */
export interface NearestOptions extends CallOptions {
  /** How many passages, a positive integer. Default 5. */
  readonly k?: number | undefined;
  readonly filter?: PassageFilter | undefined;
}

/** Options of `TriGraph.reembed`. */
export interface ReembedOptions extends LongCallOptions {
  /** Default: as before. */
  readonly vectorPrecision?: VectorPrecision | undefined;
}

/** Options of `TriGraph.candidates`. */
export interface CandidateOptions extends CallOptions {
  readonly filter?: PassageFilter | undefined;
  /** The question's vector, instead of one made by the embedder. */
  readonly vector?: ArrayLike<number> | undefined;
}

/** What stage 3 chooses from. */
export interface CandidatePool {
  /** Properties of the question, in the order of `FUSION_CONTEXT`. */
  readonly context: Float64Array;
  /** The passages, in no order that means anything, each with its features in the order of `FUSION_FEATURES`. */
  readonly candidates: readonly { readonly id: string; readonly features: Float64Array }[];
  /** Whether there are two sources to fuse. Else `retrieve` keeps the order of BM25, whatever the weights. */
  readonly isFused: boolean;
}

/** Options of `TriGraph.retrieve`. */
export interface RetrieveOptions extends NearestOptions {
  /** Leave out what scores less. Scores are not comparable between questions: see `RetrievedPassage`. Default 0. */
  readonly minScore?: number | undefined;
  /** Tokens that all texts together may have: the ranking ends before the first passage that does not fit. Default unlimited. */
  readonly maxTokens?: number | undefined;
  /** Tokens of a text, as `maxTokens` counts them. Default: a token for every four characters. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Say for each passage what brought it. Default false. */
  readonly explain?: boolean | undefined;
  /** The question's vector, instead of one made by the embedder. */
  readonly vector?: ArrayLike<number> | undefined;
  /** Passages of another retriever that stage 2 starts from as well. Unknown ids are ignored. */
  readonly priors?: readonly Prior[] | undefined;
  /**
   * Rank only the passages with these ids. Unlike a filter this hides nothing from the graph: activation and mass pass
   * through all passages that pass the filter. Unknown ids are ignored. Default: all passages.
   */
  readonly among?: Iterable<string> | undefined;
  /** Single settings that differ from the index's for this question: what another ranking would say, of the same commit. */
  readonly ranking?: Partial<RankingOptions> | undefined;
  /** Called once, before the promise resolves, with what the query cost. */
  readonly onTrace?: ((trace: RetrieveTrace) => void) | undefined;
}

/** One retrieved passage. */
export interface RetrievedPassage {
  readonly passage: StoredPassage;
  /**
   * Higher is better; never increases along the ranking. The probability that the passage holds evidence, as stage 3
   * estimates it, in (0, 1); passages behind its pool score below the last of it, and carry no probability. Where
   * words are the only source, and with `fusion: "none"` without a seed entity or a prior, its similarity to the
   * question, in [0, 1]; with `fusion: "none"` else the passage's personalised PageRank, in (0, 1). Passages that only fill up the k score below the last ranked one.
   */
  readonly score: number;
  /** 1 for the first. */
  readonly rank: number;
  /** Present when asked for with `explain`. */
  readonly evidence?: Evidence;
}

/** What brought a passage, and what moved it to its place. */
export type Evidence = (GraphEvidence | SimilarityEvidence) & {
  /** What the stages before the last gave the passage. */
  readonly stages: StageScores;
  /** Undefined with `fusion: "none"`, and for passages behind the pool of stage 3. */
  readonly fusion?: FusionEvidence | undefined;
};

/** What a passage has of the question's words or vectors, of stage 1 and of stage 2. None says how it compares between questions. */
export interface StageScores {
  /** Its similarity to the question, in [0, 1], whether or not that made it a candidate. */
  readonly similarity: number;
  /** Stage 1: the reset mass that activated entities give it (equation 7), in [0, 1]. 0 where none is in it. */
  readonly activation: number;
  /** Stage 2: its personalised PageRank, in [0, 1]. 0 where no mass came, and where stage 2 did not run. */
  readonly pageRank: number;
}

/** How stage 3 came to a passage's score. */
export interface FusionEvidence {
  /** The score. */
  readonly probability: number;
  /** Log-odds of an average candidate. With the shares they add up to those of the probability. */
  readonly intercept: number;
  /** Each feature of the passage and what it adds to the log-odds of an average candidate, the greatest by size first. */
  readonly shares: readonly FeatureShare[];
}

/** The passage was reached over the graph: from the seed through the steps to the arrival. */
export interface GraphEvidence {
  readonly via: "graph";
  readonly seed: EntitySeed | PassageSeed;
  /** Each starts from the entity that the one before it, or the seed, names. */
  readonly steps: readonly EvidenceStep[];
  /** Where the last entity stands in the passage. */
  readonly arrival: EvidenceArrival;
  /** The sentence of this passage most relevant to the question; undefined when it has no sentence. */
  readonly sentence: SentenceEvidence | undefined;
}

/** No path over the graph: the passage's similarity to the question brought it, a prior, or only its id (`"fill"`). */
export interface SimilarityEvidence {
  readonly via: "words" | "vectors" | "hybrid" | "priors" | "fill";
  /** Similarity to the question, or the prior's share, in [0, 1]. */
  readonly similarity: number;
  readonly sentence: SentenceEvidence | undefined;
}

/** The path starts at an entity that the question names. */
export interface EntitySeed {
  readonly kind: "entity";
  /** The entity's normalised name. */
  readonly entity: string;
  /** Where the question names it. */
  readonly span: Span;
  /** Similarity of what the question says to the entity's name, in (0, 1]. */
  readonly activation: number;
}

/** The path starts at an entity in a passage that is itself similar to the question or a prior. */
export interface PassageSeed {
  readonly kind: "passage";
  readonly via: SimilarityEvidence["via"];
  readonly passageId: string;
  readonly similarity: number;
  readonly entity: string;
  readonly place: EntityPlace;
}

/** The last entity of the path in the passage, and what it gives the passage. */
export interface EvidenceArrival extends EntityPlace {
  /** True when the passage defines the entity. */
  readonly defines: boolean;
  /**
   * Whether the entity led here by its activation (stage 1), by the PageRank it passed on (stage 2), or as a bridge that
   * a leading passage mentions (the second hop of stage 3).
   */
  readonly by: "activation" | "pagerank" | "bridge";
  /**
   * By activation: its term in equation 7, a / nˢ · ln(1 + N) / L. By PageRank: the mass that it brought. As a bridge:
   * the passage's feature `secondHop`.
   */
  readonly contribution: number;
}

/** Where an entity stands in a passage. */
export interface EntityPlace {
  readonly entity: string;
  readonly passageId: string;
  /** Whether the span is in the passage's text or in its title. */
  readonly field: "text" | "title";
  readonly span: Span;
}

/** A sentence of a passage; its span is in the passage's text. */
export interface SentenceEvidence {
  readonly passageId: string;
  readonly span: Span;
  readonly text: string;
  /** Its relevance σ to what the question asks (equation 4), in [0, 1]; on a path, to what the steps before left open (and, of equally strong ones, each of them). */
  readonly relevance: number;
  /** The question's words that it covers, of those that count for σ; the rarest first. */
  readonly words: readonly string[];
}

/** One step of a path over the graph. */
export type EvidenceStep = SentenceStep | PassageStep;

/** Stage 1: activation passed from one entity to another through a sentence that mentions both (equation 5). */
export interface SentenceStep {
  readonly via: "sentence";
  readonly from: EntityPlace;
  readonly to: EntityPlace;
  readonly sentence: SentenceEvidence;
  /** Activation that the sentence passed on; with `propagation: "max"` of all active entities that it mentions. */
  readonly activation: number;
  /** `activation × sentence.relevance`: the greatest contribution to `to`. */
  readonly contribution: number;
}

/** Stage 2: PageRank passed from one entity to another through a passage that contains both (equation 6). */
export interface PassageStep {
  readonly via: "passage";
  readonly from: EntityPlace;
  readonly to: EntityPlace;
  /** The PageRank that the passage brought to `to`; of a bridge σ of the sentence that mentions it. */
  readonly contribution: number;
}

/** What answering a question cost. */
export interface RetrieveTrace {
  /** What similarity to the question was: of words, of vectors, or the mean of both. */
  readonly similarity: "words" | "vectors" | "hybrid";
  /** Milliseconds of each stage; embedding is the time the embedder took. */
  readonly milliseconds: Readonly<Record<RetrieveStage, number>>;
  readonly seeds: number;
  readonly activatedEntities: number;
  readonly sentencesRead: number;
  /** Edges that stage 2 walked, its rounds, and the mass it left undistributed. */
  readonly edges: number;
  readonly iterations: number;
  readonly residual: number;
}

/** The stages that a trace tells the time of, in their order. */
export type RetrieveStage =
  "analyze" | "embed" | "similarity" | "seeds" | "activation" | "reset" | "pagerank" | "fusion" | "rank";

/** What an upsert did. */
export interface UpsertReport {
  /** Passages whose id was new. */
  readonly added: number;
  /** Passages that replaced another text, title, metadata or vector of the same id. */
  readonly replaced: number;
  /** Passages that were there already: the same text, title, metadata as JSON, and vector if one was given. */
  readonly unchanged: number;
  /** Ids that the batch held more than once; the last one counts. */
  readonly duplicates: readonly string[];
}

/** What a delete did. */
export interface DeleteReport {
  readonly deleted: number;
  /** Ids that the index does not hold. */
  readonly missing: readonly string[];
}

/** Sizes of an index; counts of what is live, whatever is still stored. */
export interface IndexStats {
  readonly passages: number;
  readonly sentences: number;
  /** Distinct entities and terms that occur in a live passage. */
  readonly entities: number;
  readonly terms: number;
  /** Token occurrences, titles included. */
  readonly tokens: number;
  readonly segments: number;
  /** Replaced and deleted passages that a merge would drop. */
  readonly deadPassages: number;
  /** Bytes of the segments' arrays in memory. */
  readonly bytes: number;
  /** Length of the stored vectors; 0 without. */
  readonly dimensions: number;
  /** Pairs of entity names that share a key and so are one node. */
  readonly collisions: readonly (readonly [string, string])[];
}

/** An entity of the graph. */
export interface GraphEntity {
  /** Its key: the 53-bit hash of its name, the same in every index (`stableKey`). */
  readonly key: number;
  /** Its normalised name; of names that share a key the first. */
  readonly name: string;
  /** Passages that contain it. */
  readonly passages: number;
}

/** A passage of the graph with its sentences and its edges; entities are named by their keys, in ascending order. */
export interface GraphPassage {
  readonly passage: StoredPassage;
  /** In text order; the spans are in the passage's text. M, equation 2. */
  readonly sentences: readonly { readonly span: Span; readonly mentions: readonly number[] }[];
  /** The contained entities: C, equation 1. `count` is N, the mentions in the text: 0 where only the title names it. */
  readonly contains: readonly { readonly entity: number; readonly count: number; readonly defines: boolean }[];
}

/** One thing that `check()` found wrong. */
export interface CheckFinding {
  /** Which segment or file. */
  readonly where: string;
  readonly what: string;
}
