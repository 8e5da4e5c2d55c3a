/**
 * The reset vector of stage 2 (LinearRAG, equations 6 and 7): where the random surfer starts.
 *
 *     r(e) = a_e / n_e^s
 *     r(p) = (λ · sim(q, p) + ln(1 + Σ_e a_e / n_e^s · ln(1 + N_pe) / L_e)) · W_p
 *
 * n_e is the number of passages that contain e and s its specificity exponent: the paper has s = 0; with
 * s = 1/2 entities that are everywhere stop leading (DESIGN.md). N_pe counts a definition as several
 * mentions, as the edge does. sim(q, p) is 0 outside the candidates, the passages most similar to the
 * question; and a hub, an entity in more passages than `hubDegree`, counts in the candidates only: so the
 * cost of a question does not grow with the commonest entity.
 */
import type { Activation } from "../activation/activate.js";
import { edgeMass } from "../graph/edge-weight.js";
import { NodeTable } from "../graph/node-table.js";
import type { GraphReader, NodeList } from "../graph/reader.js";

export interface ResetOptions {
  /** λ, the weight of the similarity against the activation. */
  readonly similarityWeight: number;
  /** W_p, the weight of passages against entities. */
  readonly passageWeight: number;
  /** s: exponent of the passage count that an entity's weight is divided by. */
  readonly specificity: number;
  /** Mentions that a definition counts as. */
  readonly definitionWeight: number;
  readonly hubDegree: number;
  /** Share of the reset mass that goes to another retriever's passages when there are any. */
  readonly priorShare: number;
}

/** Passages and how much each counts; all weights greater than 0. */
export interface WeightedPassages {
  readonly passages: NodeList;
  readonly weights: ArrayLike<number>;
}

/** Reset mass, summing to 1 over both sides. */
export interface Reset {
  readonly entities: NodeList;
  readonly entityMass: Float64Array;
  /** Statistics of `entities`. */
  readonly entityDegrees: Uint32Array;
  readonly entityDefinitions: Uint32Array;
  readonly passages: NodeList;
  readonly passageMass: Float64Array;
}

/** @param candidates the passages most similar to the question, with the similarity in [0, 1] as weight */
export async function resetVector(
  graph: GraphReader,
  activation: Activation,
  candidates: WeightedPassages,
  priors: WeightedPassages,
  options: ResetOptions,
): Promise<Reset> {
  const { entities, activations, levels } = activation;
  const { degrees, definitions } = await graph.degreesOf(entities);
  const specific = activations.map((a, e) => a / degrees[e] ** options.specificity);

  const table = new NodeTable();
  let activated = new Float64Array(table.ids.length);
  let similarity = new Float64Array(table.ids.length);
  const indexOf = (passage: number): number => {
    const index = table.add(passage);
    if (table.ids.length > activated.length) {
      activated = resized(activated, table.ids.length);
      similarity = resized(similarity, table.ids.length);
    }
    return index;
  };

  const near = Array.from(degrees.keys()).filter((e) => degrees[e] <= options.hubDegree);
  const edges = await graph.passagesOf({ ids: Float64Array.from(near, (e) => entities.ids[e]), length: near.length });
  near.forEach((e, n) => {
    for (let i = edges.indptr[n]; i < edges.indptr[n + 1]; i++) {
      const mass = edgeMass(edges.counts[i], edges.defines[i], definitions[e], options.definitionWeight);
      activated[indexOf(edges.ids[i])] += (specific[e] * Math.log1p(mass)) / levels[e];
    }
  });
  for (let i = 0; i < candidates.passages.length; i++) {
    similarity[indexOf(candidates.passages.ids[i])] = candidates.weights[i];
  }
  if (near.length < entities.length) await addHubs();

  const passageMass = new Float64Array(table.size);
  for (let p = 0; p < table.size; p++) {
    passageMass[p] = (options.similarityWeight * similarity[p] + Math.log1p(activated[p])) * options.passageWeight;
  }
  return mixPriors(
    {
      entities,
      entityMass: Float64Array.from(specific),
      entityDegrees: degrees,
      entityDefinitions: definitions,
      passages: { ids: table.ids, length: table.size },
      passageMass,
    },
    priors,
    options.priorShare,
  );

  async function addHubs(): Promise<void> {
    const hubs = new Map<number, number>();
    for (let e = 0; e < entities.length; e++) if (degrees[e] > options.hubDegree) hubs.set(entities.ids[e], e);
    const contained = await graph.entitiesOf(candidates.passages);
    for (let n = 0; n < candidates.passages.length; n++) {
      const passage = indexOf(candidates.passages.ids[n]);
      for (let i = contained.indptr[n]; i < contained.indptr[n + 1]; i++) {
        const e = hubs.get(contained.ids[i]);
        if (e === undefined) continue;
        const mass = edgeMass(contained.counts[i], contained.defines[i], definitions[e], options.definitionWeight);
        activated[passage] += (specific[e] * Math.log1p(mass)) / levels[e];
      }
    }
  }
}

/** Scales the reset to 1 − share and the priors to the share of it; to all of it where one is empty. */
function mixPriors(reset: Reset, priors: WeightedPassages, priorShare: number): Reset {
  const own = sum(reset.entityMass) + sum(reset.passageMass);
  const given = sum(priors.weights);
  const share = given === 0 ? 0 : own === 0 ? 1 : priorShare;
  const scaled = (mass: Float64Array) => mass.map((m) => (own === 0 ? 0 : (m / own) * (1 - share)));
  const table = new NodeTable();
  const masses: number[] = [];
  const add = (passage: number, mass: number) => {
    const index = table.add(passage);
    masses[index] = (masses[index] ?? 0) + mass;
  };
  scaled(reset.passageMass).forEach((mass, p) => {
    if (mass > 0) add(reset.passages.ids[p], mass);
  });
  for (let i = 0; i < priors.passages.length; i++) add(priors.passages.ids[i], (priors.weights[i] / given) * share);
  return {
    ...reset,
    entityMass: scaled(reset.entityMass),
    passages: { ids: table.ids, length: table.size },
    passageMass: Float64Array.from(masses),
  };
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}

function resized(array: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length);
  copy.set(array);
  return copy;
}
