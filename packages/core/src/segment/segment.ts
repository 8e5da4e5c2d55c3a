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
  /** [T + 1] term → passages that hold it, with its frequency in each (at most 65,535: BM25 is flat there). */
  readonly postingIndptr: Uint32Array;
  readonly postingPassages: Uint32Array;
  readonly postingCounts: Uint16Array;
  /** [T] greatest frequency and least passage length of a term's postings: they bound its BM25 score. */
  readonly termMaxCounts: Uint16Array;
  readonly termMinLengths: Uint32Array;

  /** [P × dimensions], or empty without vectors. */
  readonly vectors: Float32Array;
}

export type SegmentArrayName = keyof SegmentArrays;

/** What a segment's file holds beside the arrays. */
export interface SegmentHeader {
  /** Length of each vector; 0 when the segment has none. */
  readonly dimensions: number;
  /** Pairs of entity names that share a key. */
  readonly collisions: readonly (readonly [string, string])[];
}
