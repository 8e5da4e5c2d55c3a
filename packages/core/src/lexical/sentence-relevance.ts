/**
 * Relevance σ of a sentence to the question without vectors (equation 4 asks for a similarity):
 *
 *     σ(s) = Σ_{t ∈ q ∩ s} idf(t)² / Σ_{t ∈ q} idf(t)² · L / (L + |s|)
 *
 * the share of the question, by rarity, that the sentence covers, discounted by its length |s| in tokens.
 * The plain cosine of idf-weighted words, which this replaces, needs the document frequency of every word of
 * every sentence scored; here those of the question suffice, and the evidence is found better (DESIGN.md).
 */
import type { Segment } from "../segment/segment.js";
import type { QuestionTerm } from "./question.js";

const FREE = -1;

/** Scores sentences of one segment. */
export class SentenceScorer {
  private readonly segment: Segment;
  private readonly lengthScale: number;
  /** Open addressing: ordinal of a question term → its weight's place. */
  private readonly slots = new Int32Array(128).fill(FREE);
  private readonly ordinals: Int32Array;
  private readonly weights: Float64Array;
  /** The last call that each term was counted in: a repeated word counts once. */
  private readonly counted: Uint32Array;
  private calls = 0;
  private readonly totalWeight: number = 0;

  /** @param lengthScale L, in tokens: a sentence this long counts half. */
  constructor(segment: Segment, terms: readonly QuestionTerm[], lengthScale: number) {
    this.segment = segment;
    this.lengthScale = lengthScale;
    while (this.slots.length < terms.length * 4) this.slots = new Int32Array(this.slots.length * 2).fill(FREE);
    this.ordinals = new Int32Array(terms.length);
    this.weights = new Float64Array(terms.length);
    this.counted = new Uint32Array(terms.length);
    let size = 0;
    for (const { key, idf } of terms) {
      this.totalWeight += idf * idf;
      const ordinal = segment.terms.find(key);
      if (ordinal < 0) continue;
      this.ordinals[size] = ordinal;
      this.weights[size] = idf * idf;
      this.slots[this.slotOf(ordinal)] = size++;
    }
  }

  /** σ of a sentence; 0 when it shares no word with the question. @param sentence its ordinal in the segment */
  relevance(sentence: number, passage: number): number {
    const { tokens, sentenceTokens, sentenceIndptr, tokenIndptr } = this.segment.arrays;
    const { slots, weights, counted } = this;
    const start = sentenceTokens[sentence];
    const end = sentence + 1 < sentenceIndptr[passage + 1] ? sentenceTokens[sentence + 1] : tokenIndptr[passage + 1];
    const call = ++this.calls;
    let covered = 0;
    for (let i = start; i < end; i++) {
      const place = slots[this.slotOf(tokens[i])];
      if (place === FREE || counted[place] === call) continue;
      counted[place] = call;
      covered += weights[place];
    }
    return covered === 0 ? 0 : ((covered / this.totalWeight) * this.lengthScale) / (this.lengthScale + end - start);
  }

  /** Where the ordinal is, or the free slot where it would be. */
  private slotOf(ordinal: number): number {
    const { slots, ordinals } = this;
    const mask = slots.length - 1;
    let slot = ordinal & mask;
    while (slots[slot] !== FREE && ordinals[slots[slot]] !== ordinal) slot = (slot + 1) & mask;
    return slot;
  }
}
