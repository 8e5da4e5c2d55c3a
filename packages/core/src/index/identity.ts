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

/** What vectors an index is used with: an embedder's, or those that it was opened with. */
type VectorsUsed = Pick<Embedder, "dimensions"> & { readonly id: string | null };

/**
 * @param method `open`, or `refresh`, which meets what another writer has made of the index since
 * @throws IndexError `INDEX_MISMATCH` when an index was built with other means than it is used with
 */
export function checkIdentity(
  method: "open" | "refresh",
  analyzer: Analyzer,
  embedder: VectorsUsed | undefined,
  precision: VectorPrecision | undefined,
  built: IndexIdentity & { readonly segments: readonly unknown[] },
): void {
  if (analyzer.id !== built.analyzer) {
    throw new IndexError(
      "INDEX_MISMATCH",
      `${method}: the index was built with the analyzer ${show(built.analyzer)}, got ${show(analyzer.id)}. Open it with that one, or build it anew.`,
    );
  }
  if (built.segments.length === 0) return;
  if (precision !== undefined && built.dimensions > 0 && precision !== built.precision) {
    throw new IndexError(
      "INDEX_MISMATCH",
      `${method}: the index keeps its vectors in ${built.precision}, got vectorPrecision ${show(precision)}. Leave the option out, or build it anew.`,
    );
  }
  if (embedder === undefined) return;
  if (embedder.id !== built.embedder || embedder.dimensions !== built.dimensions) {
    const advice =
      method === "open"
        ? "open it with that one, or without an embedder and then call reembed with the new one"
        : "close this index and open it anew with that one; until then it answers from what it has read";
    throw new IndexError(
      "INDEX_MISMATCH",
      `${method}: the index was built with ${describe(built.embedder, built.dimensions)}, got ${describe(embedder.id, embedder.dimensions)}. Vectors of two models cannot be compared: ${advice}.`,
    );
  }
}

function describe(id: string | null, dimensions: number): string {
  const vectors = dimensions === 0 ? "no vectors" : `vectors of ${dimensions} dimensions`;
  return id === null ? `no embedder and ${vectors}` : `${show(id)} of ${dimensions} dimensions`;
}
