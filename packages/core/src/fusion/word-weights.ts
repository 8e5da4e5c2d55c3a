import { ALL_WORDS, type WordSet } from "../graph/reader.js";
import type { QuestionTerm } from "../lexical/question.js";
import { QuestionWords } from "../lexical/question-words.js";
import { discounted } from "../lexical/sentence-relevance.js";
import type { PassageWords } from "./passage-words.js";

/** The question's words, and what passages that hold some of them are worth by that. */
export class WordWeights extends QuestionWords {
  /** Those that no seed's name holds and that are no words of grammar. */
  readonly open: WordSet;
  private readonly lengthScale: number;

  /** @param open words that count for σ. @param lengthScale L of σ */
  constructor(terms: readonly QuestionTerm[], open: readonly QuestionTerm[], lengthScale: number) {
    super(terms);
    this.open = this.setOf(open);
    this.lengthScale = lengthScale;
  }

  /** σ of a sentence for the words wanted (`sentence-relevance.ts`). @param length its tokens */
  relevance(found: WordSet, wanted: WordSet, length: number): number {
    return discounted(Math.sqrt(this.share(found, wanted)), length, this.lengthScale);
  }

  /** σ of the passage's best sentence. */
  bestRelevance({ sentences, sentenceLengths }: PassageWords, wanted: WordSet): number {
    let best = 0;
    for (let s = 0; s < sentences.length; s++) {
      best = Math.max(best, this.relevance(sentences[s], wanted, sentenceLengths[s]));
    }
    return best;
  }

  /** The greatest share of all words in a stretch of so many tokens that begins with one of them. */
  bestStretch({ occurrences: { places, words }, first, end }: PassageWords, tokens: number): number {
    let best = 0;
    for (let start = first; start < end; start++) {
      let met = 0;
      for (let i = start; i < end && places[i] < places[start] + tokens; i++) met |= 1 << words[i];
      best = Math.max(best, this.weight(met));
    }
    return best === 0 ? 0 : best / this.weight(ALL_WORDS);
  }
}
