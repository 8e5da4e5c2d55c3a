import type { Embedder, Evidence, Passage } from "@trigraph/core";
import type { Retriever } from "../retriever.js";

/** A way to find passages, before it has seen any. */
export interface Method {
  /** What it is called on the command line and in tables. */
  readonly name: string;
  readonly description: string;
  /** Whether it needs vectors, uses them when there are some, or never does. */
  readonly embedder: "needed" | "used" | "unused";
  /**
   * Indexes the passages.
   *
   * @param context.embedder present when there is one, and always when it is needed
   * @throws EvaluationError `MISSING_PACKAGE` when its package is not installed
   */
  build(passages: readonly Passage[], context: BuildContext): Promise<BuiltMethod>;
}

/** What a method is given to index passages with. */
export interface BuildContext {
  readonly embedder?: Embedder | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called between steps. @param done passages indexed so far */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** A method over its passages. */
export interface BuiltMethod extends Retriever {
  /** Bytes of its index: in memory for trigraph, as saved where a package can save it; undefined where it cannot tell. */
  readonly bytes?: number | undefined;
  /** Why it returns each passage, where it can tell. */
  explain?(question: string, k: number): Promise<ReadonlyMap<string, Evidence>>;
  /** Frees what it holds, once all questions are asked. */
  close?(): Promise<void>;
}
