import type { WordSet } from "../graph/reader.js";
import type { QuestionTerm } from "./question.js";

/** The words that a `WordSet` holds. A question has hardly more that tell texts apart; the rarest count. */
export const MAX_WORDS = 32;

/** Words of a question and their weights, the squares of their idf: bit i of a `WordSet` is the i-th rarest. */
export class QuestionWords {
  /** The rarest first. */
  readonly terms: readonly QuestionTerm[];
  private readonly weights: Float64Array;
  /** A bit for each word. */
  private readonly all: WordSet;

  constructor(terms: readonly QuestionTerm[]) {
    this.terms = [...terms].sort((a, b) => b.idf - a.idf).slice(0, MAX_WORDS);
    this.weights = Float64Array.from(this.terms, ({ idf }) => idf * idf);
    this.all = this.terms.reduce((all, _, i) => all | (1 << i), 0);
  }

  weight(words: WordSet): number {
    let weight = 0;
    for (let rest = words & this.all; rest !== 0; rest &= rest - 1)
      weight += this.weights[31 - Math.clz32(rest & -rest)];
    return weight;
  }

  /** Share of `wanted` that `found` holds, by weight; 0 when nothing is wanted. */
  share(found: WordSet, wanted: WordSet): number {
    const whole = this.weight(wanted);
    return whole === 0 ? 0 : this.weight(found & wanted) / whole;
  }

  /** In the order of rarity. */
  in(words: WordSet): string[] {
    return this.terms.filter((_, i) => (words >>> i) & 1).map(({ term }) => term);
  }

  /** Those of the words that are among these terms. */
  setOf(terms: readonly QuestionTerm[]): WordSet {
    const wanted = new Set(terms.map(({ key }) => key));
    let words = 0;
    this.terms.forEach(({ key }, i) => {
      if (wanted.has(key)) words |= 1 << i;
    });
    return words >>> 0;
  }
}
