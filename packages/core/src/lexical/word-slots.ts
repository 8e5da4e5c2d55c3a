import type { SegmentView } from "../index/view.js";
import type { QuestionTerm } from "./question.js";
import type { WordFinder } from "./segment-words.js";
import { grown } from "../typed-arrays.js";

const FREE = -1;

/** Where words stand in runs of tokens, run after run, each ascending. A pair of arrays for each run takes longer than all else. */
export class Occurrences {
  /** In tokens from the run's first, and which word it is: `length` of them count. */
  places = new Uint32Array(32);
  words = new Uint8Array(32);
  length = 0;

  add(place: number, word: number): void {
    if (this.length === this.places.length) {
      this.places = grown(this.places, Uint32Array);
      this.words = grown(this.words, Uint8Array);
    }
    this.places[this.length] = place;
    this.words[this.length++] = word;
  }
}

/**
 * Tells the question's words among a segment's terms. Open addressing, no more than a quarter full: most tokens are
 * none of them, and the first look says so.
 */
export class WordSlots {
  /** Pairs of a term's ordinal and the word's number. */
  private readonly slots: Int32Array;
  private readonly mask: number;

  /** @param words the ordinals that are each of them. The first word that has an ordinal keeps it. */
  constructor(words: readonly (readonly number[])[]) {
    const count = words.reduce((sum, ordinals) => sum + ordinals.length, 0);
    const size = 2 ** Math.ceil(Math.log2(4 * Math.max(4, count)));
    this.mask = size - 1;
    this.slots = new Int32Array(2 * size).fill(FREE);
    for (let word = 0; word < words.length; word++) {
      for (const ordinal of words[word]) {
        const slot = this.slotOf(ordinal);
        if (this.slots[slot] !== FREE) continue;
        this.slots[slot] = ordinal;
        this.slots[slot + 1] = word;
      }
    }
  }

  /**
   * Adds the words in `tokens[start … end)` to `occurrences`. One loop for the whole run: a call for each token takes
   * three times as long.
   */
  collect(tokens: Uint32Array, start: number, end: number, occurrences: Occurrences): void {
    const { slots, mask } = this;
    for (let i = start; i < end; i++) {
      const ordinal = tokens[i];
      let slot = ordinal & mask;
      while (slots[2 * slot] !== ordinal && slots[2 * slot] !== FREE) slot = (slot + 1) & mask;
      if (slots[2 * slot] !== FREE) occurrences.add(i - start, slots[2 * slot + 1]);
    }
  }

  /** Where the ordinal is, or the free slot where it would be. */
  private slotOf(ordinal: number): number {
    const { slots, mask } = this;
    let slot = ordinal & mask;
    while (slots[2 * slot] !== ordinal && slots[2 * slot] !== FREE) slot = (slot + 1) & mask;
    return 2 * slot;
  }
}

/** The slots of a question's words in each segment of a view, made when they are first needed. */
export class ViewWordSlots {
  private readonly words: readonly QuestionTerm[];
  private readonly find: WordFinder;
  private readonly parts = new Map<SegmentView, WordSlots>();

  constructor(words: readonly QuestionTerm[], find: WordFinder) {
    this.words = words;
    this.find = find;
  }

  of(part: SegmentView): WordSlots {
    let slots = this.parts.get(part);
    if (slots === undefined) {
      slots = new WordSlots(this.words.map((word) => this.find(part.segment, word)));
      this.parts.set(part, slots);
    }
    return slots;
  }
}
