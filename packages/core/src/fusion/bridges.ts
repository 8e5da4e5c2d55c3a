import type { WordSet } from "../graph/reader.js";
import type { View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import type { PassageReader } from "./passage-words.js";
import type { WordWeights } from "./word-weights.js";

/** Bridges that the second hop follows. */
const MAX_BRIDGES = 6;

/** A bridge in more live passages than this leads nowhere in particular. */
const MAX_BRIDGE_DEGREE = 40;

/** What the second hop gives a passage that merely contains the bridge. */
const PLAIN_MENTION = 0.2;

/** An entity that a leading passage mentions and the question does not. */
export interface Bridge {
  /** Its key. */
  readonly entity: number;
  /** The leading passage, and σ of its best sentence that mentions the entity. */
  readonly passage: number;
  readonly relevance: number;
  /** The open words that this sentence leaves open. */
  readonly left: WordSet;
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
    this.all = this.find(leading, seeds);
    this.best = [...this.all.values()]
      .filter(({ entity, relevance }) => relevance > 0 && view.entityDegree(entity) <= MAX_BRIDGE_DEGREE)
      .sort((a, b) => b.relevance - a.relevance || a.entity - b.entity)
      .slice(0, MAX_BRIDGES);
  }

  /** Whether any passage defines one of the bridges. */
  get anyDefined(): boolean {
    for (const entity of this.all.keys()) if (this.view.entityDefinitions(entity) > 0) return true;
    return false;
  }

  /**
   * The visible passages that contain one of the best bridges, and what brought each: the relevance of its bridge times
   * what it covers of the words that the bridge's sentence left open.
   */
  secondHop(leading: ReadonlySet<number>, visibility: Visibility): Map<number, SecondHop> {
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

  private find(leading: readonly number[], seeds: ReadonlySet<number>): Map<number, Bridge> {
    const all = new Map<number, Bridge>();
    for (const passage of leading) {
      const { segment, passageBase } = this.view.partOfPassage(passage);
      const { sentenceIndptr, mentionIndptr, mentionEntities, entityKeys } = segment.arrays;
      const { sentences, sentenceLengths } = this.reader.read(passage);
      const first = sentenceIndptr[passage - passageBase];
      for (let s = 0; s < sentences.length; s++) {
        const relevance = this.words.relevance(sentences[s], this.words.open, sentenceLengths[s]);
        const left = (this.words.open & ~sentences[s]) >>> 0;
        for (let i = mentionIndptr[first + s]; i < mentionIndptr[first + s + 1]; i++) {
          const entity = entityKeys[mentionEntities[i]];
          if (seeds.has(entity)) continue;
          const known = all.get(entity);
          if (known === undefined || relevance > known.relevance) all.set(entity, { entity, passage, relevance, left });
        }
      }
    }
    return all;
  }
}
