import type { VectorIndexes } from "../dense/vector-index.js";
import type { KeyTable } from "../segment/key-table.js";
import type { Segment } from "../segment/segment.js";
import { stableKey } from "../text/keys.js";
import type { StoredPassage } from "../types.js";
import type { Liveness } from "./liveness.js";

/** A segment within a view: its liveness and where its passages and sentences are numbered from. */
export class SegmentView {
  readonly segment: Segment;
  readonly liveness: Liveness;
  readonly passageBase: number;
  readonly sentenceBase: number;
  /** No passage is dead: the segment's own counts hold. */
  readonly isWhole: boolean;

  constructor(segment: Segment, liveness: Liveness, passageBase: number, sentenceBase: number) {
    this.segment = segment;
    this.liveness = liveness;
    this.isWhole = liveness.dead.passages === 0;
    this.passageBase = passageBase;
    this.sentenceBase = sentenceBase;
  }

  /** Live passages that contain the entity. */
  entityDegree(entity: number): number {
    const { entityPassageIndptr } = this.segment.arrays;
    const stored = entityPassageIndptr[entity + 1] - entityPassageIndptr[entity];
    return this.isWhole ? stored : stored - this.liveness.dead.entityPassages.get(entity);
  }

  /** Live passages that define the entity. */
  entityDefinitions(entity: number): number {
    const stored = this.segment.entityDefinitions[entity];
    return this.isWhole ? stored : stored - this.liveness.dead.entityDefinitions.get(entity);
  }

  /** Live passages that hold the term. */
  termDegree(term: number): number {
    const { postingIndptr } = this.segment.arrays;
    const stored = postingIndptr[term + 1] - postingIndptr[term];
    return this.isWhole ? stored : stored - this.liveness.dead.termPassages.get(term);
  }
}

/** A segment's share of an index: what a view is made of. */
export interface ViewPart {
  readonly segment: Segment;
  readonly liveness: Liveness;
}

/** Where the live passage with this id is. */
export function locate(parts: readonly ViewPart[], id: string): { part: number; passage: number } | undefined {
  const key = stableKey(id);
  for (let part = 0; part < parts.length; part++) {
    const passage = parts[part].segment.findPassage(id, key);
    if (passage >= 0 && parts[part].liveness.isLive(passage)) return { part, passage };
  }
  return undefined;
}

/**
 * What a query sees: the segments and their live bits at one commit. Immutable.
 *
 * Passages and sentences are numbered through all segments. The numbers are names within this view and
 * no order: order is by key, then id (`comparePassages`), which storage does not change.
 */
export class View {
  readonly parts: readonly SegmentView[];
  /** Live passages, and their tokens. */
  readonly passageCount: number;
  readonly tokenCount: number;
  readonly sentenceCount: number;
  /** Of segments whose vectors are indexed. */
  readonly vectorIndexes: VectorIndexes | undefined;

  constructor(parts: readonly ViewPart[], vectorIndexes?: VectorIndexes) {
    this.vectorIndexes = vectorIndexes;
    let passageBase = 0;
    let sentenceBase = 0;
    let passages = 0;
    let tokens = 0;
    let sentences = 0;
    this.parts = parts.map(({ segment, liveness }) => {
      const part = new SegmentView(segment, liveness, passageBase, sentenceBase);
      passageBase += segment.passageCount;
      sentenceBase += segment.sentenceCount;
      passages += segment.passageCount - liveness.dead.passages;
      tokens += segment.arrays.tokens.length - liveness.dead.tokens;
      sentences += segment.sentenceCount - liveness.dead.sentences;
      return part;
    });
    this.passageCount = passages;
    this.tokenCount = tokens;
    this.sentenceCount = sentences;
  }

  /** The part that holds the passage with this number. */
  partOfPassage(number: number): SegmentView {
    let i = this.parts.length - 1;
    while (this.parts[i].passageBase > number) i--;
    return this.parts[i];
  }

  partOfSentence(number: number): SegmentView {
    let i = this.parts.length - 1;
    while (this.parts[i].sentenceBase > number) i--;
    return this.parts[i];
  }

  /** The number of the passage that a sentence belongs to. */
  passageOfSentence(number: number): number {
    const part = this.partOfSentence(number);
    return part.passageBase + part.segment.passageOfSentence(number - part.sentenceBase);
  }

  /** The number of the live passage with this id, or -1. */
  findPassage(id: string): number {
    const place = locate(this.parts, id);
    return place === undefined ? -1 : this.parts[place.part].passageBase + place.passage;
  }

  passageId(number: number): string {
    const part = this.partOfPassage(number);
    return part.segment.passageId(number - part.passageBase);
  }

  passage(number: number): StoredPassage {
    const part = this.partOfPassage(number);
    return part.segment.passage(number - part.passageBase);
  }

  passageKey(number: number): number {
    const part = this.partOfPassage(number);
    return part.segment.arrays.passageKeys[number - part.passageBase];
  }

  /** Orders passages by key, then id. */
  comparePassages(a: number, b: number): number {
    if (a === b) return 0;
    const difference = this.passageKey(a) - this.passageKey(b);
    if (difference !== 0) return difference;
    return this.passageId(a) < this.passageId(b) ? -1 : 1;
  }

  /** Live passages that contain the entity with this key. */
  entityDegree(key: number): number {
    let degree = 0;
    for (const part of this.parts) {
      const entity = part.segment.entities.find(key);
      if (entity >= 0) degree += part.entityDegree(entity);
    }
    return degree;
  }

  /** Live passages that define the entity with this key. */
  entityDefinitions(key: number): number {
    let definitions = 0;
    for (const part of this.parts) {
      const entity = part.segment.entities.find(key);
      if (entity >= 0) definitions += part.entityDefinitions(entity);
    }
    return definitions;
  }

  /** Live passages that hold the term. */
  termDegree(term: string): number {
    const key = stableKey(term);
    let degree = 0;
    for (const part of this.parts) {
      const ordinal = part.segment.terms.find(key);
      if (ordinal >= 0) degree += part.termDegree(ordinal);
    }
    return degree;
  }

  /** The name of the entity with this key, or undefined when the view does not hold it. */
  entityName(key: number): string | undefined {
    let name: string | undefined;
    for (const { segment } of this.parts) {
      const entity = segment.entities.find(key);
      if (entity < 0) continue;
      const here = segment.entityName(entity);
      // Names that collide are one node; its name is the first of them, as in a merged segment.
      if (name === undefined || here < name) name = here;
    }
    return name;
  }

  /** Pairs of entity names that share a key, within a segment or between two. Linear in the entities. */
  collisions(): (readonly [string, string])[] {
    const pairs = new Map<string, readonly [string, string]>();
    for (const [i, { segment }] of this.parts.entries()) {
      for (const pair of segment.header.collisions) pairs.set(JSON.stringify(pair), pair);
      for (const { segment: earlier } of this.parts.slice(0, i)) {
        for (let entity = 0; entity < segment.arrays.entityKeys.length; entity++) {
          const twin = earlier.entities.find(segment.arrays.entityKeys[entity]);
          if (twin < 0) continue;
          const names = [earlier.entityName(twin), segment.entityName(entity)].sort();
          if (names[0] !== names[1]) pairs.set(JSON.stringify(names), [names[0], names[1]]);
        }
      }
    }
    return [...pairs.values()];
  }

  /** Distinct entities in live passages. */
  countEntities(): number {
    return this.countDistinct(
      ({ segment }) => segment.entities,
      (part, entity) => part.entityDegree(entity),
    );
  }

  /** Distinct terms in live passages. */
  countTerms(): number {
    return this.countDistinct(
      ({ segment }) => segment.terms,
      (part, term) => part.termDegree(term),
    );
  }

  private countDistinct(
    table: (part: SegmentView) => KeyTable,
    degree: (part: SegmentView, ordinal: number) => number,
  ) {
    let count = 0;
    for (const [i, part] of this.parts.entries()) {
      const { keys } = table(part);
      for (let ordinal = 0; ordinal < keys.length; ordinal++) {
        if (degree(part, ordinal) === 0) continue;
        const isElsewhere = this.parts.slice(0, i).some((earlier) => {
          const twin = table(earlier).find(keys[ordinal]);
          return twin >= 0 && degree(earlier, twin) > 0;
        });
        if (!isElsewhere) count++;
      }
    }
    return count;
  }
}

/** Orders passages of equal score: by id, ascending in UTF-16 code units. */
export function compareIds(view: View): (a: number, b: number) => number {
  return (a, b) => {
    if (a === b) return 0;
    return view.passageId(a) < view.passageId(b) ? -1 : 1;
  };
}
