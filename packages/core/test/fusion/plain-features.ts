/** The features of stage 3, computed from the raw texts by the plainest means: strings and arrays, passage by passage. */
import { type FusionFeature, type Passage, type PoolSizes, type RankingOptions, stableKey } from "../../src/index.js";
import { formKeys } from "../../src/lexical/word-forms.js";
import { type RawTexts } from "../index/raw-texts.js";
import { RememberingAnalyzer } from "../index/world.js";

const analyzer = new RememberingAnalyzer();

/** A passage's place in a ranking: ids and scores, the best first. */
export type PlainRanking = readonly { readonly id: string; readonly score: number }[];

/** What the features are computed from. */
export interface PlainInput {
  readonly texts: RawTexts;
  readonly question: string;
  readonly options: RankingOptions;
  readonly pool: PoolSizes;
  /** By stage 2, and by BM25 as a share of the best; without passages of score 0. */
  readonly byGraph: PlainRanking;
  readonly byWords: PlainRanking;
}

interface Bridge {
  readonly name: string;
  readonly passage: Passage;
  readonly relevance: number;
  readonly left: readonly string[];
}

interface Sentence {
  readonly terms: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** All features but those of vectors, which are 0 and the length of the list. */
export class PlainFeatures {
  /** Ids of the passages that the pool holds. */
  readonly members: ReadonlySet<string>;
  private readonly input: PlainInput;
  private readonly byGraph: PlainRanking;
  private readonly byWords: PlainRanking;
  /** Of the question, the rarest first. */
  private readonly words: readonly string[];
  private readonly open: readonly string[];
  private readonly seeds: readonly string[];
  private readonly leading: readonly string[];
  private readonly bridges: readonly Bridge[];
  private readonly best: readonly Bridge[];
  private readonly hops: ReadonlyMap<string, number>;

  constructor(input: PlainInput) {
    const { texts, question, options, pool } = input;
    this.input = input;
    this.byGraph = input.byGraph.slice(0, pool.graph);
    this.byWords = input.byWords.slice(0, pool.words);
    this.words = texts
      .questionTerms(question)
      .sort((a, b) => texts.idf(b) - texts.idf(a))
      .slice(0, 32);
    const asked = texts.asked(question, options);
    this.open = this.words.filter((word) => asked.includes(word));
    this.seeds = texts.seeds(question, options).map(({ name }) => name);
    const leader = this.byGraph.length > 0 ? this.byGraph : this.byWords;
    this.leading = leader.filter(({ id }) => rankIn(leader, id)! < 3).map(({ id }) => id);
    this.bridges = this.findBridges();
    this.best = this.bridges
      .filter(({ relevance, name }) => relevance > 0 && this.passagesWith(name).length <= 40)
      .sort((a, b) => b.relevance - a.relevance || stableKey(a.name) - stableKey(b.name))
      .slice(0, 6);
    this.hops = this.secondHop();
    const furthest = [...this.hops]
      .sort(([a, x], [b, y]) => y - x || stableKey(a) - stableKey(b))
      .slice(0, pool.secondHop)
      .map(([id]) => id);
    this.members = new Set([...this.byGraph, ...this.byWords].map(({ id }) => id).concat(furthest));
  }

  of(id: string): Record<FusionFeature, number> {
    const { texts, question, options, pool, byWords } = this.input;
    const passage = texts.passages.get(id)!;
    const sentences = sentencesOf(passage);
    const title = termsOf(passage.title ?? "");
    const tokens = tokensOf(passage);
    const names = new Set(sentences.flatMap((sentence) => [...sentence.names]));
    const defined = texts.definedBy(passage);
    const contained = new Set([...names, ...defined]);
    const bridges = this.bridges.filter(
      ({ name, relevance }) => relevance > 0 && defined.includes(name) && !this.seeds.includes(name),
    );
    const activated = texts.activate(question, options);
    const lead = this.leading.length === 0 ? [] : this.in(tokensOf(texts.passages.get(this.leading[0])!));
    const found = this.in(tokens);
    return {
      graphScore: (scoreIn(this.byGraph, id) ?? 0) / (this.byGraph[0]?.score ?? 1),
      graphRank: Math.log(1 + (rankIn(this.byGraph, id) ?? pool.graph)),
      wordScore: scoreIn(byWords, id) ?? 0,
      wordRank: Math.log(1 + (rankIn(this.byWords, id) ?? pool.words)),
      vectorScore: 0,
      vectorRank: Math.log(1 + pool.vectors),
      definesSeed: this.seeds.some((name) => defined.includes(name)) ? 1 : 0,
      seedShare: this.seeds.filter((name) => contained.has(name)).length / (this.seeds.length || 1),
      activation: greatest([...contained].map((name) => ratio(activated.get(name)))),
      bridge: greatest(bridges.map(({ relevance }) => relevance)),
      bridgeWindow: greatest(bridges.map((bridge) => this.clause(bridge.passage, bridge.name))),
      secondHop: this.hops.get(id) ?? 0,
      secondHopDefines: greatest(bridges.filter((b) => this.best.includes(b)).map(({ relevance }) => relevance)),
      bestSentence: greatest(sentences.map(({ terms }) => this.relevance(terms, this.open))),
      bestSentenceOfAll: greatest(sentences.map(({ terms }) => this.relevance(terms, this.words))),
      seedWindow: greatest(this.seeds.filter((name) => names.has(name)).map((name) => this.clause(passage, name))),
      coverage: this.share(found, this.words),
      missing: this.share(
        found.filter((word) => !lead.includes(word)),
        this.words,
      ),
      pairs: this.pairs(tokens),
      bestStretch: greatest(tokens.map((_, i) => this.share(this.in(tokens.slice(i, i + 20)), this.words))),
      titleShare: title.filter((term) => this.wordOf(term) !== undefined).length / (title.length || 1),
      isFirst: this.leading.includes(id) && rankIn(this.leader, id) === 0 ? 1 : 0,
      isLeading: this.leading.includes(id) ? 1 : 0,
      length: Math.log(tokens.length + 1),
    };
  }

  /** Whether the question names something, or any passage defines a bridge. */
  get hasSources(): boolean {
    const { texts } = this.input;
    const defined = [...texts.passages.values()].flatMap((passage) => texts.definedBy(passage));
    return this.seeds.length > 0 || this.bridges.some(({ name }) => defined.includes(name));
  }

  private get leader(): PlainRanking {
    return this.byGraph.length > 0 ? this.byGraph : this.byWords;
  }

  private findBridges(): Bridge[] {
    const bridges = new Map<string, Bridge>();
    for (const id of this.leading.slice(0, 3)) {
      const passage = this.input.texts.passages.get(id)!;
      for (const { terms, names } of sentencesOf(passage)) {
        const relevance = this.relevance(terms, this.open);
        const left = this.open.filter((word) => !this.in(terms).includes(word));
        for (const name of names) {
          if (this.seeds.includes(name) || relevance <= (bridges.get(name)?.relevance ?? -1)) continue;
          bridges.set(name, { name, passage, relevance, left });
        }
      }
    }
    return [...bridges.values()];
  }

  private secondHop(): Map<string, number> {
    const { visible } = this.input.texts;
    const hops = new Map<string, number>();
    for (const { name, relevance, left } of this.best) {
      for (const passage of this.passagesWith(name)) {
        if (!visible.includes(passage) || this.leading.includes(passage.id)) continue;
        const found = this.in(tokensOf(passage)).filter((word) => left.includes(word));
        const score = relevance * (0.2 + Math.sqrt(this.share(found, this.open)));
        hops.set(passage.id, Math.max(score, hops.get(passage.id) ?? 0));
      }
    }
    return hops;
  }

  private passagesWith(name: string): Passage[] {
    const { texts } = this.input;
    return [...texts.passages.values()].filter(
      (passage) => texts.definedBy(passage).includes(name) || sentencesOf(passage).some(({ names }) => names.has(name)),
    );
  }

  /** The best coverage of the open words from six tokens before the name to six behind it. */
  private clause(passage: Passage, name: string): number {
    const tokens = tokensOf(passage);
    const words = name.split(" ");
    const shares = tokens.map((_, i) => {
      if (words.some((word, j) => tokens[i + j] !== word)) return 0;
      return this.share(this.in(tokens.slice(Math.max(0, i - 6), i + words.length + 6)), this.open);
    });
    return greatest(shares);
  }

  /** Share of the question's pairs of words that follow each other in the passage too. */
  private pairs(tokens: readonly string[]): number {
    const pairsOf = (words: readonly (string | undefined)[]) =>
      new Map(
        words.flatMap((word, i) => {
          const next = words[i + 1];
          if (word === undefined || next === undefined) return [];
          const idf = Math.min(this.input.texts.idf(word), this.input.texts.idf(next));
          return [[`${word} ${next}`, idf] as const];
        }),
      );
    const asked = termsOf(this.input.question).map((term) => (this.words.includes(term) ? term : undefined));
    const wanted = pairsOf(asked);
    const met = pairsOf(tokens.map((token) => this.wordOf(token)));
    const sum = (weights: Iterable<number>) => [...weights].reduce((total, weight) => total + weight, 0);
    const both = [...wanted].filter(([pair]) => met.has(pair)).map(([, idf]) => idf);
    return wanted.size === 0 ? 0 : sum(both) / sum(wanted.values());
  }

  /** The rarest of the question's words that the token is, in one of its forms. */
  private wordOf(token: string): string | undefined {
    return this.words.find((word) => formKeys(word).includes(stableKey(token)));
  }

  /** The question's words among the tokens. */
  private in(tokens: readonly string[]): string[] {
    const found = new Set(tokens.map((token) => this.wordOf(token)));
    return this.words.filter((word) => found.has(word));
  }

  private share(found: readonly string[], wanted: readonly string[]): number {
    const weight = (words: readonly string[]) => words.reduce((sum, word) => sum + this.input.texts.idf(word) ** 2, 0);
    return wanted.length === 0 ? 0 : weight(wanted.filter((word) => found.includes(word))) / weight(wanted);
  }

  private relevance(terms: readonly string[], wanted: readonly string[]): number {
    const { sentenceLengthScale } = this.input.options;
    const cosine = Math.sqrt(this.share(this.in(terms), wanted));
    return (cosine * sentenceLengthScale) / (sentenceLengthScale + terms.length);
  }
}

/** How many passages score more; undefined outside the ranking. */
function rankIn(ranking: PlainRanking, id: string): number | undefined {
  const score = scoreIn(ranking, id);
  return score === undefined ? undefined : ranking.filter((other) => other.score > score * (1 + 1e-11)).length;
}

function scoreIn(ranking: PlainRanking, id: string): number | undefined {
  return ranking.find((other) => other.id === id)?.score;
}

function ratio(activated: { total: number; level: number } | undefined): number {
  return activated === undefined ? 0 : activated.total / activated.level;
}

function greatest(values: readonly number[]): number {
  return Math.max(0, ...values);
}

function tokensOf({ title, text }: Passage): string[] {
  return [...termsOf(title ?? ""), ...termsOf(text)];
}

function termsOf(text: string): string[] {
  return analyzer.analyze(text).tokens.map(({ term }) => term);
}

function sentencesOf({ text }: Passage): Sentence[] {
  const { sentences, tokens, mentions } = analyzer.analyze(text);
  return sentences.map(({ start, end }) => ({
    terms: tokens.filter((token) => token.start >= start && token.end <= end).map(({ term }) => term),
    names: new Set(mentions.filter((m) => m.start >= start && m.end <= end).map(({ name }) => name)),
  }));
}
