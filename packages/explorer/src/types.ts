import type {
  EvidenceArrival,
  FusionEvidence,
  Metadata,
  PassageFilter,
  SimilarityEvidence,
  Span,
} from "@trigraph/core";

/**
 * A way to rank passages: all three stages; stages 1 and 2 alone; words alone (BM25); vectors alone. What other settings
 * the index has, such as a preset's, holds for all of them.
 */
export type RankingMethod = "fused" | "graph" | "words" | "vectors";

/** Options of `explore`. */
export interface ExploreOptions {
  /** How many passages, a positive integer. Default 5. Each adds its path to the picture. */
  readonly k?: number | undefined;
  /** Which passages the question may see, as for `retrieve`. */
  readonly filter?: PassageFilter | undefined;
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Rankings to compare. The passages are those of the first. Default: `"fused"`, `"graph"`, `"words"`, and
   * `"vectors"` where the question is answered with them. Each asks the index once.
   */
  readonly methods?: readonly RankingMethod[] | undefined;
  /** The question's vector. Without it an embedder makes one for each method that needs one. */
  readonly vector?: ArrayLike<number> | undefined;
}

/** Names a node of the picture: `"question"`, `"seed-1"`, `"sentence-2"`, `"bridge-1"`, `"carrier-1"`, `"passage-3"`. */
export type NodeId = string;

/** What a question found, and why. Plain JSON: it survives `JSON.stringify` and `JSON.parse` unchanged. */
export interface Exploration {
  readonly format: 1;
  readonly question: string;
  /** Number of passages in the index. */
  readonly indexSize: number;
  /** What similarity to the question was. */
  readonly similarity: "words" | "vectors" | "hybrid";
  readonly methods: readonly RankingMethod[];
  /** How far down each method's ranking was looked at. */
  readonly rankDepth: number;
  /** Where paths start, in the order in which the passages name them first; so are the three lists below. */
  readonly seeds: readonly ExploredSeed[];
  readonly sentences: readonly ExploredSentence[];
  readonly bridges: readonly ExploredBridge[];
  readonly carriers: readonly ExploredCarrier[];
  /** The ranking, best first. */
  readonly passages: readonly ExploredPassage[];
  /** Passages that paths lead through and that are not in the ranking. */
  readonly sources: readonly ExploredText[];
}

/** What brought a passage: an entity that the question names, a passage where a path starts, or similarity alone. */
export type ExploredSeed = EntitySource | PassageSource | SimilaritySource;

/** An entity that the question names. */
export interface EntitySource {
  readonly id: NodeId;
  readonly kind: "entity";
  readonly entity: string;
  /** Where the question names it. */
  readonly span: Span;
  /** Similarity of what the question says to the entity's name, in (0, 1]. */
  readonly activation: number;
}

/** A passage that is itself similar to the question, and from which a path starts. */
export interface PassageSource {
  readonly id: NodeId;
  readonly kind: "passage";
  readonly passageId: string;
  readonly via: SimilarityEvidence["via"];
  /** In [0, 1]. */
  readonly similarity: number;
}

/** Similarity brings passages without a path over the graph. */
export interface SimilaritySource {
  readonly id: NodeId;
  readonly kind: "similarity";
  readonly via: SimilarityEvidence["via"];
}

/** A sentence that activation passed through (stage 1, equation 5). */
export interface ExploredSentence {
  readonly id: NodeId;
  readonly passageId: string;
  /** In the passage's text. */
  readonly span: Span;
  readonly text: string;
  /** σ, to what the steps before left open of the question, in [0, 1]. */
  readonly relevance: number;
  /** The question's words that it covers, the rarest first. */
  readonly words: readonly string[];
  /** Activation that it passed on, before σ. */
  readonly activation: number;
}

/** An entity between the seeds and a passage. */
export interface ExploredBridge {
  readonly id: NodeId;
  readonly entity: string;
  /** What the step into it brought: activation (`"sentence"`), or PageRank, of a bridge of stage 3 relevance (`"passage"`). */
  readonly contribution: number;
  readonly by: "sentence" | "passage";
}

/** A passage that passed PageRank from one entity to another (stage 2, equation 6). */
export interface ExploredCarrier {
  readonly id: NodeId;
  readonly passageId: string;
}

/** A passage's text and what it mentions. */
export interface ExploredText {
  readonly passageId: string;
  readonly title: string | null;
  readonly text: string;
  /** The entities in the text, in text order; they do not overlap. */
  readonly mentions: readonly ExploredMention[];
}

export interface ExploredMention extends Span {
  /** The normalised name. */
  readonly entity: string;
  /** The seed or bridge that it is in the picture, else null. */
  readonly node: NodeId | null;
}

/** A passage of the ranking. */
export interface ExploredPassage extends ExploredText {
  readonly id: NodeId;
  readonly metadata: Metadata | null;
  /** 1 for the first. */
  readonly rank: number;
  /** As `retrieve` documents it. */
  readonly score: number;
  readonly stages: ExploredStages;
  /** By method, in the order of the exploration's `methods`; null below `rankDepth` or with score 0. */
  readonly ranks: readonly (number | null)[];
  /** Its sentence most relevant to the question; null when it has none. */
  readonly sentence: { readonly span: Span; readonly relevance: number; readonly words: readonly string[] } | null;
  /** From the question to the passage: ids of nodes, `"question"` and its own included. */
  readonly path: readonly NodeId[];
  /** How the last entity of the path led into the passage; null without a path over the graph. */
  readonly arrival: Pick<EvidenceArrival, "entity" | "defines" | "by" | "contribution"> | null;
}

/** A passage's scores by stage; `StageScores` of the core says what they are. */
export interface ExploredStages {
  readonly similarity: number;
  readonly activation: number;
  readonly pageRank: number;
  /** Stage 3: the probability, and what each feature adds to its log-odds. Null where stage 3 did not rank the passage. */
  readonly fusion: FusionEvidence | null;
}
