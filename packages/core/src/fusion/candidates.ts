import type { Activation } from "../activation/activate.js";
import { ALL_WORDS } from "../graph/reader.js";
import type { View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import type { Question } from "../lexical/question.js";
import type { WeightedPassages } from "../pagerank/reset.js";
import { type RankedPassage, toRanked, withoutRounding } from "../retrieve/ranked.js";
import type { QuestionSimilarity } from "../retrieve/similarity.js";
import type { NamedSeed } from "../seeds/ngrams.js";
import { Bridges, clauseShare, nameOrdinals, type SecondHop } from "./bridges.js";
import { FUSION_CONTEXT, FUSION_FEATURES, type FusionFeature } from "./features.js";
import { PassageReader } from "./passage-words.js";
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
}

/** Passages whose sentences the bridges are looked for in. */
const LEADING = 3;

/** Tokens of a stretch: a long sentence. */
const STRETCH = 20;

/** Puts the candidates together and measures them. Linear in their tokens. */
export function gatherPool(input: FusionInput, sizes: PoolSizes): Pool {
  return new PoolBuilder(input, sizes).build();
}

class PoolBuilder {
  private readonly input: FusionInput;
  private readonly sizes: PoolSizes;
  private readonly words: WordWeights;
  private readonly reader: PassageReader;
  private readonly seeds: ReadonlySet<number>;
  private readonly activated: ReadonlyMap<number, number>;
  private readonly pairs: ReadonlyMap<number, number>;

  constructor(input: FusionInput, sizes: PoolSizes) {
    const { view, question, seeds, activation, similarity, sentenceLengthScale } = input;
    this.input = input;
    this.sizes = sizes;
    this.words = new WordWeights(question.terms, similarity.words.terms, sentenceLengthScale);
    this.reader = new PassageReader(view, this.words.terms);
    this.seeds = new Set(seeds.map(({ entity }) => entity));
    this.activated = new Map(
      activation.activations.map((a, i) => [activation.entities.ids[i], a / activation.levels[i]]),
    );
    this.pairs = wordPairs(
      question,
      this.words.terms.map(({ term }) => term),
    );
  }

  build(): Pool {
    const { view, graph, similarity, visibility } = this.input;
    const { sizes } = this;
    const inGraph = ranksOf(graph.slice(0, sizes.graph));
    const byWords = toRanked(similarity.bestByWords(sizes.words)).slice(0, sizes.words);
    const inWords = ranksOf(byWords);
    const wordScores = new Map(byWords.map(({ number, score }) => [number, score]));
    const dense = this.dense();
    const leading = new Map([...(inGraph.size > 0 ? inGraph : inWords)].filter(([, rank]) => rank < LEADING));
    const first = [...leading.keys()].slice(0, LEADING);
    const bridges = new Bridges(view, this.reader, this.words, first, this.seeds);
    const hops = bridges.secondHop(leading, visibility);
    const furthest = [...hops]
      .sort(([a, x], [b, y]) => y.score - x.score || view.comparePassages(a, b))
      .slice(0, sizes.secondHop);
    const members = new Set([...inGraph.keys(), ...inWords.keys(), ...dense.ranks.keys(), ...furthest.map(([p]) => p)]);
    const lead = first.length === 0 ? 0 : this.reader.read(first[0]).words;
    const best = graph.length === 0 ? 1 : graph[0].score;
    const candidates = Array.from(members, (passage): Candidate => {
      const graphRank = inGraph.get(passage);
      const secondHop = hops.get(passage);
      const about = this.about(passage, bridges);
      const read = this.reader.read(passage);
      const { open } = this.words;
      const features: Record<FusionFeature, number> = {
        ...about,
        graphScore: graphRank === undefined ? 0 : graph[graphRank].score / best,
        graphRank: logRank(graphRank, sizes.graph),
        wordScore: wordScores.get(passage) ?? similarity.ofWords(passage),
        wordRank: logRank(inWords.get(passage), sizes.words),
        vectorScore: dense.score(passage),
        vectorRank: logRank(dense.ranks.get(passage), sizes.vectors),
        secondHop: secondHop?.score ?? 0,
        bestSentence: this.words.bestRelevance(read, open),
        bestSentenceOfAll: this.words.bestRelevance(read, ALL_WORDS),
        coverage: this.words.share(read.words, ALL_WORDS),
        missing: this.words.weight(read.words & ~lead) / (this.words.weight(ALL_WORDS) || 1),
        pairs: this.pairShare(read.places, read.numbers),
        bestStretch: this.words.bestStretch(read, ALL_WORDS, STRETCH),
        titleShare: read.titleShare,
        isFirst: leading.get(passage) === 0 ? 1 : 0,
        isLeading: leading.has(passage) ? 1 : 0,
        length: Math.log(read.length + 1),
      };
      return { passage, features: Float64Array.from(FUSION_FEATURES, (name) => features[name]), secondHop };
    });
    return { candidates, context: this.context() };
  }

  /** The passages that vectors find, or priors name, and the score of each by the best one's. */
  private dense(): { ranks: Map<number, number>; score: (passage: number) => number } {
    const { similarity, priors, hasVector } = this.input;
    const { vectors: length } = this.sizes;
    const found = hasVector
      ? toRanked(similarity.bestByVector(length))
      : Array.from(priors.weights, (score, i) => ({ number: priors.passages.ids[i], score })).sort(
          (a, b) => b.score - a.score,
        );
    const list = found.slice(0, length);
    const scores = new Map(list.map(({ number, score }) => [number, score / list[0].score]));
    return { ranks: ranksOf(list), score: (passage) => scores.get(passage) ?? 0 };
  }

  /** What the entities of the passage say. */
  private about(passage: number, bridges: Bridges) {
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
      activation = Math.max(activation, this.activated.get(key) ?? 0);
      if (this.seeds.has(key)) {
        named++;
        if (containDefines[i] === 1) definesSeed = 1;
        if (containCounts[i] > 0) seedWindow = Math.max(seedWindow, this.clauseOf(passage, key));
      } else if (containDefines[i] === 1) {
        const found = bridges.all.get(key);
        if (found === undefined || found.relevance === 0) continue;
        bridge = Math.max(bridge, found.relevance);
        bridgeWindow = Math.max(bridgeWindow, bridges.clause(found));
        if (bridges.best.includes(found)) secondHopDefines = Math.max(secondHopDefines, found.relevance);
      }
    }
    const seedShare = this.seeds.size === 0 ? 0 : named / this.seeds.size;
    return { definesSeed, seedShare, activation, bridge, bridgeWindow, secondHopDefines, seedWindow };
  }

  private clauseOf(passage: number, seed: number): number {
    const { view } = this.input;
    return clauseShare(view, this.reader, this.words, passage, nameOrdinals(view, passage, seed));
  }

  /** Share of the question's pairs of neighbouring words that stand as such in the passage, by weight. */
  private pairShare(places: readonly number[], numbers: readonly number[]): number {
    let whole = 0;
    for (const weight of this.pairs.values()) whole += weight;
    if (whole === 0) return 0;
    const met = new Set<number>();
    for (let i = 0; i + 1 < places.length; i++) {
      if (places[i] + 1 === places[i + 1]) met.add(pairOf(numbers[i], numbers[i + 1]));
    }
    let weight = 0;
    for (const pair of met) weight += this.pairs.get(pair) ?? 0;
    return weight / whole;
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

/** The rank of each passage of a list, from 0; passages of equal score share one. */
function ranksOf(list: readonly RankedPassage[]): Map<number, number> {
  const ranks = new Map<number, number>();
  let rank = 0;
  list.forEach(({ number, score }, i) => {
    if (i > 0 && withoutRounding(score) < withoutRounding(list[i - 1].score)) rank = i;
    ranks.set(number, rank);
  });
  return ranks;
}

/** Saturates at the list's length, so that nothing depends on what stands behind it. */
function logRank(rank: number | undefined, length: number): number {
  return Math.log1p(rank ?? length);
}

function pairOf(first: number, second: number): number {
  return first * 32 + second;
}

/** Pairs of words that follow each other in the question, and what each weighs: as much as the commoner of its words. */
function wordPairs({ tokens, terms }: Question, numbered: readonly string[]): Map<number, number> {
  const numbers = new Map(numbered.map((term, number) => [term, number]));
  const idf = new Map(terms.map((term) => [term.term, term.idf]));
  const pairs = new Map<number, number>();
  for (let i = 0; i + 1 < tokens.length; i++) {
    const first = numbers.get(tokens[i].term);
    const second = numbers.get(tokens[i + 1].term);
    if (first === undefined || second === undefined) continue;
    pairs.set(pairOf(first, second), Math.min(idf.get(tokens[i].term)!, idf.get(tokens[i + 1].term)!));
  }
  return pairs;
}
