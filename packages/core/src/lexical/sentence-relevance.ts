/**
 * Relevance σ of a sentence to the question without vectors (equation 4 asks for a similarity):
 *
 *     σ(s) = √( Σ_{t ∈ o ∩ s} idf(t)² / Σ_{t ∈ o} idf(t)² ) · L / (L + |s|)
 *
 * over the words o of the question that are still open: the cosine, weighted by rarity, of what is open and the part
 * of it that the sentence covers, discounted by the sentence's length |s| in tokens. A word that has led to an entity
 * says nothing about where to go from there: "mother" and "director" in "Who is the mother of the director of Big
 * Eyes?" are answered by two sentences, one after the other, and "Big Eyes" by every sentence about it.
 *
 * The plain cosine of idf-weighted words, which this replaces, needs the document frequency of every word of every
 * sentence scored; here those of the question suffice, and the evidence is found better (DESIGN.md).
 */
import { ALL_WORDS, type WordSet } from "../graph/reader.js";
import type { Segment } from "../segment/segment.js";
import type { QuestionWords } from "./question-words.js";
import { exactWord } from "./segment-words.js";
import { Occurrences, WordSlots } from "./word-slots.js";

/** What is still open is worth a hop when it weighs at least this share of the whole: "is" and "the" alone are not. */
const MIN_OPEN_SHARE = 0.25;

/** A sentence's coverage of the words asked for, discounted by its length. @param lengthScale L, in tokens */
export function discounted(coverage: number, length: number, lengthScale: number): number {
  return (coverage * lengthScale) / (lengthScale + length);
}

/** Finds the question's words in the sentences of one segment. */
export class SentenceScorer {
  private readonly segment: Segment;
  private readonly words: QuestionWords;
  private readonly lengthScale: number;
  private readonly slots: WordSlots;
  private readonly leastOpen: number;
  private readonly occurrences = new Occurrences();

  /** @param lengthScale L, in tokens: a sentence this long counts half. */
  constructor(segment: Segment, words: QuestionWords, lengthScale: number) {
    this.segment = segment;
    this.words = words;
    this.lengthScale = lengthScale;
    this.leastOpen = MIN_OPEN_SHARE * words.weight(ALL_WORDS);
    this.slots = new WordSlots(words.terms.map((word) => exactWord(segment, word)));
  }

  /** The question's words in a sentence. @param sentence its ordinal in the segment, as the passage's */
  wordsIn(sentence: number, passage: number): WordSet {
    const { occurrences } = this;
    const { tokens, sentenceTokens } = this.segment.arrays;
    occurrences.length = 0;
    this.slots.collect(tokens, sentenceTokens[sentence], this.endOf(sentence, passage), occurrences);
    let words = 0;
    for (let i = 0; i < occurrences.length; i++) words |= 1 << occurrences.words[i];
    return words >>> 0;
  }

  /** σ of a sentence, given the open words in it. */
  relevance(sentence: number, passage: number, covered: WordSet, open: WordSet): number {
    const length = this.endOf(sentence, passage) - this.segment.arrays.sentenceTokens[sentence];
    return discounted(this.coverage(covered, open), length, this.lengthScale);
  }

  /** The cosine of the open words and those of them that are covered, in [0, 1]; 0 when hardly anything is open. */
  private coverage(covered: WordSet, open: WordSet): number {
    if (covered === 0) return 0;
    const weight = this.words.weight(open);
    return weight < this.leastOpen ? 0 : Math.sqrt(this.words.weight(covered) / weight);
  }

  /** Behind the sentence's last token. */
  private endOf(sentence: number, passage: number): number {
    const { sentenceTokens, sentenceIndptr, tokenIndptr } = this.segment.arrays;
    return sentence + 1 < sentenceIndptr[passage + 1] ? sentenceTokens[sentence + 1] : tokenIndptr[passage + 1];
  }
}
