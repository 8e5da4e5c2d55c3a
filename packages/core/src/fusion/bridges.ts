import type { WordSet } from "../graph/reader.js";
import type { View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import { stableKey } from "../text/keys.js";
import type { PassageReader } from "./passage-words.js";
import type { WordWeights } from "./word-weights.js";

/** Bridges that the second hop follows. */
const MAX_BRIDGES = 6;

/** A bridge in more live passages than this leads nowhere in particular. */
const MAX_BRIDGE_DEGREE = 40;

/** What the second hop gives a passage that merely contains the bridge. */
const PLAIN_MENTION = 0.2;

/** Tokens on either side of a mention that are read as its clause. */
export const CLAUSE_REACH = 6;

/** An entity that a leading passage mentions and the question does not. */
export interface Bridge {
  /** Its key. */
  readonly entity: number;
  /** The leading passage, and σ of its best sentence that mentions the entity. */
  passage: number;
  relevance: number;
  /** The open words that this sentence leaves open. */
  left: WordSet;
}

/** Where the second hop comes to. */
export interface SecondHop {
  readonly bridge: Bridge;
  readonly score: number;
}

/** The bridges of the leading passages, and the passages behind the best of them. */
export class Bridges {
  /** By key. */
  readonly all: ReadonlyMap<number, Bridge>;
  /** The bridges that the second hop follows, the most relevant first. */
  readonly best: readonly Bridge[];
  private readonly view: View;
  private readonly reader: PassageReader;
  private readonly words: WordWeights;
  private readonly clauses = new Map<Bridge, number>();

  /** @param leading passages. @param seeds keys of the entities that the question names */
  constructor(
    view: View,
    reader: PassageReader,
    words: WordWeights,
    leading: readonly number[],
    seeds: ReadonlySet<number>,
  ) {
    this.view = view;
    this.reader = reader;
    this.words = words;
    const all = new Map<number, Bridge>();
    for (const passage of leading) {
      for (const { entity, relevance, found } of this.mentions(passage)) {
        if (seeds.has(entity)) continue;
        const known = all.get(entity);
        if (known !== undefined && known.relevance >= relevance) continue;
        all.set(entity, { entity, passage, relevance, left: (words.open & ~found) >>> 0 });
      }
    }
    this.all = all;
    this.best = [...all.values()]
      .filter(({ entity, relevance }) => relevance > 0 && view.entityDegree(entity) <= MAX_BRIDGE_DEGREE)
      .sort((a, b) => b.relevance - a.relevance || a.entity - b.entity)
      .slice(0, MAX_BRIDGES);
  }

  /**
   * The visible passages that contain one of the best bridges, and what brought each: the relevance of its bridge times
   * what it covers of the words that the bridge's sentence left open.
   */
  secondHop(leading: ReadonlyMap<number, number>, visibility: Visibility): Map<number, SecondHop> {
    const reached = new Map<number, SecondHop>();
    const { open } = this.words;
    for (const bridge of this.best) {
      for (const { segment, passageBase } of this.view.parts) {
        const entity = segment.entities.find(bridge.entity);
        if (entity < 0) continue;
        const { entityPassageIndptr, entityPassages } = segment.arrays;
        for (let i = entityPassageIndptr[entity]; i < entityPassageIndptr[entity + 1]; i++) {
          const passage = passageBase + entityPassages[i];
          if (leading.has(passage) || !visibility.isVisible(passage)) continue;
          const found = this.reader.read(passage).words & bridge.left;
          const score = bridge.relevance * (PLAIN_MENTION + Math.sqrt(this.words.share(found, open)));
          const known = reached.get(passage);
          if (known === undefined || score > known.score) reached.set(passage, { bridge, score });
        }
      }
    }
    return reached;
  }

  /** Coverage of the open words in the clause around the bridge's mention in its leading passage. */
  clause(bridge: Bridge): number {
    let share = this.clauses.get(bridge);
    if (share === undefined) {
      const { view, reader, words } = this;
      share = clauseShare(view, reader, words, bridge.passage, nameOrdinals(view, bridge.passage, bridge.entity));
      this.clauses.set(bridge, share);
    }
    return share;
  }

  private mentions(passage: number): { entity: number; relevance: number; found: WordSet }[] {
    const { segment, passageBase } = this.view.partOfPassage(passage);
    const { sentenceIndptr, mentionIndptr, mentionEntities, entityKeys } = segment.arrays;
    const { sentences, sentenceLengths } = this.reader.read(passage);
    const first = sentenceIndptr[passage - passageBase];
    return sentences.flatMap((found, s) => {
      const relevance = this.words.relevance(found, this.words.open, sentenceLengths[s]);
      const entities = mentionEntities.subarray(mentionIndptr[first + s], mentionIndptr[first + s + 1]);
      return Array.from(entities, (entity) => ({ entity: entityKeys[entity], relevance, found }));
    });
  }
}

/** The words of an entity's name as ordinals in the segment of a passage that contains it; -1 for one it lacks. */
export function nameOrdinals(view: View, passage: number, entity: number): Int32Array {
  const { segment } = view.partOfPassage(passage);
  const name = segment.entityName(segment.entities.find(entity));
  return Int32Array.from(name.split(" "), (word) => segment.terms.find(stableKey(word)));
}

/** The best coverage of the open words around an occurrence of the name in the passage; 0 where it does not occur. */
export function clauseShare(
  view: View,
  reader: PassageReader,
  words: WordWeights,
  passage: number,
  name: Int32Array,
): number {
  const { segment, passageBase } = view.partOfPassage(passage);
  const { tokens, tokenIndptr } = segment.arrays;
  const start = tokenIndptr[passage - passageBase];
  const end = tokenIndptr[passage - passageBase + 1];
  const read = reader.read(passage);
  let best = 0;
  for (let i = start; i + name.length <= end; i++) {
    let length = 0;
    while (length < name.length && tokens[i + length] === name[length]) length++;
    if (length < name.length) continue;
    const from = i - start - CLAUSE_REACH;
    best = Math.max(best, words.shareWithin(read, from, i - start + length + CLAUSE_REACH, words.open));
  }
  return best;
}
