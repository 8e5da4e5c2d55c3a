/** Depths of the measures: a short prompt, a usual one, and what a reranker would get. */
export const DEFAULT_KS: readonly number[] = [2, 5, 10];

/** Of the bootstrap and the sign-flip test; any number will do. */
export const DEFAULT_SEED = 1;

/** Resamples of the bootstrap and of the test. The ends of a 95 % interval then waver by a fiftieth of its width. */
export const DEFAULT_RESAMPLES = 2000;

/** Confidence of every interval. */
export const LEVEL = 0.95;

/** Passages that a chat model reads to answer: what the paper gives its model. */
export const DEFAULT_ANSWER_PASSAGES = 5;

/** How far down a gold passage is looked for when a question failed. */
export const RANK_DEPTH = 100;

/** Questions asked before any is timed: code is compiled and caches are filled by them. */
export const WARM_UP = 3;

/** Characters of a passage that the reports show. */
export const EXCERPT = 300;

/** Features that the reports name for each passage: the rest hardly moves it. */
export const FUSION_SHARES = 3;

/** Folds of training's cross-validation: four fifths of the questions teach nearly as much as all. */
export const DEFAULT_FOLDS = 5;

/** Of the shares of the folds; any number will do. */
export const DEFAULT_TRAINING_SEED = 0;

/** L2 penalty on weights of standardised columns; 3 to 100 serve alike on the development questions. */
export const DEFAULT_PENALTY = 100;

/** Below this, weights tell of the questions rather than of the data. */
export const FEWEST_TRAINING_QUESTIONS = 20;
