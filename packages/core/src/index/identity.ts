import type { VectorShape } from "../segment/packed-vectors.js";
import { IndexError } from "../errors.js";
import type { Analyzer } from "../text/analyzer.js";
import type { Embedder, VectorPrecision } from "../types.js";
import { show } from "../validate.js";

/** What an index was built with. */
export interface IndexIdentity extends VectorShape {
  readonly analyzer: string;
  readonly embedder: string | null;
}

/** @throws IndexError `INDEX_MISMATCH` when an index was built with other means than it is opened with */
export function checkIdentity(
  analyzer: Analyzer,
  embedder: Embedder | undefined,
  precision: VectorPrecision | undefined,
  built: IndexIdentity & { readonly segments: readonly unknown[] },
): void {
  if (analyzer.id !== built.analyzer) {
    throw new IndexError(
      "INDEX_MISMATCH",
      `open: the index was built with the analyzer ${show(built.analyzer)}, got ${show(analyzer.id)}. Open it with that one, or build it anew.`,
    );
  }
  if (built.segments.length === 0) return;
  if (precision !== undefined && built.dimensions > 0 && precision !== built.precision) {
    throw new IndexError(
      "INDEX_MISMATCH",
      `open: the index keeps its vectors in ${built.precision}, got vectorPrecision ${show(precision)}. Leave the option out, or build it anew.`,
    );
  }
  if (embedder === undefined) return;
  if (embedder.id !== built.embedder || embedder.dimensions !== built.dimensions) {
    const what =
      built.embedder === null
        ? "without an embedder"
        : `with the embedder ${show(built.embedder)} of ${built.dimensions} dimensions`;
    throw new IndexError(
      "INDEX_MISMATCH",
      `open: the index was built ${what}, got ${show(embedder.id)} of ${embedder.dimensions}. Vectors of two models cannot be compared: open it with that one, or without an embedder and then call reembed with the new one.`,
    );
  }
}
