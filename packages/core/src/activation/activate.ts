/**
 * Stage 1: entity activation by semantic bridging (LinearRAG, arXiv 2510.10114, section 3.3, equations 3–5).
 *
 * Activation starts at the question's entities and passes from entity to entity through sentences that
 * mention both, weighted by the sentence's relevance σ to the question. Two modes:
 *
 * - `"max"`, equation 5 as printed: a ← MAX(Mᵀ(σ ⊙ (M a)), a), over all sentences of all active entities.
 * - `"top-sentences"`: an entity passes activation once, in the hop after it was activated, through its few
 *   most relevant sentences that no earlier hop used, and contributions add up. A contribution below δ is
 *   dropped, and an entity gives nothing back to itself. The question's words that a sentence covers are no
 *   longer open for the entity that it activates (not in the paper, see `sentence-relevance.ts`).
 *
 * In both an entity's level is the hop at which it was first activated; seeds have level 1.
 */
import { BestList } from "../best-list.js";
import { NodeTable } from "../graph/node-table.js";
import { ALL_WORDS, type GraphReader, listOf, type NodeList, pick, type WordSet } from "../graph/reader.js";

export interface ActivationOptions {
  /** What carries activation: all sentences of all active entities (`"max"`), or each entity's few most relevant ones. */
  readonly propagation: "max" | "top-sentences";
  /** Levels, the seeds being the first: 1 activates nothing else. */
  readonly hops: number;
  /** δ: what a newly activated entity must exceed (`"max"`), or a contribution reach (`"top-sentences"`). */
  readonly activationThreshold: number;
  /** Sentences through which an entity passes activation; `"top-sentences"` only. */
  readonly sentencesPerEntity: number;
  /**
   * The words of the question that σ counts: those that neither the seeds' names nor the sentences on the way hold,
   * or, as in the paper, `"all"`. With propagation `"max"` an entity has no one way: only names are left out.
   */
  readonly sentenceWords: "open" | "all";
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
  /** The open words of the question that it covers. */
  readonly covered: WordSet;
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
  /** Words that are open from here: none that the bridge covers, or one as strong. */
  open: WordSet;
}

/** The state between hops. */
class Spread {
  readonly entities: number[] = [];
  readonly activations: number[] = [];
  readonly levels: number[] = [];
  readonly bridges: (Bridge | undefined)[] = [];
  readonly open: WordSet[] = [];
  sentencesRead = 0;
  private readonly table = new NodeTable();

  constructor(seeds: readonly Seed[]) {
    for (const { entity, activation } of seeds) this.insert(entity, activation, 1, undefined, ALL_WORDS);
  }

  /** Takes over a hop's gains; returns the indices of the newly activated entities. */
  apply(gains: ReadonlyMap<number, Gain>, level: number, options: ActivationOptions): number[] {
    const reached: number[] = [];
    for (const [entity, { amount, bridge, open }] of gains) {
      const index = this.table.find(entity);
      if (index >= 0) {
        const old = this.activations[index];
        this.activations[index] = options.propagation === "max" ? Math.max(old, amount) : old + amount;
        continue;
      }
      if (options.propagation === "max" && amount <= options.activationThreshold) continue;
      reached.push(this.insert(entity, amount, level, bridge, open));
    }
    return reached;
  }

  private insert(entity: number, activation: number, level: number, bridge: Bridge | undefined, open: WordSet): number {
    const index = this.table.add(entity);
    this.entities.push(entity);
    this.activations.push(activation);
    this.levels.push(level);
    this.bridges.push(bridge);
    this.open.push(open);
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
  const open = Uint32Array.from(frontier, (index) => spread.open[index]);
  const { indptr, ids, relevance, covered } = await graph.sentencesOf(pick(spread.entities, frontier), open);
  const bridges: Bridge[] = [];
  frontier.forEach((from, n) => {
    // Places stand in sentence order, so the lower place wins a tie.
    const best = new BestList(options.sentencesPerEntity, (a, b) => a - b);
    for (let place = indptr[n]; place < indptr[n + 1]; place++) {
      if (relevance[place] > best.threshold && used.find(ids[place]) < 0) best.offer(place, relevance[place]);
    }
    spread.sentencesRead += indptr[n + 1] - indptr[n];
    const activation = spread.activations[from];
    for (const place of best.ranked().items) {
      bridges.push({
        from,
        sentence: ids[place],
        relevance: relevance[place],
        covered: covered[place],
        activation,
      });
    }
  });
  const gains = new Map<number, Gain>();
  const mentioned = await graph.entitiesIn(listOf(bridges.map(({ sentence }) => sentence)));
  bridges.forEach((bridge, n) => {
    used.add(bridge.sentence);
    if (bridge.activation * bridge.relevance < options.activationThreshold) return;
    const left = options.sentenceWords === "all" ? ALL_WORDS : (spread.open[bridge.from] & ~bridge.covered) >>> 0;
    for (let i = mentioned.indptr[n]; i < mentioned.indptr[n + 1]; i++) {
      const entity = mentioned.ids[i];
      if (entity !== spread.entities[bridge.from]) addGain(gains, entity, bridge, left);
    }
  });
  return gains;
};

const stepMax: Step = async (graph, spread, frontier, _used, _options) => {
  const open = new Uint32Array(frontier.length).fill(ALL_WORDS);
  const { indptr, ids, relevance, covered } = await graph.sentencesOf(pick(spread.entities, frontier), open);
  // u = σ ⊙ (M a), sentence by sentence, with the greatest activation behind each for the evidence.
  const sentences = new NodeTable();
  const flows: { sigma: number; covered: WordSet; activation: number; from: number }[] = [];
  frontier.forEach((from, n) => {
    const activation = spread.activations[from];
    for (let place = indptr[n]; place < indptr[n + 1]; place++) {
      const index = sentences.add(ids[place]);
      const flow = (flows[index] ??= { sigma: relevance[place], covered: covered[place], activation: 0, from });
      flow.activation += activation;
      if (activation > spread.activations[flow.from]) flow.from = from;
    }
    spread.sentencesRead += indptr[n + 1] - indptr[n];
  });
  const gains = new Map<number, Gain>();
  const mentioned = await graph.entitiesIn({ ids: sentences.ids, length: sentences.size });
  flows.forEach(({ sigma, covered, activation, from }, n) => {
    const bridge = { from, sentence: sentences.ids[n], relevance: sigma, covered, activation };
    for (let i = mentioned.indptr[n]; i < mentioned.indptr[n + 1]; i++) {
      addGain(gains, mentioned.ids[i], bridge, ALL_WORDS);
    }
  });
  return gains;
};

function addGain(gains: Map<number, Gain>, entity: number, bridge: Bridge, open: WordSet): void {
  const contribution = bridge.activation * bridge.relevance;
  const gain = gains.get(entity);
  if (gain === undefined) {
    gains.set(entity, { amount: contribution, bridge, open });
    return;
  }
  gain.amount += contribution;
  const strongest = gain.bridge.activation * gain.bridge.relevance;
  if (contribution > strongest) {
    gain.bridge = bridge;
    gain.open = open;
  } else if (contribution === strongest) {
    gain.open = (gain.open & open) >>> 0;
  }
}
