/** What evidence says, computed again from the raw texts by the plainest means. */
import {
  EnglishAnalyzer,
  normalizeName,
  type Passage,
  type RankingOptions,
  type Span,
  stableKey,
} from "../../src/index.js";
import { formKeys } from "../../src/lexical/word-forms.js";
import { isFunctionWord } from "../../src/text/function-words.js";
import { titleNames } from "../../src/text/names.js";

const analyzer = new EnglishAnalyzer();

interface Sentence {
  readonly passage: Passage;
  readonly ordinal: number;
  readonly span: Span;
  readonly terms: readonly string[];
  readonly names: ReadonlySet<string>;
}

/** What activated an entity: numbers of its greatest contribution, and what it passes on itself. */
export interface Activated {
  readonly activation: number;
  readonly relevance: number;
  readonly contribution: number;
  readonly total: number;
  /** 1 for a seed, and one more with each hop. */
  readonly level: number;
  /** Words of the question that were open where it came from, and those that are from here. */
  readonly before: readonly string[];
  readonly open: readonly string[];
}

export interface NamedEntity {
  readonly name: string;
  /** Where the question names it. */
  readonly span: Span;
  /** Similarity of the names. */
  readonly similarity: number;
}

/** The passages of a corpus, and which of them a query sees. */
export class RawTexts {
  readonly passages: ReadonlyMap<string, Passage>;
  readonly visible: readonly Passage[];
  private readonly bags: ReadonlyMap<string, readonly string[]>;
  private readonly sentences: readonly Sentence[];
  /** Of visible passages. */
  private readonly entities: ReadonlySet<string>;

  constructor(passages: readonly Passage[], isVisible: (passage: Passage) => boolean = () => true) {
    this.passages = new Map(passages.map((passage) => [passage.id, passage]));
    this.visible = passages.filter(isVisible);
    this.bags = new Map(
      passages.map((passage) => [passage.id, [...termsOf(passage.title ?? ""), ...termsOf(passage.text)]]),
    );
    this.sentences = passages.flatMap(sentencesOf).sort(inOrder);
    this.entities = new Set([
      ...this.sentences.filter(({ passage }) => isVisible(passage)).flatMap(({ names }) => [...names]),
      ...this.visible.flatMap((passage) => this.definedBy(passage)),
    ]);
  }

  /** Names that a passage defines. */
  definedBy(passage: Passage): string[] {
    const { title } = passage;
    if (title !== undefined && title.trim() !== "") return titleNames(title);
    const [first] = analyzer.analyze(passage.text).sentences;
    const [mention] = analyzer.analyze(passage.text).mentions;
    return first !== undefined && mention !== undefined && mention.end <= first.end ? [mention.name] : [];
  }

  /** How many passages of the corpus contain and define an entity, and how often one passage mentions it. */
  occurrences(entity: string, passage: Passage): { passages: number; definitions: number; mentions: number } {
    const all = [...this.passages.values()];
    const mentionsIn = ({ text }: Passage) =>
      analyzer.analyze(text).mentions.filter(({ name }) => name === entity).length;
    const defining = all.filter((other) => this.definedBy(other).includes(entity));
    return {
      passages: all.filter((other) => mentionsIn(other) > 0 || defining.includes(other)).length,
      definitions: defining.length,
      mentions: mentionsIn(passage),
    };
  }

  /** σ of every sentence of a passage to these words of the question, and those that it covers. */
  relevances(
    asked: readonly string[],
    open: readonly string[],
    passage: Passage,
    scale: number,
  ): { span: Span; relevance: number; words: string[] }[] {
    return this.sentences
      .filter((sentence) => sentence.passage.id === passage.id)
      .map((sentence) => ({
        span: sentence.span,
        relevance: this.relevance(asked, open, sentence, scale),
        words: this.byRarity(open.filter((term) => sentence.terms.includes(term))),
      }));
  }

  /** The sentences of a passage that mention an entity, by the relevance of what they hold of the open words in any form. */
  bridge(passage: Passage, entity: string, open: readonly string[], scale: number) {
    return this.sentences
      .filter((sentence) => sentence.passage.id === passage.id && sentence.names.has(entity))
      .map(({ terms }) => {
        const left = this.byRarity(open).filter((word) => !this.inAnyForm(open, terms).has(word));
        // Two sums of the same weights may differ by a rounding.
        const cosine = Math.sqrt(Math.max(0, 1 - this.weight(left) / this.weight(open)));
        return { relevance: (cosine * scale) / (scale + terms.length), left };
      });
  }

  /** Share of these words that a passage holds in any form, by weight. */
  shareOf({ id }: Passage, words: readonly string[], open: readonly string[]): number {
    const found = this.inAnyForm(open, this.bags.get(id)!);
    return this.weight(words.filter((word) => found.has(word))) / this.weight(open);
  }

  /** The words that the terms are forms of: of several, a term is the rarest. */
  private inAnyForm(words: readonly string[], terms: readonly string[]): Set<string | undefined> {
    const rarest = this.byRarity(words);
    return new Set(terms.map((term) => rarest.find((word) => formKeys(word).includes(stableKey(term)))));
  }

  /** The question's words that σ counts: those outside of the seeds' names that are no words of grammar, if there are any. */
  asked(question: string, options: RankingOptions): string[] {
    const named = this.named(question, options).map(({ span }) => span);
    const outside = analyzer
      .analyze(question)
      .tokens.filter(({ start, end }) => !named.some((name) => name.start <= start && end <= name.end))
      .filter(({ term }) => !isFunctionWord(term))
      .map(({ term }) => term);
    const all = this.questionTerms(question);
    const open = all.filter((term) => outside.includes(term));
    return options.sentenceWords === "all" || open.length === 0 ? all : open;
  }

  /** BM25 of a passage as a share of the best visible one's. */
  similarity(question: string, passage: Passage, { k1, b }: Pick<RankingOptions, "k1" | "b">): number {
    const average = [...this.bags.values()].reduce((sum, bag) => sum + bag.length, 0) / this.bags.size;
    const score = ({ id }: Passage) => {
      const bag = this.bags.get(id)!;
      return this.questionTerms(question).reduce((sum, term) => {
        const f = bag.filter((other) => other === term).length;
        return sum + (this.idf(term) * f * (k1 + 1)) / (f + k1 * (1 - b + (b * bag.length) / average));
      }, 0);
    };
    const best = Math.max(...this.visible.map(score));
    return best === 0 ? 0 : score(passage) / best;
  }

  /** Entities that the question names, longest names first and none within another, else those with similar names. */
  seeds(question: string, options: Pick<RankingOptions, "minNameSimilarity">): NamedEntity[] {
    const distinct = new Map<string, NamedEntity>();
    for (const named of this.named(question, options)) {
      const known = distinct.get(named.name);
      if (known === undefined || named.similarity > known.similarity) distinct.set(named.name, named);
    }
    return [...distinct.values()];
  }

  /** The same, each as often as the question names it. */
  private named(question: string, options: Pick<RankingOptions, "minNameSimilarity">): NamedEntity[] {
    const { tokens } = analyzer.analyze(question);
    const found: (NamedEntity & { first: number; end: number })[] = [];
    for (let length = tokens.length; length >= 1; length--) {
      for (let first = 0; first + length <= tokens.length; first++) {
        const span = { start: tokens[first].start, end: tokens[first + length - 1].end };
        const name = normalizeName(question.slice(span.start, span.end));
        if (!this.entities.has(name) || name.split(" ").every(isFunctionWord)) continue;
        if (found.some((other) => first < other.end && other.first < first + length)) continue;
        found.push({ first, end: first + length, name, span, similarity: 1 });
      }
    }
    if (found.length === 0) return this.similarSeeds(question, options);
    return found
      .map(({ name, span, similarity }) => ({ name, span, similarity }))
      .sort((a, b) => a.span.start - b.span.start);
  }

  /** The nearest name for each mention, among those in passages with one of its words. */
  private similarSeeds(question: string, options: Pick<RankingOptions, "minNameSimilarity">): NamedEntity[] {
    return analyzer.analyze(question).mentions.flatMap(({ start, end }) => {
      const said = normalizeName(question.slice(start, end));
      const beside = this.visible.filter(({ id }) => said.split(" ").some((word) => this.bags.get(id)!.includes(word)));
      const names = new Set([
        ...this.sentences.filter(({ passage }) => beside.includes(passage)).flatMap((sentence) => [...sentence.names]),
        ...beside.flatMap((passage) => this.definedBy(passage)),
      ]);
      const [nearest] = [...names]
        .map((name) => ({ name, span: { start, end }, similarity: nameSimilarity(said, name) }))
        .filter(({ similarity }) => similarity >= options.minNameSimilarity)
        .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1));
      return nearest === undefined ? [] : [nearest];
    });
  }

  /** Stage 1 over the visible passages, entity by entity and sentence by sentence. */
  activate(question: string, options: RankingOptions): Map<string, Activated> {
    const active = new Map<string, Activated>();
    const asked = this.asked(question, options);
    for (const { name, similarity } of this.seeds(question, options)) {
      const none = { activation: 0, relevance: 0, contribution: 0, before: asked, open: asked };
      active.set(name, { ...none, total: similarity, level: 1 });
    }
    const ids = new Set(this.visible.map(({ id }) => id));
    const sentences = this.sentences.filter(({ passage }) => ids.has(passage.id));
    const sigma = (sentence: Sentence, open: readonly string[]) =>
      this.relevance(asked, open, sentence, options.sentenceLengthScale);
    interface Flow {
      readonly from: string | undefined;
      readonly activation: number;
      readonly relevance: number;
      readonly before: readonly string[];
      readonly open: readonly string[];
      readonly sentence: Sentence;
    }
    const used = new Set<Span>();
    let frontier = [...active.keys()];
    for (let hop = 2; hop <= options.hops && frontier.length > 0; hop++) {
      const flows: Flow[] = [];
      if (options.propagation === "max") {
        for (const sentence of sentences) {
          const relevance = sigma(sentence, asked);
          const sources = [...sentence.names].filter((name) => active.has(name));
          const activation = sources.reduce((sum, name) => sum + active.get(name)!.total, 0);
          const words = { before: asked, open: asked };
          if (activation * relevance > 0) flows.push({ from: undefined, activation, relevance, ...words, sentence });
        }
      } else {
        const chosen = frontier.flatMap((from) => {
          const { total, open } = active.get(from)!;
          return (
            sentences
              .filter(({ names, span }) => names.has(from) && !used.has(span))
              .map((sentence) => ({
                from,
                activation: total,
                relevance: sigma(sentence, open),
                before: open,
                open: options.sentenceWords === "all" ? asked : open.filter((term) => !sentence.terms.includes(term)),
                sentence,
              }))
              .filter(({ relevance }) => relevance > 0)
              // Sorting keeps the order of equals.
              .sort((a, b) => b.relevance - a.relevance)
              .slice(0, options.sentencesPerEntity)
          );
        });
        for (const { sentence } of chosen) used.add(sentence.span);
        flows.push(
          ...chosen.filter(({ activation, relevance }) => activation * relevance >= options.activationThreshold),
        );
      }
      const gains = new Map<string, Activated>();
      for (const { from, activation, relevance, before, open, sentence } of flows) {
        const contribution = activation * relevance;
        for (const name of sentence.names) {
          if (name === from) continue;
          const gain = gains.get(name);
          const total = (gain?.total ?? 0) + contribution;
          if (gain === undefined || contribution > gain.contribution) {
            gains.set(name, { activation, relevance, contribution, total, level: hop, before, open });
          } else if (contribution === gain.contribution) {
            gains.set(name, { ...gain, total, open: gain.open.filter((term) => open.includes(term)) });
          } else gains.set(name, { ...gain, total });
        }
      }
      frontier = [];
      for (const [name, gain] of gains) {
        const old = active.get(name);
        if (old !== undefined) {
          const total = options.propagation === "max" ? Math.max(old.total, gain.total) : old.total + gain.total;
          active.set(name, { ...old, total });
        } else if (options.propagation !== "max" || gain.total > options.activationThreshold) {
          active.set(name, gain);
          frontier.push(name);
        }
      }
    }
    return active;
  }

  /** σ to the open words of those asked. */
  private relevance(asked: readonly string[], open: readonly string[], { terms }: Sentence, scale: number): number {
    const weight = (words: readonly string[]) => this.weight(words);
    const covered = this.byRarity(open).filter((term) => terms.includes(term));
    if (covered.length === 0 || weight(this.byRarity(open)) < 0.25 * weight(this.byRarity(asked))) return 0;
    return (Math.sqrt(weight(covered) / weight(this.byRarity(open))) * scale) / (scale + terms.length);
  }

  private weight(words: readonly string[]): number {
    return words.reduce((sum, term) => sum + this.idf(term) ** 2, 0);
  }

  /** The rarest first, equally rare ones as they were. */
  private byRarity(terms: readonly string[]): string[] {
    return [...terms].sort((a, b) => this.idf(b) - this.idf(a));
  }

  /** The distinct words of the question that a passage holds. */
  questionTerms(question: string): string[] {
    return [...new Set(termsOf(question))].filter((term) => this.frequency(term) > 0);
  }

  idf(term: string): number {
    const df = this.frequency(term);
    return Math.log(1 + (this.bags.size - df + 0.5) / (df + 0.5));
  }

  private frequency(term: string): number {
    return [...this.bags.values()].filter((bag) => bag.includes(term)).length;
  }
}

/** Dice's coefficient of two names' trigrams. */
export function nameSimilarity(a: string, b: string): number {
  const left = trigramsOf(a);
  const rest = trigramsOf(b);
  const total = left.length + rest.length;
  let shared = 0;
  for (const trigram of left) {
    const at = rest.indexOf(trigram);
    if (at < 0) continue;
    rest.splice(at, 1);
    shared++;
  }
  return (2 * shared) / total;
}

function trigramsOf(name: string): string[] {
  const padded = `  ${name} `;
  return Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3));
}

function termsOf(text: string): string[] {
  return analyzer.analyze(text).tokens.map(({ term }) => term);
}

function sentencesOf(passage: Passage): Sentence[] {
  const { sentences, tokens, mentions } = analyzer.analyze(passage.text);
  const within = (span: Span) => (part: Span) => part.start >= span.start && part.end <= span.end;
  return sentences.map((span, ordinal) => ({
    passage,
    ordinal,
    span,
    terms: tokens.filter(within(span)).map(({ term }) => term),
    names: new Set(mentions.filter(within(span)).map(({ name }) => name)),
  }));
}

function inOrder(a: Sentence, b: Sentence): number {
  const byKey = stableKey(a.passage.id) - stableKey(b.passage.id);
  if (byKey !== 0) return byKey;
  return a.passage.id === b.passage.id ? a.ordinal - b.ordinal : a.passage.id < b.passage.id ? -1 : 1;
}
