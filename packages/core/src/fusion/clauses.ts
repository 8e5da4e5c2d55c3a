import type { SegmentView, View } from "../index/view.js";
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
  /** Names that were asked for, by segment and key. */
  private readonly names = new Map<SegmentView, Map<number, readonly number[]>>();

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
    const part = this.view.partOfPassage(passage);
    const { segment, passageBase } = part;
    const { tokens, tokenIndptr } = segment.arrays;
    const { occurrences, first: before, end } = this.reader.read(passage);
    const { places, words } = occurrences;
    const name = this.ordinalsOf(entity, part);
    const start = tokenIndptr[passage - passageBase];
    const last = tokenIndptr[passage - passageBase + 1] - start - name.length;
    let best = 0;
    let first = before;
    for (let place = 0; place <= last; place++) {
      if (!standsAt(tokens, start + place, name)) continue;
      const from = place - REACH;
      const to = place + name.length + REACH;
      while (first < end && places[first] < from) first++;
      let found = 0;
      for (let i = first; i < end && places[i] < to; i++) found |= 1 << words[i];
      best = Math.max(best, this.words.share(found, this.words.open));
    }
    return best;
  }

  /** The words of the entity's name as terms of the segment; -1 for one that it lacks. */
  private ordinalsOf(entity: number, part: SegmentView): readonly number[] {
    let names = this.names.get(part);
    if (names === undefined) this.names.set(part, (names = new Map<number, readonly number[]>()));
    let ordinals = names.get(entity);
    if (ordinals === undefined) {
      // Not by the segment's own name of it: of two names with one key each segment may have another.
      const words = this.view.entityName(entity)!.split(" ");
      names.set(entity, (ordinals = words.map((word) => part.segment.terms.find(stableKey(word)))));
    }
    return ordinals;
  }
}

function standsAt(tokens: Uint32Array, place: number, name: readonly number[]): boolean {
  let length = 0;
  while (length < name.length && tokens[place + length] === name[length]) length++;
  return length === name.length;
}
