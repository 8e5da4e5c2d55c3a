import type { View } from "../index/view.js";
import { stableKey } from "../text/keys.js";
import type { PassageReader } from "./passage-words.js";
import type { WordWeights } from "./word-weights.js";

/** Tokens on either side of a mention that are read as its clause. */
const REACH = 6;

/** What stands around the mentions of an entity. */
export class Clauses {
  private readonly view: View;
  private readonly reader: PassageReader;
  private readonly words: WordWeights;

  constructor(view: View, reader: PassageReader, words: WordWeights) {
    this.view = view;
    this.reader = reader;
    this.words = words;
  }

  /**
   * The best coverage of the open words around an occurrence of the entity's name in the passage, title included; 0 where
   * it does not occur as its plain words. Linear in the passage's tokens.
   *
   * @param entity its key
   */
  coverage(passage: number, entity: number): number {
    const { segment, passageBase } = this.view.partOfPassage(passage);
    const { tokens, tokenIndptr } = segment.arrays;
    const { places, numbers } = this.reader.read(passage);
    const name = this.ordinalsOf(entity, passage);
    const start = tokenIndptr[passage - passageBase];
    const last = tokenIndptr[passage - passageBase + 1] - name.length;
    let best = 0;
    let first = 0;
    for (let i = start; i <= last; i++) {
      if (!standsAt(tokens, i, name)) continue;
      const from = i - start - REACH;
      const to = i - start + name.length + REACH;
      while (first < places.length && places[first] < from) first++;
      let found = 0;
      for (let word = first; word < places.length && places[word] < to; word++) found |= 1 << numbers[word];
      best = Math.max(best, this.words.share(found, this.words.open));
    }
    return best;
  }

  /** The words of the entity's name as terms of the passage's segment; -1 for one that it lacks. */
  private ordinalsOf(entity: number, passage: number): Int32Array {
    const { segment } = this.view.partOfPassage(passage);
    // Not by the segment's own name of it: of two names with one key each segment may have another.
    const name = this.view.entityName(entity)!;
    return Int32Array.from(name.split(" "), (word) => segment.terms.find(stableKey(word)));
  }
}

function standsAt(tokens: Uint32Array, place: number, name: Int32Array): boolean {
  let length = 0;
  while (length < name.length && tokens[place + length] === name[length]) length++;
  return length === name.length;
}
