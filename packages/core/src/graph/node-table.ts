import { grown } from "../typed-arrays.js";

/** 2^32 divided by the golden ratio, odd: spreads keys and running numbers alike (Knuth, TAOCP 6.4). */
const SPREAD = 0x9e3779b1;
const FREE = -1;

/** A question touches some thousand nodes of each kind. */
export const INITIAL_NODES = 1024;

/**
 * The nodes that one query touches: gives each id the next index 0, 1, 2, … in the order of first touch.
 * Open addressing over typed arrays, since a `Map` of doubles costs several times as much.
 */
export class NodeTable {
  /** The ids by index; the first `size` are meant. */
  ids = new Float64Array(INITIAL_NODES);
  size = 0;
  private slots = new Int32Array(INITIAL_NODES * 4).fill(FREE);
  private shift = 32 - Math.log2(INITIAL_NODES * 4);

  /** The index of the id, which is added when it is new (the index then equals the old `size`). */
  add(id: number): number {
    let slot = this.slotOf(id);
    const index = this.slots[slot];
    if (index !== FREE) return index;
    if (this.size * 2 >= this.slots.length) {
      this.growSlots();
      slot = this.slotOf(id);
    }
    if (this.size === this.ids.length) this.ids = grown(this.ids, Float64Array);
    this.ids[this.size] = id;
    this.slots[slot] = this.size;
    return this.size++;
  }

  /** The index of the id, or -1. */
  find(id: number): number {
    return this.slots[this.slotOf(id)];
  }

  private slotOf(id: number): number {
    const { slots, ids } = this;
    const mask = slots.length - 1;
    // `id | 0` keeps the low 32 bits: for a key its second hash, for a passage number all of it.
    let slot = Math.imul(id | 0, SPREAD) >>> this.shift;
    while (slots[slot] !== FREE && ids[slots[slot]] !== id) slot = (slot + 1) & mask;
    return slot;
  }

  private growSlots(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(FREE);
    this.shift--;
    for (let index = 0; index < this.size; index++) this.slots[this.slotOf(this.ids[index])] = index;
  }
}
