/** How far a long call has come. */
export interface Progress {
  readonly phase: "embed" | "index" | "ask" | "answer" | "explain" | "compare" | "gather" | "fit";
  /** Which method, or when training which set, is at work; undefined in phases that serve all. */
  readonly method?: string | undefined;
  /**
   * Passages when embedding and indexing, questions when asking, answering, explaining and gathering, groups when
   * comparing, fits when fitting.
   */
  readonly done: number;
  readonly total: number | undefined;
}

/** Options of every long call. */
export interface LongCallOptions {
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called between steps. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
