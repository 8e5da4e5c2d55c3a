import { finish, inRows, type Steps } from "../steps.js";
import { quantize, restored, type VectorShape } from "./packed-vectors.js";
import type { StoredPassage } from "../types.js";
import { keyTable, type KeyTable } from "./key-table.js";
import { decodeRecord } from "./record.js";
import { unpackString } from "./strings.js";

/**
 * A segment: an immutable, self-contained bundle of typed arrays over a batch of passages.
 *
 * P passages ordered by (key, id), S sentences in passage order, E entities and T terms ordered by
 * key. A key is a 53-bit hash that is the same in every segment (`text/keys.ts`), so two segments
 * speak of the same entity without a shared dictionary; an ordinal is the place in this segment's
 * order. Matrices are CSR: row i of a matrix is `indices[indptr[i] … indptr[i + 1])`, ascending.
 */
export interface SegmentArrays {
  /** [P] keys of the passage ids, ascending; ids whose keys collide stand in id order. */
  readonly passageKeys: Float64Array;
  /** [P + 1] and bytes: the ids, UTF-8. */
  readonly idOffsets: Uint32Array;
  readonly idBytes: Uint8Array;
  /** [P + 1] and bytes: each passage as JSON (`segment/record.ts`). */
  readonly recordOffsets: Uint32Array;
  readonly recordBytes: Uint8Array;

  /** [P + 1] passage → its terms in text order, title first, with repetitions. */
  readonly tokenIndptr: Uint32Array;
  readonly tokens: Uint32Array;
  /** [P + 1] passage → its sentences. */
  readonly sentenceIndptr: Uint32Array;
  /** [S] UTF-16 offsets into the passage's text. */
  readonly sentenceStarts: Uint32Array;
  readonly sentenceEnds: Uint32Array;
  /** [S] where a sentence's tokens start in `tokens`; they end where the next sentence's or the next passage's start. */
  readonly sentenceTokens: Uint32Array;

  /** [S + 1] M, the mention matrix (equation 2): sentence → its entities. */
  readonly mentionIndptr: Uint32Array;
  readonly mentionEntities: Uint32Array;
  /** [P + 1] C, the contain matrix (equation 1): passage → its entities, mentioned or defined. */
  readonly containIndptr: Uint32Array;
  readonly containEntities: Uint32Array;
  /** N, the occurrences in the passage's text; 0 for an entity that only the title names. */
  readonly containCounts: Uint32Array;
  /** 1 where the passage defines the entity. */
  readonly containDefines: Uint8Array;

  /** [E] and the names, UTF-8. */
  readonly entityKeys: Float64Array;
  readonly entityNameOffsets: Uint32Array;
  readonly entityNameBytes: Uint8Array;
  /** [E + 1] transpose of C. */
  readonly entityPassageIndptr: Uint32Array;
  readonly entityPassages: Uint32Array;
  readonly entityPassageCounts: Uint32Array;
  readonly entityPassageDefines: Uint8Array;
  /** [E + 1] transpose of M. */
  readonly entitySentenceIndptr: Uint32Array;
  readonly entitySentences: Uint32Array;

  /** [T] and the terms, UTF-8. */
  readonly termKeys: Float64Array;
  readonly termNameOffsets: Uint32Array;
  readonly termNameBytes: Uint8Array;
  /**
   * [T + 1] term → passages that hold it, with its frequency in each and the passage's length in tokens (at most
   * 65,535 both). The lengths stand here once more so that scoring reads on in memory instead of hopping about.
   */
  readonly postingIndptr: Uint32Array;
  readonly postingPassages: Uint32Array;
  readonly postingCounts: Uint16Array;
  readonly postingLengths: Uint16Array;
  /** [T] greatest frequency and least passage length of a term's postings: they bound its BM25 score. */
  readonly termMaxCounts: Uint16Array;
  readonly termMinLengths: Uint16Array;

  /** [P × dimensions] vectors of length 1 (or 0) in full precision; empty without vectors or with codes. */
  readonly vectors: Float32Array;
  /** [P × dimensions] and [P] the same in eight bits: a vector is its codes times its scale (`segment/packed-vectors.ts`). */
  readonly vectorCodes: Int8Array;
  readonly vectorScales: Float32Array;
}

export type SegmentArrayName = keyof SegmentArrays;

/** What a segment's file holds beside the arrays. */
export interface SegmentHeader extends VectorShape {
  /** Pairs of entity names that share a key. */
  readonly collisions: readonly (readonly [string, string])[];
}

/** All that a segment's file holds. */
export interface SegmentContents {
  readonly arrays: SegmentArrays;
  readonly header: SegmentHeader;
}

/** What follows from a segment's arrays and is not stored. */
interface LookUps {
  readonly entities: KeyTable;
  readonly terms: KeyTable;
  readonly ids: KeyTable;
  readonly entityDefinitions: Uint32Array;
  readonly passageMentions: Uint32Array;
  readonly passageDefinitions: Uint32Array;
}

/** Entities of passages that are counted in one step, each somewhere else in memory. */
const BLOCK = 2 ** 14;

function* lookUps(arrays: SegmentArrays): Steps<LookUps> {
  const entities = yield* keyTable(arrays.entityKeys);
  const terms = yield* keyTable(arrays.termKeys);
  const ids = yield* keyTable(arrays.passageKeys);
  const entityDefinitions = new Uint32Array(arrays.entityKeys.length);
  const passageMentions = new Uint32Array(arrays.passageKeys.length);
  const passageDefinitions = new Uint32Array(arrays.passageKeys.length);
  const { containIndptr, containEntities, containCounts, containDefines } = arrays;
  yield* inRows(containIndptr, BLOCK, (start, end) => {
    for (let p = start; p < end; p++) {
      for (let i = containIndptr[p]; i < containIndptr[p + 1]; i++) {
        entityDefinitions[containEntities[i]] += containDefines[i];
        passageDefinitions[p] += containDefines[i];
        passageMentions[p] += containCounts[i];
      }
    }
  });
  return { entities, terms, ids, entityDefinitions, passageMentions, passageDefinitions };
}

/** What `codec.ts` reads and `compose.ts` makes, with its look-ups. */
export function* toSegment({ arrays, header }: SegmentContents): Steps<Segment> {
  return new Segment(arrays, header, yield* lookUps(arrays));
}

/** A segment and the look-ups over it. */
export class Segment {
  readonly arrays: SegmentArrays;
  readonly header: SegmentHeader;
  readonly entities: KeyTable;
  readonly terms: KeyTable;
  /** [E] passages that define the entity. */
  readonly entityDefinitions: Uint32Array;
  /** [P] mentions in the passage, and entities that it defines. */
  readonly passageMentions: Uint32Array;
  readonly passageDefinitions: Uint32Array;
  private readonly ids: KeyTable;

  /**
   * @param arrays consistent with each other; `codec.ts` checks those that come from outside
   * @param found of the arrays
   */
  constructor(arrays: SegmentArrays, header: SegmentHeader, found: LookUps = finish(lookUps(arrays))) {
    this.arrays = arrays;
    this.header = header;
    this.entities = found.entities;
    this.terms = found.terms;
    this.ids = found.ids;
    this.entityDefinitions = found.entityDefinitions;
    this.passageMentions = found.passageMentions;
    this.passageDefinitions = found.passageDefinitions;
  }

  get passageCount(): number {
    return this.arrays.passageKeys.length;
  }

  get sentenceCount(): number {
    return this.arrays.sentenceStarts.length;
  }

  /** Bytes of the arrays and the look-up tables. */
  get bytes(): number {
    let bytes = this.entities.overheadBytes + this.terms.overheadBytes + this.ids.overheadBytes;
    const derived = [this.entityDefinitions, this.passageMentions, this.passageDefinitions];
    for (const array of [...(Object.values(this.arrays) as ArrayBufferView[]), ...derived]) bytes += array.byteLength;
    return bytes;
  }

  passageId(passage: number): string {
    return unpackString(this.arrays.idOffsets, this.arrays.idBytes, passage);
  }

  /** The passage as JSON. */
  record(passage: number): string {
    return unpackString(this.arrays.recordOffsets, this.arrays.recordBytes, passage);
  }

  passage(passage: number): StoredPassage {
    return decodeRecord(this.record(passage));
  }

  /** The ordinal of the passage with this id, or -1. @param key the id's key. */
  findPassage(id: string, key: number): number {
    const { passageKeys } = this.arrays;
    for (let p = this.ids.find(key); p >= 0 && p < passageKeys.length && passageKeys[p] === key; p++) {
      if (this.passageId(p) === id) return p;
    }
    return -1;
  }

  entityName(entity: number): string {
    return unpackString(this.arrays.entityNameOffsets, this.arrays.entityNameBytes, entity);
  }

  /** The passage that a sentence belongs to. */
  passageOfSentence(sentence: number): number {
    const { sentenceIndptr } = this.arrays;
    let low = 0;
    let high = this.passageCount;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (sentenceIndptr[middle] <= sentence) low = middle;
      else high = middle;
    }
    // Passages without sentences share their successor's start; the last such one holds the sentence.
    return low;
  }

  /** Number of tokens of a passage, its title's included. */
  passageLength(passage: number): number {
    return this.arrays.tokenIndptr[passage + 1] - this.arrays.tokenIndptr[passage];
  }

  /** Whether a vector of length 1 or 0 is kept as the passage's is. */
  holdsVector(passage: number, vector: Float32Array): boolean {
    const { dimensions, precision } = this.header;
    if (vector.length !== dimensions) return false;
    const start = passage * dimensions;
    if (precision === "float32") return vector.every((value, i) => value === this.arrays.vectors[start + i]);
    const codes = new Int8Array(dimensions);
    quantize(vector, codes);
    return codes.every((code, i) => code === this.arrays.vectorCodes[start + i]);
  }

  /** The vector of a passage, of length 1 or 0. */
  vector(passage: number): Float32Array {
    const { dimensions, precision } = this.header;
    const [start, end] = [passage * dimensions, (passage + 1) * dimensions];
    if (precision === "float32") return this.arrays.vectors.slice(start, end);
    return restored(this.arrays.vectorCodes.subarray(start, end), this.arrays.vectorScales[passage]);
  }
}
