/** LangChain's own for `similaritySearch`: a store that takes another's place returns as many. */
export const DEFAULT_STORE_K = 4;

/** Candidates of maximal marginal relevance: LangChain's documented default. */
export const DEFAULT_FETCH_K = 20;

/** Balance of relevance against diversity: LangChain's documented default. */
export const DEFAULT_LAMBDA = 0.5;

/** Documents asked of a dense source: weighed by 1 / rank, those behind hardly count. */
export const DEFAULT_DENSE_K = 20;

/** A vector store that does not know the filter is asked for so many times more at each attempt: three reach the limit. */
export const DENSE_FETCH_GROWTH = 4;

/**
 * And for at most so many times `denseK`: 1,280 documents by default. Enough where the filter lets one of 64 through;
 * with one that is stricter the store should filter itself.
 */
export const DENSE_FETCH_LIMIT = 64;

/** Where LangChain's loaders say which document a chunk is from. */
export const DEFAULT_DOCUMENT_ID_KEY = "source";

export const DEFAULT_TITLE_KEY = "title";
export const DEFAULT_SCORE_KEY = "score";
export const DEFAULT_EVIDENCE_KEY = "evidence";
