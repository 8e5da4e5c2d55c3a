import type { SegmentView } from "../index/view.js";
import type { Segment } from "../segment/segment.js";

const FREE = -1;

/**
 * Tells the question's words among a segment's terms. Open addressing, no more than a quarter full: most tokens are
 * none of them, and the first look says so.
 */
export class WordSlots {
  /** Pairs of a term's ordinal and the word's number. */
  private readonly slots: Int32Array;
  private readonly mask: number;

  /** @param keys of each word: those of all its forms. The first word that has a form keeps it. */
  constructor(segment: Segment, keys: readonly ArrayLike<number>[]) {
    const found: number[] = [];
    for (let word = 0; word < keys.length; word++) {
      for (let form = 0; form < keys[word].length; form++) {
        const ordinal = segment.terms.find(keys[word][form]);
        if (ordinal >= 0) found.push(ordinal, word);
      }
    }
    const size = 2 ** Math.ceil(Math.log2(2 * Math.max(8, found.length)));
    this.mask = size - 1;
    this.slots = new Int32Array(2 * size).fill(FREE);
    for (let i = 0; i < found.length; i += 2) {
      const slot = this.slotOf(found[i]);
      if (this.slots[slot] !== FREE) continue;
      this.slots[slot] = found[i];
      this.slots[slot + 1] = found[i + 1];
    }
  }

  /** The number of the word that the term with this ordinal in the segment is, or -1. */
  find(ordinal: number): number {
    return this.slots[this.slotOf(ordinal) + 1];
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
  private readonly keys: readonly ArrayLike<number>[];
  private readonly parts = new Map<SegmentView, WordSlots>();

  /** @param keys as `WordSlots` takes them */
  constructor(keys: readonly ArrayLike<number>[]) {
    this.keys = keys;
  }

  of(part: SegmentView): WordSlots {
    let slots = this.parts.get(part);
    if (slots === undefined) this.parts.set(part, (slots = new WordSlots(part.segment, this.keys)));
    return slots;
  }
}
