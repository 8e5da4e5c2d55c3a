/** What stage 3 knows of a candidate passage, and of the question. */

/**
 * Of a candidate. Those named `…Rank` are ln(1 + rank), from 0; passages of equal score share a rank, and one outside the
 * list has the list's length for its rank.
 */
export const FUSION_FEATURES = [
  /** Score of stage 2 by the best passage's. 0 outside the pool's share of that ranking. */
  "graphScore",
  "graphRank",
  /** BM25 by the best passage's. */
  "wordScore",
  "wordRank",
  /** Cosine of the vectors by the best passage's, or the prior by the greatest. 0 outside the pool's share of that list. */
  "vectorScore",
  "vectorRank",
  /** 1 if the passage defines an entity that the question names. */
  "definesSeed",
  /** Share of the entities named that the passage contains. */
  "seedShare",
  /** Greatest activation by level (equation 7's a / L) of an entity that the passage contains. */
  "activation",
  /** Relevance of the best sentence in the three leading passages that mentions an entity which this passage defines. */
  "bridge",
  /** Coverage of the question's open words within a few words of that mention. */
  "bridgeWindow",
  /** The second hop: relevance of the bridge × what the passage covers of the words that the bridge left open. */
  "secondHop",
  /** Relevance of the bridge that the passage defines, if it is one of the second hop's. */
  "secondHopDefines",
  /** σ of its best sentence: of the open words, and of all the question's words. */
  "bestSentence",
  "bestSentenceOfAll",
  /** Coverage of the open words within a few words of a mention of an entity that the question names. */
  "seedWindow",
  /** Share of the question's words, by squared idf, that the passage holds, */
  "coverage",
  /** of those that the leading passage lacks, */
  "missing",
  /** of its pairs of neighbouring words, */
  "pairs",
  /** and greatest share in a stretch of some twenty words. */
  "bestStretch",
  /** Share of the title's words that are the question's. */
  "titleShare",
  /** 1 for the leading passage, and for the leading three. */
  "isFirst",
  "isLeading",
  /** ln of the passage's length in tokens. */
  "length",
] as const;

/** Those that rest on how rare the question's words are in the corpus, or on how long its passages are. */
export const OF_WORDS: ReadonlySet<FusionFeature> = new Set<FusionFeature>([
  ...(["wordScore", "wordRank", "bridge", "bridgeWindow", "secondHop", "secondHopDefines"] as const),
  ...(["bestSentence", "bestSentenceOfAll", "seedWindow", "coverage", "missing", "pairs", "bestStretch"] as const),
  ...(["titleShare", "length"] as const),
]);

/** Those of the list that vectors or priors give the pool. */
export const OF_VECTORS: ReadonlySet<FusionFeature> = new Set<FusionFeature>(["vectorScore", "vectorRank"]);

/** One of `FUSION_FEATURES`. */
export type FusionFeature = (typeof FUSION_FEATURES)[number];

/** Of the question: each is multiplied with the features, so that their weights may differ from question to question. */
export const FUSION_CONTEXT = [
  /** Entities that the question names; and 1 where there is none. */
  "seeds",
  "noSeed",
  /** Mean and least ln of the passages that they are in. */
  "meanSeedDegree",
  "leastSeedDegree",
  /** Share of them that some passage defines. */
  "definedSeeds",
  /** ln of the question's length in tokens. */
  "questionLength",
] as const;

/** One of `FUSION_CONTEXT`. */
export type FusionContext = (typeof FUSION_CONTEXT)[number];
