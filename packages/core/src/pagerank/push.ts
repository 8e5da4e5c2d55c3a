/**
 * Stage 2 by local push: personalised PageRank on the passage–entity graph (LinearRAG, equation 6),
 *
 *     I = (1 − d) · r + d · W D⁻¹ I
 *
 * with W the symmetric edge weights and D the weighted degrees. Andersen, Chung, Lang 2006 ("Local graph
 * partitioning using PageRank vectors"): keep a residual at each touched node; in rounds, every node whose
 * residual exceeds ε times its degree moves (1 − d) of it to its score and spreads d of it over its edges.
 * The work is at most 1 / (ε (1 − d)) edges, however large the graph is.
 *
 * The degree in the threshold is the number of edges, not their weight as in the paper: that is what
 * bounds the work, and it costs a twentieth of the edges at the same ε (DESIGN.md). What then holds, with x
 * the exact solution and ρ the residuals left: 0 ≤ x(v) − score(v) ≤ d · D(v) · max_u ρ(u) / D(u) over the u with
 * D(u) > 0, and in total Σ (x − score) ≤ d · Σ ρ.
 */
import { edgeMass, edgeWeight } from "../graph/edge-weight.js";
import { INITIAL_NODES, NodeTable } from "../graph/node-table.js";
import {
  type EntityNeighbours,
  type GraphReader,
  type NodeList,
  type PassageNeighbours,
  pick,
} from "../graph/reader.js";
import { grown } from "../typed-arrays.js";
import type { Reset } from "./reset.js";

export interface PushOptions {
  /** d, in (0, 1). */
  readonly damping: number;
  /** ε, greater than 0. */
  readonly epsilon: number;
  readonly definitionWeight: number;
}

/** PageRank of the touched nodes of one side. */
export interface SideScores {
  readonly nodes: NodeList;
  /** Includes what the node's own residual will surely add, so every touched node has a score above 0. */
  readonly scores: Float64Array;
  readonly residuals: Float64Array;
}

export interface PushResult {
  readonly passages: SideScores;
  readonly entities: SideScores;
  /** Rounds, an entity and a passage half each. */
  readonly iterations: number;
  readonly edges: number;
  /** Mass not yet distributed, Σ ρ: d times it bounds the total error. */
  readonly residual: number;
  readonly converged: true;
}

/** @throws the signal's reason when it is aborted */
export async function push(
  graph: GraphReader,
  reset: Reset,
  options: PushOptions,
  signal?: AbortSignal,
): Promise<PushResult> {
  const { damping, epsilon, definitionWeight } = options;
  const entities = new Side();
  const passages = new Side();
  for (let i = 0; i < reset.entities.length; i++) {
    const e = entities.touch(reset.entities.ids[i], reset.entityDegrees[i]);
    entities.definitions[e] = reset.entityDefinitions[i];
    entities.receive(e, reset.entityMass[i]);
  }
  for (let i = 0; i < reset.passages.length; i++) {
    passages.receive(passages.touch(reset.passages.ids[i], reset.passageDegrees[i]), reset.passageMass[i]);
  }

  /** Weights of one node's edges between summing and spreading. */
  let weights = new Float64Array(1024);
  let edges = 0;
  let iterations = 0;
  for (;;) {
    signal?.throwIfAborted();
    const fromEntities = entities.takeFrontier(epsilon);
    if (fromEntities.length > 0) {
      const neighbours = await graph.passagesOf(pick(entities.ids, fromEntities));
      edges += neighbours.indptr[fromEntities.length];
      spreadFromEntities(fromEntities, neighbours);
    }
    const fromPassages = passages.takeFrontier(epsilon);
    if (fromPassages.length > 0) {
      const neighbours = await graph.entitiesOf(pick(passages.ids, fromPassages));
      edges += neighbours.indptr[fromPassages.length];
      spreadFromPassages(fromPassages, neighbours);
    }
    if (fromEntities.length === 0 && fromPassages.length === 0) break;
    iterations++;
  }
  return {
    passages: passages.result(damping),
    entities: entities.result(damping),
    iterations,
    edges,
    residual: entities.totalResidual() + passages.totalResidual(),
    converged: true,
  };

  function spreadFromEntities(frontier: readonly number[], neighbours: PassageNeighbours): void {
    const { indptr, ids, counts, defines, degrees, mentions, definitions } = neighbours;
    for (let n = 0; n < frontier.length; n++) {
      const e = frontier[n];
      const start = indptr[n];
      const end = indptr[n + 1];
      const defining = entities.definitions[e];
      if (weights.length < end - start) weights = new Float64Array((end - start) * 2);
      let degree = 0;
      for (let i = start; i < end; i++) {
        const w = edgeWeight(counts[i], defines[i], defining, mentions[i], definitions[i], definitionWeight);
        weights[i - start] = w;
        degree += w;
      }
      const spread = entities.settle(e, damping);
      if (degree === 0) continue;
      for (let i = start; i < end; i++) {
        if (weights[i - start] === 0) continue;
        const p = passages.touch(ids[i], degrees[i]);
        passages.receive(p, (spread * weights[i - start]) / degree);
      }
    }
  }

  function spreadFromPassages(frontier: readonly number[], neighbours: EntityNeighbours): void {
    const { indptr, ids, counts, defines, degrees, definitions } = neighbours;
    for (let n = 0; n < frontier.length; n++) {
      const p = frontier[n];
      const start = indptr[n];
      const end = indptr[n + 1];
      if (weights.length < end - start) weights = new Float64Array((end - start) * 2);
      // All edges of a passage have the same denominator, which cancels.
      let degree = 0;
      for (let i = start; i < end; i++) {
        const w = edgeMass(counts[i], defines[i], definitions[i], definitionWeight);
        weights[i - start] = w;
        degree += w;
      }
      const spread = passages.settle(p, damping);
      if (degree === 0) continue;
      for (let i = start; i < end; i++) {
        if (weights[i - start] === 0) continue;
        const e = entities.touch(ids[i], degrees[i]);
        entities.definitions[e] = definitions[i];
        entities.receive(e, (spread * weights[i - start]) / degree);
      }
    }
  }
}

/** The touched nodes of one side of the graph and their state. */
class Side {
  degrees = new Uint32Array(INITIAL_NODES);
  /** Entities only: live passages that define it. */
  definitions = new Uint32Array(INITIAL_NODES);
  private readonly table = new NodeTable();
  private scores = new Float64Array(INITIAL_NODES);
  private residuals = new Float64Array(INITIAL_NODES);
  /** Nodes that received something since they were last looked at, in the order of first receipt. */
  private readonly pending: number[] = [];
  private isPending = new Uint8Array(INITIAL_NODES);

  get ids(): Float64Array {
    return this.table.ids;
  }

  /** The node's index. */
  touch(id: number, degree: number): number {
    const known = this.table.size;
    const index = this.table.add(id);
    if (index === known) {
      if (index === this.degrees.length) this.grow();
      this.degrees[index] = degree;
    }
    return index;
  }

  receive(index: number, mass: number): void {
    this.residuals[index] += mass;
    if (this.isPending[index] === 0) {
      this.isPending[index] = 1;
      this.pending.push(index);
    }
  }

  /** The nodes whose residual exceeds ε times their degree. */
  takeFrontier(epsilon: number): number[] {
    const frontier: number[] = [];
    for (const index of this.pending) {
      this.isPending[index] = 0;
      if (this.residuals[index] > epsilon * this.degrees[index]) frontier.push(index);
    }
    this.pending.length = 0;
    return frontier;
  }

  /** Moves 1 − d of the residual to the score and returns the rest, which is to be spread. */
  settle(index: number, damping: number): number {
    const residual = this.residuals[index];
    this.scores[index] += (1 - damping) * residual;
    this.residuals[index] = 0;
    return damping * residual;
  }

  totalResidual(): number {
    let total = 0;
    for (let i = 0; i < this.table.size; i++) total += this.residuals[i];
    return total;
  }

  result(damping: number): SideScores {
    const { size, ids } = this.table;
    const { scores, residuals } = this;
    for (let i = 0; i < size; i++) scores[i] += (1 - damping) * residuals[i];
    return {
      nodes: { ids, length: size },
      scores: scores.subarray(0, size),
      residuals: residuals.subarray(0, size),
    };
  }

  private grow(): void {
    this.degrees = grown(this.degrees, Uint32Array);
    this.definitions = grown(this.definitions, Uint32Array);
    this.scores = grown(this.scores, Float64Array);
    this.residuals = grown(this.residuals, Float64Array);
    this.isPending = grown(this.isPending, Uint8Array);
  }
}
