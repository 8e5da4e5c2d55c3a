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
import { INITIAL_NODES, NodeTable } from "../graph/node-table.js";
import {
  type EntityNeighbours,
  type GraphReader,
  type NodeList,
  type PassageNeighbours,
  pick,
} from "../graph/reader.js";
import { grown } from "../typed-arrays.js";

export interface ResetOptions {
  /** λ, the weight of the similarity against the activation. */
  readonly similarityWeight: number;
  /** W_p, the weight of passages against entities. */
  readonly passageWeight: number;
  /** s: exponent of the passage count that an entity's weight is divided by. */
  readonly specificity: number;
  /** Mentions that a definition counts as. */
  readonly definitionWeight: number;
  /** An entity in more passages is a hub, and acts in the candidates alone. Raising it costs time where names are common. */
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
  /** The part of the passages' mass that activated entities give them; the rest is similarity and priors. */
  readonly activationMass: Float64Array;
  /** Entities that each passage contains. */
  readonly passageDegrees: Uint32Array;
}

/** a / nˢ: an entity's activation by its specificity. */
export function specificActivation(activation: number, degree: number, specificity: number): number {
  return activation / degree ** specificity;
}

/** The entity's term in equation 7's sum, a / nˢ / L · ln(1 + N). @param mass N, a definition counting as several mentions */
export function activationTerm(specific: number, level: number, mass: number): number {
  return (specific / level) * Math.log1p(mass);
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
  const specific = activations.map((a, e) => specificActivation(a, degrees[e], options.specificity));

  const table = new NodeTable();
  let activated = new Float64Array(INITIAL_NODES);
  let similarity = new Float64Array(INITIAL_NODES);
  let passageDegrees = new Uint32Array(INITIAL_NODES);
  const indexOf = (passage: number): number => {
    const index = table.add(passage);
    if (index === activated.length) {
      activated = grown(activated, Float64Array);
      similarity = grown(similarity, Float64Array);
      passageDegrees = grown(passageDegrees, Uint32Array);
    }
    return index;
  };
  const contribution = (e: number, edges: EntityNeighbours | PassageNeighbours, i: number): number =>
    activationTerm(
      specific[e],
      levels[e],
      edgeMass(edges.counts[i], edges.defines[i], definitions[e], options.definitionWeight),
    );

  const near: number[] = [];
  const hubs = new Map<number, number>();
  for (let e = 0; e < entities.length; e++) {
    if (degrees[e] <= options.hubDegree) near.push(e);
    else hubs.set(entities.ids[e], e);
  }
  const around = await graph.passagesOf(pick(entities.ids, near));
  for (let n = 0; n < near.length; n++) {
    for (let i = around.indptr[n]; i < around.indptr[n + 1]; i++) {
      const passage = indexOf(around.ids[i]);
      passageDegrees[passage] = around.degrees[i];
      activated[passage] += contribution(near[n], around, i);
    }
  }
  const inside = await graph.entitiesOf(candidates.passages);
  for (let n = 0; n < candidates.passages.length; n++) {
    const passage = indexOf(candidates.passages.ids[n]);
    passageDegrees[passage] = inside.indptr[n + 1] - inside.indptr[n];
    similarity[passage] = candidates.weights[n];
    if (hubs.size === 0) continue;
    for (let i = inside.indptr[n]; i < inside.indptr[n + 1]; i++) {
      const hub = hubs.get(inside.ids[i]);
      if (hub !== undefined) activated[passage] += contribution(hub, inside, i);
    }
  }

  const passageMass = new Float64Array(table.size);
  const activationMass = new Float64Array(table.size);
  for (let p = 0; p < table.size; p++) {
    const term = Math.log1p(activated[p]);
    activationMass[p] = term * options.passageWeight;
    passageMass[p] = (options.similarityWeight * similarity[p] + term) * options.passageWeight;
  }
  const reset = {
    entities,
    entityMass: Float64Array.from(specific),
    entityDegrees: degrees,
    entityDefinitions: definitions,
    passages: { ids: table.ids, length: table.size },
    passageMass,
    activationMass,
    passageDegrees,
  };
  return priors.passages.length === 0 ? scaled(reset, 1) : addPriors(graph, reset, priors, options.priorShare);
}

/** The reset with all mass brought to sum to `total`. */
function scaled(reset: Reset, total: number): Reset {
  const mass = sum(reset.entityMass) + sum(reset.passageMass);
  const scale = mass === 0 ? 0 : total / mass;
  return {
    ...reset,
    entityMass: reset.entityMass.map((m) => m * scale),
    passageMass: reset.passageMass.map((m) => m * scale),
    activationMass: reset.activationMass.map((m) => m * scale),
  };
}

/** Gives the priors their share of the mass, or all of it where the question brings none. */
async function addPriors(
  graph: GraphReader,
  reset: Reset,
  priors: WeightedPassages,
  priorShare: number,
): Promise<Reset> {
  const isEmpty = sum(reset.entityMass) + sum(reset.passageMass) === 0;
  const share = isEmpty ? 1 : priorShare;
  const own = scaled(reset, 1 - share);
  const table = new NodeTable();
  const masses: number[] = [];
  const activation: number[] = [];
  const degrees: number[] = [];
  for (let p = 0; p < own.passages.length; p++) {
    const index = table.add(own.passages.ids[p]);
    masses[index] = own.passageMass[p];
    activation[index] = own.activationMass[p];
    degrees[index] = own.passageDegrees[p];
  }
  const total = sum(priors.weights);
  const inside = await graph.entitiesOf(priors.passages);
  for (let n = 0; n < priors.passages.length; n++) {
    const index = table.add(priors.passages.ids[n]);
    masses[index] = (masses[index] ?? 0) + (priors.weights[n] / total) * share;
    activation[index] ??= 0;
    degrees[index] = inside.indptr[n + 1] - inside.indptr[n];
  }
  return {
    ...own,
    passages: { ids: table.ids, length: table.size },
    passageMass: Float64Array.from(masses),
    activationMass: Float64Array.from(activation),
    passageDegrees: Uint32Array.from(degrees),
  };
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}
