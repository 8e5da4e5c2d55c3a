/** Which neighbour a node of the passage–entity graph has its PageRank from, read off finished scores. */
import { edgeMass, edgeWeight } from "../graph/edge-weight.js";
import { type GraphReader, listOf } from "../graph/reader.js";
import type { SideScores } from "../pagerank/push.js";

export interface FlowOptions {
  readonly damping: number;
  readonly definitionWeight: number;
}

/** PageRank of both sides. */
export interface NodeScores {
  readonly passages: SideScores;
  readonly entities: SideScores;
}

/** A neighbour and the mass that came from it. */
export interface Inflow {
  /** The neighbour's key or number. */
  readonly from: number;
  readonly mass: number;
}

export class PageRankFlow {
  private readonly graph: GraphReader;
  private readonly options: FlowOptions;
  private readonly passages: ReadonlyMap<number, number>;
  private readonly entities: ReadonlyMap<number, number>;

  constructor(graph: GraphReader, result: NodeScores, options: FlowOptions) {
    this.graph = graph;
    this.options = options;
    this.passages = settledMass(result.passages, options.damping);
    this.entities = settledMass(result.entities, options.damping);
  }

  /**
   * The entity, none of the excluded, that brought a passage the most mass from elsewhere: what the passage
   * gave the entity itself is no reason for it. Undefined when no mass came from elsewhere.
   */
  async intoPassage(passage: number, excluded: ReadonlySet<number>): Promise<Inflow | undefined> {
    const { damping, definitionWeight } = this.options;
    const inside = await this.graph.entitiesOf(listOf([passage]));
    const row = Array.from({ length: inside.indptr[1] }, (_, i) => ({
      entity: inside.ids[i],
      definitions: inside.definitions[i],
      mass: edgeMass(inside.counts[i], inside.defines[i], inside.definitions[i], definitionWeight),
    }));
    const rowMass = row.reduce((sum, { mass }) => sum + mass, 0);
    const echo = damping * (this.passages.get(passage) ?? 0);
    const around = await this.graph.passagesOf(listOf(row.map(({ entity }) => entity)));
    let best: Inflow | undefined;
    for (const [n, { entity, definitions, mass: own }] of row.entries()) {
      if (excluded.has(entity)) continue;
      const fromElsewhere = (this.entities.get(entity) ?? 0) - (rowMass === 0 ? 0 : (echo * own) / rowMass);
      let degree = 0;
      let weight = 0;
      for (let i = around.indptr[n]; i < around.indptr[n + 1]; i++) {
        const w = edgeWeight(
          around.counts[i],
          around.defines[i],
          definitions,
          around.mentions[i],
          around.definitions[i],
          definitionWeight,
        );
        degree += w;
        if (around.ids[i] === passage) weight = w;
      }
      const mass = degree === 0 ? 0 : (damping * fromElsewhere * weight) / degree;
      if (mass > 0 && (best === undefined || mass > best.mass)) best = { from: entity, mass };
    }
    return best;
  }

  /** The passage, none of the excluded, that brought an entity the most mass. */
  async intoEntity(entity: number, excluded: ReadonlySet<number>): Promise<Inflow | undefined> {
    const { damping, definitionWeight } = this.options;
    const around = await this.graph.passagesOf(listOf([entity]));
    const touched: number[] = [];
    for (const passage of around.ids.subarray(0, around.indptr[1])) {
      if (this.passages.has(passage) && !excluded.has(passage)) touched.push(passage);
    }
    const inside = await this.graph.entitiesOf(listOf(touched));
    let best: Inflow | undefined;
    for (const [n, passage] of touched.entries()) {
      let degree = 0;
      let own = 0;
      for (let i = inside.indptr[n]; i < inside.indptr[n + 1]; i++) {
        const m = edgeMass(inside.counts[i], inside.defines[i], inside.definitions[i], definitionWeight);
        degree += m;
        if (inside.ids[i] === entity) own = m;
      }
      const mass = degree === 0 ? 0 : (damping * this.passages.get(passage)! * own) / degree;
      if (mass > 0 && (best === undefined || mass > best.mass)) best = { from: passage, mass };
    }
    return best;
  }
}

/** The mass that each node has passed on or kept: its score over 1 − d, without what its residual will add. */
function settledMass({ nodes, scores, residuals }: SideScores, damping: number): Map<number, number> {
  const settled = new Map<number, number>();
  for (let i = 0; i < nodes.length; i++) {
    const mass = scores[i] / (1 - damping) - residuals[i];
    if (mass > 0) settled.set(nodes.ids[i], mass);
  }
  return settled;
}
