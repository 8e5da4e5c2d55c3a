/** Stage 2 exactly: the part of the graph that the reset reaches, and power iteration over it. */
import { edgeWeight } from "../graph/edge-weight.js";
import { NodeTable } from "../graph/node-table.js";
import type { GraphReader, NodeList } from "../graph/reader.js";
import { personalizedPageRank, type PowerIterationOptions, type PowerIterationResult } from "./power-iteration.js";
import type { SideScores } from "./push.js";
import type { Reset } from "./reset.js";

export interface ExactOptions extends PowerIterationOptions {
  readonly definitionWeight: number;
}

export interface ExactResult extends Omit<PowerIterationResult, "scores"> {
  /** All nodes reached; nothing is left in their residuals. */
  readonly passages: SideScores;
  readonly entities: SideScores;
  readonly edges: number;
  /** Time of the iteration alone, without collecting the graph; milliseconds. */
  readonly solveMilliseconds: number;
}

/** Cost: the connected components that the reset touches, usually the whole graph. */
export async function solveExactly(
  graph: GraphReader,
  reset: Reset,
  options: ExactOptions,
  signal?: AbortSignal,
): Promise<ExactResult> {
  const passages = new NodeTable();
  const entities = new NodeTable();
  for (let i = 0; i < reset.passages.length; i++) passages.add(reset.passages.ids[i]);
  for (let i = 0; i < reset.entities.length; i++) entities.add(reset.entities.ids[i]);
  // Edges as (passage, entity, weight), each met once from its passage.
  const from: number[] = [];
  const to: number[] = [];
  const weights: number[] = [];
  let seenPassages = 0;
  let seenEntities = 0;
  while (seenPassages < passages.size || seenEntities < entities.size) {
    signal?.throwIfAborted();
    const fresh = slice(entities, seenEntities);
    const around = await graph.passagesOf(fresh);
    seenEntities += fresh.length;
    for (let i = 0; i < around.indptr[fresh.length]; i++) passages.add(around.ids[i]);
    const batch = slice(passages, seenPassages);
    const inside = await graph.entitiesOf(batch);
    for (let n = 0; n < batch.length; n++) {
      let mentions = 0;
      let definitions = 0;
      for (let i = inside.indptr[n]; i < inside.indptr[n + 1]; i++) {
        mentions += inside.counts[i];
        definitions += inside.defines[i];
      }
      for (let i = inside.indptr[n]; i < inside.indptr[n + 1]; i++) {
        from.push(seenPassages + n);
        to.push(entities.add(inside.ids[i]));
        weights.push(
          edgeWeight(
            inside.counts[i],
            inside.defines[i],
            inside.definitions[i],
            mentions,
            definitions,
            options.definitionWeight,
          ),
        );
      }
    }
    seenPassages += batch.length;
  }
  const size = passages.size + entities.size;
  const adjacency = undirected(from, to, weights, passages.size, size);
  const start = new Float64Array(size);
  for (let i = 0; i < reset.passages.length; i++) start[passages.find(reset.passages.ids[i])] = reset.passageMass[i];
  for (let i = 0; i < reset.entities.length; i++) {
    start[passages.size + entities.find(reset.entities.ids[i])] = reset.entityMass[i];
  }
  const begun = performance.now();
  const { scores, ...result } = personalizedPageRank(adjacency, start, options);
  return {
    ...result,
    passages: sideScores(passages, scores.subarray(0, passages.size)),
    entities: sideScores(entities, scores.subarray(passages.size)),
    edges: result.iterations * from.length * 2,
    solveMilliseconds: performance.now() - begun,
  };
}

function sideScores({ ids, size }: NodeTable, scores: Float64Array): SideScores {
  return { nodes: { ids, length: size }, scores, residuals: new Float64Array(size) };
}

function slice(table: NodeTable, start: number): NodeList {
  return { ids: table.ids.slice(start, table.size), length: table.size - start };
}

/** CSR of both directions of each edge, entities numbered after the passages. */
function undirected(from: number[], to: number[], weights: number[], passages: number, size: number) {
  const indptr = new Uint32Array(size + 1);
  for (let i = 0; i < from.length; i++) {
    indptr[from[i] + 1]++;
    indptr[passages + to[i] + 1]++;
  }
  for (let v = 0; v < size; v++) indptr[v + 1] += indptr[v];
  const next = indptr.slice();
  const indices = new Uint32Array(from.length * 2);
  const data = new Float64Array(from.length * 2);
  for (let i = 0; i < from.length; i++) {
    const p = from[i];
    const e = passages + to[i];
    indices[next[p]] = e;
    data[next[p]++] = weights[i];
    indices[next[e]] = p;
    data[next[e]++] = weights[i];
  }
  return { indptr, indices, data };
}
