/**
 * Passages that are committed together. Each commit is durable, so this bounds what an interruption costs: about a second
 * of work.
 */
export const BATCH_PASSAGES = 2000;

/** The same where each passage is embedded: some four seconds with a small model in the process. */
export const BATCH_EMBEDDED_PASSAGES = 256;

/** Passages that `search` and `explain` show: the core's own default. */
export const DEFAULT_K = 5;

/** Characters of a passage that `search` shows without `--full`: some three sentences. */
export const EXCERPT = 300;

/** Features of stage 3 that `explain` names, those that moved the passage furthest. */
export const SHOWN_SHARES = 4;

/** Milliseconds between two lines of progress where there is no terminal to redraw. */
export const LINE_INTERVAL = 10_000;

/** Characters gathered before an export hands them on: a call for each line takes several times as long. */
export const WRITE_CHUNK = 1 << 16;
