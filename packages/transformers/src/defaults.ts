/** The hub's own. Name a commit for an index that must never change under you. */
export const DEFAULT_REVISION = "main";

/** A quarter of the size and about twice as fast; of MiniLM the vectors' cosine with the float ones is 0.993. */
export const DEFAULT_QUANTIZED = true;

/** Word pieces that a model reads where neither its configuration nor its tokenizer says: BERT's. */
export const DEFAULT_MAX_TOKENS = 512;

/** Sentence encoders of the all-MiniLM kind are trained so. */
export const DEFAULT_POOLING = "mean";

/** A model finds persons, places and organisations; years and quoted titles are found by the rules. */
export const DEFAULT_MENTIONS = "join";

/** Share of a window that the next one reads again: a name is read with an eighth of a window around it at least. */
export const WINDOW_OVERLAP = 0.25;

/** After so long without a break other work gets a turn, and an abort is noticed; milliseconds. */
export const TURN = 50;

export const DEFAULT_TITLE_KEY = "title";

/** Where LangChain's own rerankers put it. */
export const DEFAULT_SCORE_KEY = "relevanceScore";
