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
import { compareIds, type SegmentView, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import { MAX_FREQUENCY } from "../segment/transpose.js";
import type { QuestionTerm } from "./question.js";

export interface Bm25Parameters {
  /** Saturation of frequency. */
  readonly k1: number;
  /** How much a passage's length counts, from 0 to 1. */
  readonly b: number;
}

/** No passage of a segment has this ordinal. */
const NONE = 0xffffffff;

/** Postings of telling terms that are worth reading twice, for each passage wanted. */
const MAX_FLOOR_WORK = 40;

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
  const length = lengthFactor(
    segment.passageLength(local),
    view.tokenCount / view.passageCount,
    parameters.k1,
    parameters.b,
  );
  let score = 0;
  for (let t = 0; t < terms.length; t++) {
    // Postings hold no greater frequency.
    const frequency = Math.min(frequencies[t], MAX_FREQUENCY);
    if (frequency > 0) score += termScore(terms[t].idf, frequency, length, parameters.k1);
  }
  return score;
}

function lengthFactor(length: number, averageLength: number, k1: number, b: number): number {
  return k1 * (1 - b + (b * length) / averageLength);
}

function termScore(idf: number, frequency: number, length: number, k1: number): number {
  return (idf * frequency * (k1 + 1)) / (frequency + length);
}

/**
 * MaxScore over one segment. Terms are ordered by bound, ascending; their state lies in parallel arrays.
 */
class SegmentScan {
  private readonly part: SegmentView;
  private readonly averageLength: number;
  private readonly parameters: Bm25Parameters;
  private readonly size: number;
  /** Place of each term in the question, in whose order scores are summed. */
  private readonly questionOrder: Int32Array;
  private readonly idf: Float64Array;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly positions: Uint32Array;
  /** `bounds[i]`: what the first i terms can give together. */
  private readonly bounds: Float64Array;
  /** Frequencies in the passage under examination, by place in the question. */
  private readonly frequencies: Float64Array;
  private readonly idfByQuestion: Float64Array;

  constructor(part: SegmentView, terms: readonly QuestionTerm[], averageLength: number, parameters: Bm25Parameters) {
    this.part = part;
    this.averageLength = averageLength;
    this.parameters = parameters;
    const { segment } = part;
    const { postingIndptr, termMaxCounts, termMinLengths } = segment.arrays;
    const present: { place: number; ordinal: number; bound: number }[] = [];
    terms.forEach(({ key, idf }, place) => {
      const ordinal = segment.terms.find(key);
      if (ordinal < 0) return;
      const length = lengthFactor(termMinLengths[ordinal], averageLength, parameters.k1, parameters.b);
      const bound = termScore(idf, termMaxCounts[ordinal], length, parameters.k1) * ROUNDING;
      present.push({ place, ordinal, bound });
    });
    present.sort((x, y) => x.bound - y.bound || x.place - y.place);
    this.size = present.length;
    this.questionOrder = Int32Array.from(present, ({ place }) => place);
    this.idf = Float64Array.from(present, ({ place }) => terms[place].idf);
    this.starts = Uint32Array.from(present, ({ ordinal }) => postingIndptr[ordinal]);
    this.ends = Uint32Array.from(present, ({ ordinal }) => postingIndptr[ordinal + 1]);
    this.positions = this.starts.slice();
    this.bounds = new Float64Array(this.size + 1);
    present.forEach(({ bound }, i) => {
      this.bounds[i + 1] = this.bounds[i] + bound;
    });
    this.frequencies = new Float64Array(terms.length);
    this.idfByQuestion = Float64Array.from(terms, ({ idf }) => idf);
  }

  run(best: BestList, visibility: Visibility): void {
    const floor = Math.max(best.threshold, this.floorFromRarest(best.limit, visibility));
    this.positions.set(this.starts);
    this.scan(0, floor, (passage, score) => {
      if (!visibility.isVisible(passage)) return floor;
      best.offer(passage, score);
      return Math.max(floor, best.threshold);
    });
  }

  /**
   * A score that the `limit` best passages of this segment surely reach: the least among as many that hold
   * its telling terms. Knowing it beforehand spares the scan most of the common words' postings.
   */
  private floorFromRarest(limit: number, visibility: Visibility): number {
    let first = this.size;
    let postings = 0;
    while (first > 0 && postings < limit * 2) {
      first--;
      postings += this.ends[first] - this.starts[first];
    }
    // Where the rarest terms are no rarer than the rest, there is nothing to gain.
    if (first === 0 || postings > limit * MAX_FLOOR_WORK) return -Infinity;
    const sample = new BestList(limit, () => 0);
    this.scan(first, -Infinity, (passage, score) => {
      if (visibility.isVisible(passage)) sample.offer(passage, score);
      return sample.threshold;
    });
    return sample.threshold;
  }

  /**
   * Visits, in passage order, those that hold one of the terms from `essential` on and may reach the
   * threshold, which `visit` returns anew. Terms before `essential` only add to their scores.
   */
  private scan(essential: number, threshold: number, visit: (passage: number, score: number) => number): void {
    const { size, positions, ends, idf, bounds, frequencies, questionOrder, idfByQuestion, averageLength } = this;
    const { postingPassages, postingCounts, tokenIndptr } = this.part.segment.arrays;
    const { passageBase } = this.part;
    const { k1, b } = this.parameters;
    // The passage that each term stands at.
    const current = new Uint32Array(size);
    for (let i = 0; i < size; i++) current[i] = positions[i] < ends[i] ? postingPassages[positions[i]] : NONE;
    // A passage that holds only terms before `essential` cannot reach the threshold.
    while (essential < size && bounds[essential + 1] < threshold) essential++;
    candidates: while (essential < size) {
      let passage = NONE;
      for (let i = essential; i < size; i++) if (current[i] < passage) passage = current[i];
      if (passage === NONE) return;
      const length = lengthFactor(tokenIndptr[passage + 1] - tokenIndptr[passage], averageLength, k1, b);
      let partial = 0;
      for (let i = essential; i < size; i++) {
        if (current[i] !== passage) {
          frequencies[questionOrder[i]] = 0;
          continue;
        }
        const position = positions[i]++;
        current[i] = position + 1 < ends[i] ? postingPassages[position + 1] : NONE;
        frequencies[questionOrder[i]] = postingCounts[position];
        partial += termScore(idf[i], postingCounts[position], length, k1);
      }
      for (let i = essential - 1; i >= 0; i--) {
        if ((partial + bounds[i + 1]) * ROUNDING < threshold) continue candidates;
        const position = seek(postingPassages, positions[i], ends[i], passage);
        positions[i] = position;
        if (position >= ends[i] || postingPassages[position] !== passage) {
          frequencies[questionOrder[i]] = 0;
          continue;
        }
        frequencies[questionOrder[i]] = postingCounts[position];
        partial += termScore(idf[i], postingCounts[position], length, k1);
      }
      let score = 0;
      for (let t = 0; t < frequencies.length; t++) {
        if (frequencies[t] > 0) score += termScore(idfByQuestion[t], frequencies[t], length, k1);
      }
      if (score < threshold) continue;
      const raised = visit(passageBase + passage, score);
      if (raised === threshold) continue;
      threshold = raised;
      while (essential < size && bounds[essential + 1] < threshold) essential++;
    }
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
