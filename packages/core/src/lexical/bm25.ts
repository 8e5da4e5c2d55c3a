/**
 * BM25 (Robertson, Zaragoza 2009, "The Probabilistic Relevance Framework", equation 3.15) over the
 * segments' postings, title and text together:
 *
 *     score(q, p) = Σ_t idf(t) · f · (k1 + 1) / (f + k1 · (1 − b + b · |p| / avg|p|))
 *
 * with f the frequency of t in p. The best passages are found exactly, without scoring those that
 * cannot be among them: MaxScore (Turtle, Flood 1995). Each term has an upper bound, from its greatest
 * frequency and its least passage length; passages that hold only terms whose bounds together stay
 * below the least score kept are never looked at. The other terms' postings are summed window by window
 * (as in Strohman, Croft 2007, "Efficient document retrieval in main memory"): adding to an array that
 * stays in the cache costs a few nanoseconds a posting, merging lists passage by passage ten times that.
 */
import { type Best, BestList } from "../best-list.js";
import { compareIds, type SegmentView, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import { MAX_COUNT } from "../segment/transpose.js";
import type { QuestionTerm } from "./question.js";
import { exactWord } from "./segment-words.js";
import { Occurrences, ViewWordSlots } from "./word-slots.js";

export interface Bm25Parameters {
  /** Saturation of frequency. */
  readonly k1: number;
  /** How much a passage's length counts, from 0 to 1. */
  readonly b: number;
}

/** Passages whose sums are built up together: 32 KiB, which a core's first cache holds. */
const WINDOW = 4096;

/** Of the one scan that runs, for none of them waits: making them anew takes as long as reading some thousand postings. */
const SUMS = new Float64Array(WINDOW);
const CANDIDATES = new Uint16Array(WINDOW);

/** Postings of telling terms that are worth reading twice, for each passage wanted. */
const MAX_FLOOR_WORK = 40;

/** Looking one passage up in a term's postings costs as much as adding so many postings in turn. */
const SEEK_COST = 8;

/** Bounds are compared with sums that were rounded in another order. */
const ROUNDING = 1 + 1e-9;

/** The visible passages of greatest score, at most `limit`; ties by passage id. Only scores above 0. */
export function bestByWords(
  view: View,
  terms: readonly QuestionTerm[],
  limit: number,
  visibility: Visibility,
  parameters: Bm25Parameters,
): Best {
  const best = new BestList(limit, compareIds(view));
  if (view.passageCount === 0) return best.ranked();
  const formula = new Formula(view, parameters);
  for (const part of view.parts) new SegmentScan(part, terms, formula, visibility).run(best);
  return best.ranked();
}

/** Scores of single passages, summed in the order of the question's terms as the scan does. */
export class WordScores {
  private readonly view: View;
  private readonly terms: readonly QuestionTerm[];
  private readonly formula: Formula;
  private readonly slots: ViewWordSlots;
  private readonly frequencies: Float64Array;
  private readonly occurrences = new Occurrences();

  constructor(view: View, terms: readonly QuestionTerm[], parameters: Bm25Parameters) {
    this.view = view;
    this.terms = terms;
    this.formula = new Formula(view, parameters);
    this.slots = new ViewWordSlots(terms, exactWord);
    this.frequencies = new Float64Array(terms.length);
  }

  /** The score of the passage with this number; 0 when it holds none of the words. */
  of(passage: number): number {
    const part = this.view.partOfPassage(passage);
    const { tokenIndptr, tokens } = part.segment.arrays;
    const { terms, formula, frequencies, occurrences } = this;
    const local = passage - part.passageBase;
    occurrences.length = 0;
    this.slots.of(part).collect(tokens, tokenIndptr[local], tokenIndptr[local + 1], occurrences);
    frequencies.fill(0);
    for (let i = 0; i < occurrences.length; i++) frequencies[occurrences.words[i]]++;
    // As postings hold it.
    const length = Math.min(part.segment.passageLength(local), MAX_COUNT);
    let score = 0;
    for (let t = 0; t < terms.length; t++) {
      const frequency = Math.min(frequencies[t], MAX_COUNT);
      if (frequency > 0) score += terms[t].idf * formula.saturation(frequency, length);
    }
    return score;
  }
}

/** What a frequency counts: f · (k1 + 1) / (f + k1 · (1 − b + b · |p| / avg|p|)). */
class Formula {
  private readonly scale: number;
  private readonly base: number;
  private readonly slope: number;

  constructor(view: View, { k1, b }: Bm25Parameters) {
    this.scale = k1 + 1;
    this.base = k1 * (1 - b);
    this.slope = (k1 * b * view.passageCount) / view.tokenCount;
  }

  saturation(frequency: number, length: number): number {
    return (frequency * this.scale) / (frequency + this.base + this.slope * length);
  }
}

/**
 * MaxScore over one segment. Terms are ordered by bound, ascending; their state lies in parallel arrays.
 */
class SegmentScan {
  private readonly part: SegmentView;
  private readonly formula: Formula;
  private readonly visibility: Visibility;
  private readonly size: number;
  private readonly idf: Float64Array;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  /** The first posting of each term that no window has passed. */
  private readonly positions: Uint32Array;
  /** `bounds[i]`: what the first i terms can give together. */
  private readonly bounds: Float64Array;
  /** Place in the terms' order of each term of the question, in whose order scores are summed. */
  private readonly byQuestion: Int32Array;
  /** What each passage of the window has so far, but for its rounding: all 0 between two windows. */
  private readonly sums = SUMS;
  /** Places in the window of the passages that may be among the best. */
  private readonly candidates = CANDIDATES;

  constructor(part: SegmentView, terms: readonly QuestionTerm[], formula: Formula, visibility: Visibility) {
    this.part = part;
    this.formula = formula;
    this.visibility = visibility;
    const { segment } = part;
    const { postingIndptr, termMaxCounts, termMinLengths } = segment.arrays;
    const present: { place: number; ordinal: number; bound: number }[] = [];
    terms.forEach(({ key, idf }, place) => {
      const ordinal = segment.terms.find(key);
      if (ordinal < 0) return;
      const bound = idf * formula.saturation(termMaxCounts[ordinal], termMinLengths[ordinal]) * ROUNDING;
      present.push({ place, ordinal, bound });
    });
    present.sort((x, y) => x.bound - y.bound || x.place - y.place);
    this.size = present.length;
    this.idf = Float64Array.from(present, ({ place }) => terms[place].idf);
    this.starts = Uint32Array.from(present, ({ ordinal }) => postingIndptr[ordinal]);
    this.ends = Uint32Array.from(present, ({ ordinal }) => postingIndptr[ordinal + 1]);
    this.positions = new Uint32Array(this.size);
    this.bounds = new Float64Array(this.size + 1);
    present.forEach(({ bound }, i) => {
      this.bounds[i + 1] = this.bounds[i] + bound;
    });
    this.byQuestion = Int32Array.from(present.keys()).sort((i, j) => present[i].place - present[j].place);
  }

  run(best: BestList): void {
    const { passageBase } = this.part;
    const floor = Math.max(best.threshold, this.floorFromRarest(best.limit));
    const found = this.scan(0, best.limit, floor);
    for (let i = 0; i < found.passages.length; i++) {
      if (found.sums[i] * ROUNDING < found.threshold) continue;
      best.offer(passageBase + found.passages[i], this.score(found.passages[i]));
    }
  }

  /**
   * A score that the `limit` best passages of this segment surely reach: the least among as many that hold
   * its telling terms. Knowing it beforehand spares the scan most of the common words' postings.
   */
  private floorFromRarest(limit: number): number {
    let rarest = this.size;
    let postings = 0;
    while (rarest > 0) {
      postings += this.ends[rarest - 1] - this.starts[rarest - 1];
      if (postings > limit * MAX_FLOOR_WORK) break;
      rarest--;
    }
    // All terms are rare: the scan itself costs no more.
    if (rarest === 0) return -Infinity;
    return this.scan(rarest, limit, -Infinity).threshold;
  }

  /**
   * The visible passages that may be among the `limit` best by the terms from `least` on and reach the
   * threshold, their scores but for rounding, and a threshold that the best ones surely reach.
   */
  private scan(least: number, limit: number, threshold: number) {
    const { size, positions, ends, bounds, sums, candidates, visibility } = this;
    const { passageBase, segment } = this.part;
    const { postingPassages } = segment.arrays;
    const passages: number[] = [];
    const scores: number[] = [];
    const best = new BestList(limit, () => 0);
    positions.set(this.starts);
    let essential = least;
    for (;;) {
      // A passage that holds only terms before `essential` cannot reach the threshold.
      while (essential < size && bounds[essential + 1] - bounds[least] < threshold) essential++;
      let start = Infinity;
      for (let i = essential; i < size; i++) {
        if (positions[i] < ends[i]) start = Math.min(start, postingPassages[positions[i]]);
      }
      if (start === Infinity) return { passages, sums: scores, threshold };
      let count = 0;
      for (let i = essential; i < size; i++) count = this.addWindow(i, start, count);
      count = this.keep(count, threshold - (bounds[essential] - bounds[least]));
      for (let i = essential - 1; i >= least && count > 0; i--) {
        positions[i] = lowerBound(postingPassages, positions[i], ends[i], start);
        const inWindow = (ends[i] - this.starts[i]) * Math.min(1, WINDOW / segment.passageCount);
        if (count * SEEK_COST > inWindow) this.addPostings(i, start);
        else this.addCandidates(i, start, count);
        count = this.keep(count, threshold - (bounds[i] - bounds[least]));
      }
      for (let c = 0; c < count; c++) {
        const sum = sums[candidates[c]];
        const passage = start + candidates[c];
        if (sum * ROUNDING < threshold || !visibility.isVisible(passageBase + passage)) continue;
        passages.push(passage);
        scores.push(sum);
        best.offer(passage, sum);
        // Rounded in another order, a score may be a little less than its sum.
        threshold = Math.max(threshold, best.threshold / ROUNDING);
      }
      sums.fill(0);
    }
  }

  /** Adds what the i-th term gives to the window's passages, and those that it is the first to reach to the candidates. */
  private addWindow(i: number, start: number, count: number): number {
    const { sums, candidates, formula } = this;
    const { postingPassages, postingCounts, postingLengths } = this.part.segment.arrays;
    const idf = this.idf[i];
    const last = this.ends[i];
    const end = start + WINDOW;
    let position = this.positions[i];
    for (; position < last; position++) {
      const passage = postingPassages[position];
      if (passage >= end) break;
      const place = passage - start;
      const sum = sums[place];
      if (sum === 0) candidates[count++] = place;
      sums[place] = sum + idf * formula.saturation(postingCounts[position], postingLengths[position]);
    }
    this.positions[i] = position;
    return count;
  }

  /**
   * The same when no passage is to be added to the candidates. A loop of its own: without it BM25 takes 6 % longer.
   */
  private addPostings(i: number, start: number): void {
    const { sums, formula } = this;
    const { postingPassages, postingCounts, postingLengths } = this.part.segment.arrays;
    const idf = this.idf[i];
    const last = this.ends[i];
    const end = start + WINDOW;
    let position = this.positions[i];
    for (; position < last; position++) {
      const passage = postingPassages[position];
      if (passage >= end) break;
      sums[passage - start] += idf * formula.saturation(postingCounts[position], postingLengths[position]);
    }
    this.positions[i] = position;
  }

  /** Adds what the i-th term gives to the candidates. */
  private addCandidates(i: number, start: number, count: number): void {
    const { sums, candidates, formula } = this;
    const { postingPassages, postingCounts, postingLengths } = this.part.segment.arrays;
    const idf = this.idf[i];
    const first = this.positions[i];
    // A window holds no more postings than passages.
    const last = Math.min(this.ends[i], first + WINDOW);
    for (let c = 0; c < count; c++) {
      const passage = start + candidates[c];
      const position = lowerBound(postingPassages, first, last, passage);
      if (position === last || postingPassages[position] !== passage) continue;
      sums[candidates[c]] += idf * formula.saturation(postingCounts[position], postingLengths[position]);
    }
  }

  /** Drops the candidates whose sum is less than needed; returns how many are left. */
  private keep(count: number, needed: number): number {
    const { sums, candidates } = this;
    const least = needed / ROUNDING;
    let kept = 0;
    for (let c = 0; c < count; c++) if (sums[candidates[c]] >= least) candidates[kept++] = candidates[c];
    return kept;
  }

  /** The passage's score, summed in the order of the question's terms. */
  private score(passage: number): number {
    const { starts, ends, formula } = this;
    const { postingPassages, postingCounts, postingLengths } = this.part.segment.arrays;
    let score = 0;
    for (const i of this.byQuestion) {
      const position = lowerBound(postingPassages, starts[i], ends[i], passage);
      if (position < ends[i] && postingPassages[position] === passage) {
        score += this.idf[i] * formula.saturation(postingCounts[position], postingLengths[position]);
      }
    }
    return score;
  }
}

/** The first place in `[low, high)` of an ascending array whose value is at least `value`. */
export function lowerBound(values: Uint32Array, low: number, high: number, value: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
