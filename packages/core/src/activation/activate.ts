/**
 * Stage 1: entity activation by semantic bridging (LinearRAG, arXiv 2510.10114, section 3.3, equations 3–5).
 *
 * Activation starts at the question's entities and passes from entity to entity through sentences that
 * mention both, weighted by the sentence's relevance σ to the question. Two modes:
 *
 * - `"max"`, equation 5 as printed: a ← MAX(Mᵀ(σ ⊙ (M a)), a), over all sentences of all active entities.
 * - `"top-sentences"`: an entity passes activation once, in the hop after it was activated, through its few
 *   most relevant sentences that no earlier hop used, and contributions add up. A contribution below δ is
 *   dropped, and an entity gives nothing back to itself.
 *
 * In both an entity's level is the hop at which it was first activated; seeds have level 1.
 */
import { BestList } from "../best-list.js";
import { NodeTable } from "../graph/node-table.js";
import { type GraphReader, listOf, type NodeList, pick } from "../graph/reader.js";

export interface ActivationOptions {
  readonly propagation: "max" | "top-sentences";
  /** Levels, the seeds being the first: 1 activates nothing else. */
  readonly hops: number;
  /** δ: what a newly activated entity must exceed (`"max"`), or a contribution reach (`"top-sentences"`). */
  readonly activationThreshold: number;
  /** Sentences through which an entity passes activation; `"top-sentences"` only. */
  readonly sentencesPerEntity: number;
}

export interface Seed {
  /** The entity's key. */
  readonly entity: number;
  /** Similarity to what the question says, in (0, 1]. */
  readonly activation: number;
}

/** How an entity was activated: its greatest contribution. */
export interface Bridge {
  /** Index of the entity that it came from. */
  readonly from: number;
  readonly sentence: number;
  /** σ of the sentence. */
  readonly relevance: number;
  /** Activation that the sentence passed on: of `from`, or in mode `"max"` of all active entities that it mentions. */
  readonly activation: number;
}

/** The activated entities, in the order of their activation: seeds first, as given. */
export interface Activation {
  /** Keys, and the number of entities. */
  readonly entities: NodeList;
  readonly activations: readonly number[];
  readonly levels: readonly number[];
  /** Undefined for a seed. */
  readonly bridges: readonly (Bridge | undefined)[];
  /** Sentences read. */
  readonly sentencesRead: number;
}

/**
 * Spreads activation from the seeds.
 *
 * @throws the signal's reason when it is aborted
 */
export async function activate(
  graph: GraphReader,
  seeds: readonly Seed[],
  options: ActivationOptions,
  signal?: AbortSignal,
): Promise<Activation> {
  const spread = new Spread(seeds);
  const step = options.propagation === "max" ? stepMax : stepTopSentences;
  let frontier = spread.entities.map((_, index) => index);
  const usedSentences = new NodeTable();
  for (let level = 2; level <= options.hops && frontier.length > 0; level++) {
    signal?.throwIfAborted();
    const gains = await step(graph, spread, frontier, usedSentences, options);
    const reached = spread.apply(gains, level, options);
    if (options.propagation === "max") {
      if (reached.length === 0) break;
      frontier.push(...reached);
    } else {
      frontier = reached;
    }
  }
  return {
    entities: { ids: Float64Array.from(spread.entities), length: spread.entities.length },
    activations: spread.activations,
    levels: spread.levels,
    bridges: spread.bridges,
    sentencesRead: spread.sentencesRead,
  };
}

/** What one hop brings to an entity. */
interface Gain {
  amount: number;
  bridge: Bridge;
}

/** The state between hops. */
class Spread {
  readonly entities: number[] = [];
  readonly activations: number[] = [];
  readonly levels: number[] = [];
  readonly bridges: (Bridge | undefined)[] = [];
  sentencesRead = 0;
  private readonly table = new NodeTable();

  constructor(seeds: readonly Seed[]) {
    for (const { entity, activation } of seeds) this.insert(entity, activation, 1, undefined);
  }

  /** Takes over a hop's gains; returns the indices of the newly activated entities. */
  apply(gains: ReadonlyMap<number, Gain>, level: number, options: ActivationOptions): number[] {
    const reached: number[] = [];
    for (const [entity, { amount, bridge }] of gains) {
      const index = this.table.find(entity);
      if (index >= 0) {
        const old = this.activations[index];
        this.activations[index] = options.propagation === "max" ? Math.max(old, amount) : old + amount;
        continue;
      }
      if (options.propagation === "max" && amount <= options.activationThreshold) continue;
      reached.push(this.insert(entity, amount, level, bridge));
    }
    return reached;
  }

  private insert(entity: number, activation: number, level: number, bridge: Bridge | undefined): number {
    const index = this.table.add(entity);
    this.entities.push(entity);
    this.activations.push(activation);
    this.levels.push(level);
    this.bridges.push(bridge);
    return index;
  }
}

type Step = (
  graph: GraphReader,
  spread: Spread,
  frontier: readonly number[],
  used: NodeTable,
  options: ActivationOptions,
) => Promise<Map<number, Gain>>;

const stepTopSentences: Step = async (graph, spread, frontier, used, options) => {
  const { indptr, ids, relevance } = await graph.sentencesOf(pick(spread.entities, frontier));
  const chosen: { from: number; sentence: number; relevance: number }[] = [];
  frontier.forEach((from, n) => {
    // Places stand in sentence order, so the lower place wins a tie.
    const best = new BestList(options.sentencesPerEntity, (a, b) => a - b);
    for (let place = indptr[n]; place < indptr[n + 1]; place++) {
      if (relevance[place] > best.threshold && used.find(ids[place]) < 0) best.offer(place, relevance[place]);
    }
    spread.sentencesRead += indptr[n + 1] - indptr[n];
    for (const place of best.items.subarray(0, best.length)) {
      chosen.push({ from, sentence: ids[place], relevance: relevance[place] });
    }
  });
  const gains = new Map<number, Gain>();
  const mentioned = await graph.entitiesIn(listOf(chosen.map(({ sentence }) => sentence)));
  chosen.forEach(({ from, sentence, relevance: sigma }, n) => {
    used.add(sentence);
    if (spread.activations[from] * sigma < options.activationThreshold) return;
    for (let i = mentioned.indptr[n]; i < mentioned.indptr[n + 1]; i++) {
      const entity = mentioned.ids[i];
      if (entity === spread.entities[from]) continue;
      addGain(gains, entity, { from, sentence, relevance: sigma, activation: spread.activations[from] });
    }
  });
  return gains;
};

const stepMax: Step = async (graph, spread, frontier, _used, _options) => {
  const { indptr, ids, relevance } = await graph.sentencesOf(pick(spread.entities, frontier));
  // u = σ ⊙ (M a), sentence by sentence, with the greatest activation behind each for the evidence.
  const sentences = new NodeTable();
  const flows: { sigma: number; activation: number; from: number }[] = [];
  frontier.forEach((from, n) => {
    const activation = spread.activations[from];
    for (let place = indptr[n]; place < indptr[n + 1]; place++) {
      const index = sentences.add(ids[place]);
      const flow = (flows[index] ??= { sigma: relevance[place], activation: 0, from });
      flow.activation += activation;
      if (activation > spread.activations[flow.from]) flow.from = from;
    }
    spread.sentencesRead += indptr[n + 1] - indptr[n];
  });
  const gains = new Map<number, Gain>();
  const mentioned = await graph.entitiesIn({ ids: sentences.ids, length: sentences.size });
  flows.forEach(({ sigma, activation, from }, n) => {
    for (let i = mentioned.indptr[n]; i < mentioned.indptr[n + 1]; i++) {
      addGain(gains, mentioned.ids[i], { from, sentence: sentences.ids[n], relevance: sigma, activation });
    }
  });
  return gains;
};

function addGain(gains: Map<number, Gain>, entity: number, bridge: Bridge): void {
  const contribution = bridge.activation * bridge.relevance;
  const gain = gains.get(entity);
  if (gain === undefined) {
    gains.set(entity, { amount: contribution, bridge });
    return;
  }
  gain.amount += contribution;
  if (contribution > gain.bridge.activation * gain.bridge.relevance) gain.bridge = bridge;
}
