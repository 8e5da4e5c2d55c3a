import type { WordSet } from "../graph/reader.js";
import type { QuestionTerm } from "../lexical/question.js";
import type { PassageWords } from "./passage-words.js";

/** The words that a `WordSet` can hold; of a longer question the rarest count. */
const MAX_WORDS = 32;

/** What sets of the question's words weigh: the sum of their squared idf. */
export class WordWeights {
  /** The question's words, the rarest first. Their places are the bits of a `WordSet`. */
  readonly terms: readonly QuestionTerm[];
  /** Those that no seed's name holds and that are no words of grammar. */
  readonly open: WordSet;
  private readonly weights: Float64Array;
  private readonly lengthScale: number;

  /** @param open words that count for σ. @param lengthScale L of σ */
  constructor(terms: readonly QuestionTerm[], open: readonly QuestionTerm[], lengthScale: number) {
    this.terms = [...terms].sort((a, b) => b.idf - a.idf).slice(0, MAX_WORDS);
    this.weights = Float64Array.from(this.terms, ({ idf }) => idf * idf);
    const isOpen = new Set(open.map(({ term }) => term));
    let set = 0;
    this.terms.forEach(({ term }, word) => {
      if (isOpen.has(term)) set |= 1 << word;
    });
    this.open = set >>> 0;
    this.lengthScale = lengthScale;
  }

  weight(words: WordSet): number {
    let weight = 0;
    for (let i = 0; i < this.weights.length; i++) if ((words >>> i) & 1) weight += this.weights[i];
    return weight;
  }

  /** Share of `wanted` that `found` holds, by weight. */
  share(found: WordSet, wanted: WordSet): number {
    const whole = this.weight(wanted);
    return whole === 0 ? 0 : this.weight(found & wanted) / whole;
  }

  /** σ of a sentence for the words wanted (`sentence-relevance.ts`). */
  relevance(found: WordSet, wanted: WordSet, length: number): number {
    if ((found & wanted) === 0) return 0;
    return (Math.sqrt(this.share(found, wanted)) * this.lengthScale) / (this.lengthScale + length);
  }

  /** σ of the passage's best sentence. */
  bestRelevance({ sentences, sentenceLengths }: PassageWords, wanted: WordSet): number {
    let best = 0;
    for (let s = 0; s < sentences.length; s++) {
      best = Math.max(best, this.relevance(sentences[s], wanted, sentenceLengths[s]));
    }
    return best;
  }

  /** The greatest share of `wanted` among the words that stand within `reach` tokens after a place. */
  bestStretch({ places, numbers }: PassageWords, wanted: WordSet, reach: number): number {
    let best = 0;
    for (let first = 0; first < places.length; first++) {
      let words = 0;
      for (let i = first; i < places.length && places[i] < places[first] + reach; i++) words |= 1 << numbers[i];
      best = Math.max(best, this.weight(words & wanted));
    }
    const whole = this.weight(wanted);
    return whole === 0 ? 0 : best / whole;
  }

  /** Share of `wanted` among the words that stand in `[from, to)`. */
  shareWithin({ places, numbers }: PassageWords, from: number, to: number, wanted: WordSet): number {
    let words = 0;
    for (let i = 0; i < places.length; i++) if (places[i] >= from && places[i] < to) words |= 1 << numbers[i];
    return this.share(words, wanted);
  }
}
