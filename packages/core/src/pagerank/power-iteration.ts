/**
 * Personalised PageRank of any weighted graph by power iteration (LinearRAG, equation 6; Page, Brin 1998):
 *
 *     I ← (1 − d) · r + d · P I        P(v, u) = w(u, v) / Σ_v w(u, v)
 *
 * Exact up to the tolerance; the oracle of the local push. A node without outgoing weight passes nothing
 * on, so scores then sum to less than 1; igraph and NetworkX send that mass back to the reset nodes, which
 * only scales the whole vector: divide by its sum to have theirs.
 */

/** A weighted graph in CSR: row u holds the edges that leave u. */
export interface WeightedGraph {
  /** [n + 1] */
  readonly indptr: Uint32Array;
  /** Targets. */
  readonly indices: Uint32Array;
  /** Weights, not negative. */
  readonly data: Float64Array;
}

export interface PowerIterationOptions {
  /** d, in (0, 1). */
  readonly damping: number;
  /** Stop when the absolute change of all scores together falls below this. */
  readonly tolerance: number;
  readonly maxIterations: number;
}

export interface PowerIterationResult {
  readonly scores: Float64Array;
  readonly iterations: number;
  /** Absolute change of all scores in the last iteration. */
  readonly residual: number;
  readonly converged: boolean;
}

/** @param reset [n] reset mass */
export function personalizedPageRank(
  graph: WeightedGraph,
  reset: Float64Array,
  { damping, tolerance, maxIterations }: PowerIterationOptions,
): PowerIterationResult {
  const { indptr, indices, data } = graph;
  const size = indptr.length - 1;
  const outgoing = new Float64Array(size);
  for (let u = 0; u < size; u++) for (let i = indptr[u]; i < indptr[u + 1]; i++) outgoing[u] += data[i];
  let scores = reset.map((mass) => (1 - damping) * mass);
  let next = new Float64Array(size);
  let residual = Infinity;
  let iterations = 0;
  while (iterations < maxIterations && residual >= tolerance) {
    iterations++;
    for (let v = 0; v < size; v++) next[v] = (1 - damping) * reset[v];
    for (let u = 0; u < size; u++) {
      if (outgoing[u] === 0 || scores[u] === 0) continue;
      const share = (damping * scores[u]) / outgoing[u];
      for (let i = indptr[u]; i < indptr[u + 1]; i++) next[indices[i]] += share * data[i];
    }
    residual = 0;
    for (let v = 0; v < size; v++) residual += Math.abs(next[v] - scores[v]);
    [scores, next] = [next, scores];
  }
  return { scores, iterations, residual, converged: residual < tolerance };
}
