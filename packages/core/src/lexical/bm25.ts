/**
 * BM25 (Robertson, Zaragoza 2009, "The Probabilistic Relevance Framework", equation 3.15) over the
 * segments' postings, title and text together:
 *
 *     score(q, p) = Σ_t idf(t) · f · (k1 + 1) / (f + k1 · (1 − b + b · |p| / avg|p|))
 *
 * with f the frequency of t in p. The best passages are found exactly, without scoring those that
 * cannot be among them: MaxScore (Turtle, Flood 1995). Each term has an upper bound, from its greatest
 * frequency and its least passage length; passages that hold only terms whose bounds together stay
 * below the least score kept are never looked at.
 */
import { BestList } from "../best-list.js";
import type { SegmentView, View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import { compareIds } from "../index/visibility.js";
import type { QuestionTerm } from "./question.js";

export interface Bm25Parameters {
  /** Saturation of frequency. */
  readonly k1: number;
  /** How much a passage's length counts, from 0 to 1. */
  readonly b: number;
}

/** Bounds are compared with sums that were rounded in another order. */
const ROUNDING = 1 + 1e-9;

/** The visible passages of greatest score, at most `limit`; ties by passage id. Only scores above 0. */
export function bestByWords(
  view: View,
  terms: readonly QuestionTerm[],
  limit: number,
  visibility: Visibility,
  parameters: Bm25Parameters,
): BestList {
  const best = new BestList(limit, compareIds(view));
  if (view.passageCount === 0) return best;
  const averageLength = view.tokenCount / view.passageCount;
  for (const part of view.parts) new SegmentScan(part, terms, averageLength, parameters).run(best, visibility);
  return best;
}

/** The score of one passage, summed in the order of the question's terms as the scan does. */
export function scoreByWords(
  view: View,
  terms: readonly QuestionTerm[],
  passage: number,
  parameters: Bm25Parameters,
): number {
  const part = view.partOfPassage(passage);
  const { segment } = part;
  const { tokenIndptr, tokens } = segment.arrays;
  const local = passage - part.passageBase;
  const frequencies = new Float64Array(terms.length);
  const ordinals = terms.map((term) => segment.terms.find(term.key));
  for (let i = tokenIndptr[local]; i < tokenIndptr[local + 1]; i++) {
    const term = ordinals.indexOf(tokens[i]);
    if (term >= 0) frequencies[term]++;
  }
  const length = lengthFactor(segment.passageLength(local), view.tokenCount / view.passageCount, parameters);
  let score = 0;
  for (let t = 0; t < terms.length; t++) {
    if (frequencies[t] > 0) score += termScore(terms[t].idf, frequencies[t], length, parameters.k1);
  }
  return score;
}

function lengthFactor(length: number, averageLength: number, { k1, b }: Bm25Parameters): number {
  return k1 * (1 - b + (b * length) / averageLength);
}

function termScore(idf: number, frequency: number, length: number, k1: number): number {
  return (idf * frequency * (k1 + 1)) / (frequency + length);
}

/** A term's postings in one segment, read forwards. */
interface Cursor {
  /** Place of the term in the question, in whose order scores are summed. */
  readonly term: number;
  readonly idf: number;
  /** The greatest score that the term can give. */
  readonly bound: number;
  readonly end: number;
  position: number;
}

class SegmentScan {
  private readonly part: SegmentView;
  private readonly terms: readonly QuestionTerm[];
  private readonly averageLength: number;
  private readonly parameters: Bm25Parameters;
  /** By bound, ascending. */
  private readonly cursors: Cursor[];
  /** `bounds[i]`: what the first i cursors can give together. */
  private readonly bounds: Float64Array;
  private readonly frequencies: Float64Array;

  constructor(
    part: SegmentView,
    terms: readonly QuestionTerm[],
    averageLength: number,
    parameters: Bm25Parameters,
  ) {
    this.part = part;
    this.terms = terms;
    this.averageLength = averageLength;
    this.parameters = parameters;
    const { segment } = part;
    const { postingIndptr, termMaxCounts, termMinLengths } = segment.arrays;
    this.cursors = [];
    terms.forEach(({ key, idf }, term) => {
      const ordinal = segment.terms.find(key);
      if (ordinal < 0) return;
      const length = lengthFactor(termMinLengths[ordinal], averageLength, parameters);
      this.cursors.push({
        term,
        idf,
        bound: termScore(idf, termMaxCounts[ordinal], length, parameters.k1) * ROUNDING,
        position: postingIndptr[ordinal],
        end: postingIndptr[ordinal + 1],
      });
    });
    this.cursors.sort((a, b) => a.bound - b.bound || a.term - b.term);
    this.bounds = new Float64Array(this.cursors.length + 1);
    this.cursors.forEach(({ bound }, i) => {
      this.bounds[i + 1] = this.bounds[i] + bound;
    });
    this.frequencies = new Float64Array(terms.length);
  }

  run(best: BestList, visibility: Visibility): void {
    const { cursors, bounds, part } = this;
    const { postingPassages } = part.segment.arrays;
    let threshold = best.threshold;
    // The first cursor that a passage must be found by: those before it cannot reach the threshold alone.
    let essential = 0;
    const advance = () => {
      while (essential < cursors.length && bounds[essential + 1] < threshold) essential++;
    };
    advance();
    while (essential < cursors.length) {
      let passage = Infinity;
      for (let i = essential; i < cursors.length; i++) {
        const { position, end } = cursors[i];
        if (position < end && postingPassages[position] < passage) passage = postingPassages[position];
      }
      if (passage === Infinity) return;
      const score = this.score(passage, essential, threshold);
      if (score >= threshold && visibility.isVisible(part.passageBase + passage)) {
        best.offer(part.passageBase + passage, score);
        if (best.threshold !== threshold) {
          threshold = best.threshold;
          advance();
        }
      }
    }
  }

  /** Scores a passage and moves the essential cursors past it; -1 as soon as it cannot reach the threshold. */
  private score(passage: number, essential: number, threshold: number): number {
    const { cursors, bounds, frequencies, terms, parameters, part } = this;
    const { postingPassages, postingCounts } = part.segment.arrays;
    const length = lengthFactor(part.segment.passageLength(passage), this.averageLength, parameters);
    frequencies.fill(0);
    let partial = 0;
    for (let i = essential; i < cursors.length; i++) {
      const cursor = cursors[i];
      if (cursor.position >= cursor.end || postingPassages[cursor.position] !== passage) continue;
      const frequency = postingCounts[cursor.position++];
      frequencies[cursor.term] = frequency;
      partial += termScore(cursor.idf, frequency, length, parameters.k1);
    }
    for (let i = essential - 1; i >= 0; i--) {
      if ((partial + bounds[i + 1]) * ROUNDING < threshold) return -1;
      const cursor = cursors[i];
      cursor.position = seek(postingPassages, cursor.position, cursor.end, passage);
      if (cursor.position >= cursor.end || postingPassages[cursor.position] !== passage) continue;
      const frequency = postingCounts[cursor.position];
      frequencies[cursor.term] = frequency;
      partial += termScore(cursor.idf, frequency, length, parameters.k1);
    }
    let score = 0;
    for (let t = 0; t < terms.length; t++) {
      if (frequencies[t] > 0) score += termScore(terms[t].idf, frequencies[t], length, parameters.k1);
    }
    return score;
  }
}

/** The first place in `[from, end)` of an ascending array whose value is at least `value`: galloping, then binary. */
export function seek(values: Uint32Array, from: number, end: number, value: number): number {
  let step = 1;
  let low = from;
  while (low < end && values[low] < value) {
    const next = low + step;
    if (next >= end || values[next] >= value) {
      let high = Math.min(next, end);
      low++;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (values[middle] < value) low = middle + 1;
        else high = middle;
      }
      return low;
    }
    low = next;
    step *= 2;
  }
  return low;
}
