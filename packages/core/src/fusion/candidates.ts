import type { Activation } from "../activation/activate.js";
import { ALL_WORDS } from "../graph/reader.js";
import type { View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import type { Question } from "../lexical/question.js";
import type { WeightedPassages } from "../pagerank/reset.js";
import { type RankedPassage, toRanked } from "../retrieve/ranked.js";
import type { QuestionSimilarity } from "../retrieve/similarity.js";
import type { NamedSeed } from "../seeds/ngrams.js";
import { type Bridge, Bridges, type SecondHop } from "./bridges.js";
import { Clauses } from "./clauses.js";
import { FUSION_CONTEXT, FUSION_FEATURES, type FusionFeature } from "./features.js";
import { PassageReader } from "./passage-words.js";
import { PoolList } from "./pool-list.js";
import { WordPairs } from "./word-pairs.js";
import { WordWeights } from "./word-weights.js";

/** How many passages each list gives the pool. */
export interface PoolSizes {
  readonly graph: number;
  readonly words: number;
  readonly vectors: number;
  readonly secondHop: number;
}

/** What stages 1 and 2 found. */
export interface FusionInput {
  readonly view: View;
  readonly question: Question;
  readonly seeds: readonly NamedSeed[];
  readonly activation: Activation;
  readonly similarity: QuestionSimilarity;
  readonly visibility: Visibility;
  /** The graph's ranking, at least as long as the pool's share of it; empty when the graph had nothing to start from. */
  readonly graph: readonly RankedPassage[];
  /** Another retriever's passages stand for those that vectors find where the question has none. */
  readonly priors: WeightedPassages;
  readonly hasVector: boolean;
  readonly sentenceLengthScale: number;
}

/** A passage of the pool. */
export interface Candidate {
  /** Its number in the view. */
  readonly passage: number;
  /** In the order of `FUSION_FEATURES`. */
  readonly features: Float64Array;
  /** What the second hop came by, if it came here. */
  readonly secondHop: SecondHop | undefined;
}

/** The pool of one question. */
export interface Pool {
  readonly candidates: readonly Candidate[];
  /** In the order of `FUSION_CONTEXT`. */
  readonly context: Float64Array;
  /**
   * Whether there are two things to fuse: beside words a vector, a prior, or a graph with something to say, since the
   * question names an entity or some passage defines one that the leading passages mention. Words alone are best ordered
   * by BM25, which has seen every passage.
   */
  readonly hasSources: boolean;
}

/** Passages whose sentences the bridges are looked for in. */
const LEADING = 3;

/** Tokens of a stretch: a long sentence. */
const STRETCH = 20;

/** Place of each feature in a row: written in place, since merging objects takes longer than all else. */
const AT = Object.fromEntries(FUSION_FEATURES.map((name, place) => [name, place])) as Record<FusionFeature, number>;

/** Puts the candidates together and measures them. Linear in their tokens. */
export function gatherPool(input: FusionInput, sizes: PoolSizes): Pool {
  return new PoolBuilder(input, sizes).build();
}

/** What an entity is to the question. */
interface EntityRole {
  /** By level; 0 where activation did not come to. */
  readonly activation: number;
  readonly isSeed: boolean;
  readonly bridge: Bridge | undefined;
}

/** By key. A seed is no bridge. */
function rolesOf(
  { entities, activations, levels }: Activation,
  seeds: ReadonlySet<number>,
  bridges: Bridges,
): Map<number, EntityRole> {
  const roles = new Map<number, EntityRole>();
  for (const [key, bridge] of bridges.all) roles.set(key, { activation: 0, isSeed: false, bridge });
  for (const key of seeds) roles.set(key, { activation: 0, isSeed: true, bridge: undefined });
  for (let i = 0; i < entities.length; i++) {
    const key = entities.ids[i];
    const isSeed = seeds.has(key);
    roles.set(key, { activation: activations[i] / levels[i], isSeed, bridge: bridges.all.get(key) });
  }
  return roles;
}

class PoolBuilder {
  private readonly input: FusionInput;
  private readonly words: WordWeights;
  private readonly pairs: WordPairs;
  private readonly reader: PassageReader;
  private readonly clauses: Clauses;
  /** Keys of the entities that the question names. */
  private readonly seeds: ReadonlySet<number>;
  private readonly byGraph: PoolList;
  private readonly byWords: PoolList;
  private readonly byVector: PoolList;
  /** Passages of the first ranks: more than `LEADING` where they tie. */
  private readonly leading: ReadonlySet<number>;
  private readonly bridges: Bridges;
  private readonly hops: ReadonlyMap<number, SecondHop>;
  /** By key; all others are nothing to the question. */
  private readonly entities: ReadonlyMap<number, EntityRole>;
  /** Coverage around each bridge that was asked for. */
  private readonly bridgeClauses = new Map<Bridge, number>();
  private readonly sizes: PoolSizes;

  constructor(input: FusionInput, sizes: PoolSizes) {
    const { view, question, seeds, activation, similarity, visibility } = input;
    this.input = input;
    this.sizes = sizes;
    this.words = new WordWeights(question.terms, similarity.words.terms, input.sentenceLengthScale);
    this.pairs = new WordPairs(question, this.words);
    this.reader = new PassageReader(view, this.words.terms);
    this.clauses = new Clauses(view, this.reader, this.words);
    this.seeds = new Set(seeds.map(({ entity }) => entity));
    this.byGraph = new PoolList(input.graph, sizes.graph);
    this.byWords = new PoolList(toRanked(similarity.bestByWords(sizes.words)), sizes.words);
    this.byVector = new PoolList(this.denseRanking(), sizes.vectors);
    const leader = this.byGraph.passages.length > 0 ? this.byGraph : this.byWords;
    this.leading = new Set(leader.passages.filter((passage) => leader.rank(passage) < LEADING));
    this.bridges = new Bridges(view, this.reader, this.words, [...this.leading].slice(0, LEADING), this.seeds);
    this.hops = this.bridges.secondHop(this.leading, visibility);
    this.entities = rolesOf(activation, this.seeds, this.bridges);
  }

  build(): Pool {
    const furthest = [...this.hops]
      .sort(([a, x], [b, y]) => y.score - x.score || this.input.view.comparePassages(a, b))
      .slice(0, this.sizes.secondHop)
      .map(([passage]) => passage);
    const { byGraph, byWords, byVector } = this;
    const members = new Set([...byGraph.passages, ...byWords.passages, ...byVector.passages, ...furthest]);
    // Rows of one matrix: an array of its own for each takes as long as filling it.
    const size = FUSION_FEATURES.length;
    const matrix = new Float64Array(members.size * size);
    const candidates = Array.from(members, (passage, i) =>
      this.candidate(passage, matrix.subarray(i * size, (i + 1) * size)),
    );
    const { seeds, priors, hasVector } = this.input;
    const hasSources = hasVector || seeds.length > 0 || priors.passages.length > 0 || this.bridges.anyDefined;
    return { candidates, context: this.context(), hasSources };
  }

  private candidate(passage: number, features: Float64Array): Candidate {
    this.writePlaces(features, passage);
    this.writeEntities(features, passage);
    this.writeWording(features, passage);
    return { passage, features, secondHop: this.hops.get(passage) };
  }

  /** What the rankings say. */
  private writePlaces(features: Float64Array, passage: number): void {
    const { byGraph, byWords, byVector, leading } = this;
    const rank = (byGraph.passages.length > 0 ? byGraph : byWords).rank(passage);
    features[AT.graphScore] = byGraph.relativeScore(passage);
    features[AT.graphRank] = byGraph.logRank(passage);
    features[AT.wordScore] = this.input.similarity.ofWords(passage);
    features[AT.wordRank] = byWords.logRank(passage);
    features[AT.vectorScore] = byVector.relativeScore(passage);
    features[AT.vectorRank] = byVector.logRank(passage);
    features[AT.secondHop] = this.hops.get(passage)?.score ?? 0;
    features[AT.isFirst] = rank === 0 ? 1 : 0;
    features[AT.isLeading] = leading.has(passage) ? 1 : 0;
  }

  /** What the entities that it contains say. */
  private writeEntities(features: Float64Array, passage: number): void {
    const { segment, passageBase } = this.input.view.partOfPassage(passage);
    const { containIndptr, containEntities, containDefines, containCounts, entityKeys } = segment.arrays;
    const local = passage - passageBase;
    let named = 0;
    let definesSeed = 0;
    let activation = 0;
    let bridge = 0;
    let bridgeWindow = 0;
    let secondHopDefines = 0;
    let seedWindow = 0;
    for (let i = containIndptr[local]; i < containIndptr[local + 1]; i++) {
      const key = entityKeys[containEntities[i]];
      const role = this.entities.get(key);
      if (role === undefined) continue;
      activation = Math.max(activation, role.activation);
      if (role.isSeed) {
        named++;
        if (containDefines[i] === 1) definesSeed = 1;
        if (containCounts[i] > 0) seedWindow = Math.max(seedWindow, this.clauses.coverage(passage, key));
      } else if (role.bridge !== undefined && role.bridge.relevance > 0 && containDefines[i] === 1) {
        const { relevance } = role.bridge;
        bridge = Math.max(bridge, relevance);
        bridgeWindow = Math.max(bridgeWindow, this.bridgeClause(role.bridge));
        if (this.bridges.best.includes(role.bridge)) secondHopDefines = Math.max(secondHopDefines, relevance);
      }
    }
    features[AT.definesSeed] = definesSeed;
    features[AT.seedShare] = this.seeds.size === 0 ? 0 : named / this.seeds.size;
    features[AT.activation] = activation;
    features[AT.bridge] = bridge;
    features[AT.bridgeWindow] = bridgeWindow;
    features[AT.secondHopDefines] = secondHopDefines;
    features[AT.seedWindow] = seedWindow;
  }

  /** What its words say. */
  private writeWording(features: Float64Array, passage: number): void {
    const { words } = this;
    const read = this.reader.read(passage);
    const [first] = this.leading;
    const lead = first === undefined ? 0 : this.reader.read(first).words;
    features[AT.bestSentence] = words.bestRelevance(read, words.open);
    features[AT.bestSentenceOfAll] = words.bestRelevance(read, ALL_WORDS);
    features[AT.coverage] = words.share(read.words, ALL_WORDS);
    features[AT.missing] = words.share(read.words & ~lead, ALL_WORDS);
    features[AT.pairs] = this.pairs.share(read);
    features[AT.bestStretch] = words.bestStretch(read, STRETCH);
    features[AT.titleShare] = read.titleShare;
    features[AT.length] = Math.log(read.length + 1);
  }

  private bridgeClause(bridge: Bridge): number {
    let coverage = this.bridgeClauses.get(bridge);
    if (coverage === undefined) {
      this.bridgeClauses.set(bridge, (coverage = this.clauses.coverage(bridge.passage, bridge.entity)));
    }
    return coverage;
  }

  /** The passages that vectors find, or else priors name, the best first. */
  private denseRanking(): RankedPassage[] {
    const { similarity, hasVector, priors } = this.input;
    if (hasVector) return toRanked(similarity.bestByVector(this.sizes.vectors));
    // Sorting keeps the order of equals, which is one that storage does not change.
    return Array.from(priors.weights, (score, i) => ({ number: priors.passages.ids[i], score })).sort(
      (a, b) => b.score - a.score,
    );
  }

  private context(): Float64Array {
    const { view, seeds, question } = this.input;
    const degrees = seeds.map(({ entity }) => Math.log(Math.max(1, view.entityDegree(entity))));
    const defined = seeds.filter(({ entity }) => view.entityDefinitions(entity) > 0).length;
    const count = Math.max(1, seeds.length);
    const context = {
      seeds: seeds.length,
      noSeed: seeds.length === 0 ? 1 : 0,
      meanSeedDegree: degrees.reduce((sum, degree) => sum + degree, 0) / count,
      leastSeedDegree: seeds.length === 0 ? 0 : Math.min(...degrees),
      definedSeeds: defined / count,
      questionLength: Math.log(question.tokens.length + 1),
    };
    return Float64Array.from(FUSION_CONTEXT, (name) => context[name]);
  }
}
