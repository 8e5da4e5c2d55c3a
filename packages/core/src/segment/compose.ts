import { inBlocks, type Steps } from "../steps.js";
import { type PackedVectors, type VectorShape, zeroVectors } from "./packed-vectors.js";
import { distinctKeys, keyTable, sortKeys } from "./key-table.js";
import type { SegmentArrays, SegmentHeader, SegmentContents } from "./segment.js";
import { comparePacked, gatherStrings, type PackedStrings, unpackString } from "./strings.js";
import type { TextArrays } from "./text-arrays.js";
import { postingsOf, transpose } from "./transpose.js";

/** What a segment is made of: the arrays that are read off the passages; the others follow from them. */
export interface ForwardArrays
  extends
    TextArrays,
    PackedVectors,
    Pick<SegmentArrays, "passageKeys" | "idOffsets" | "idBytes" | "recordOffsets" | "recordBytes"> {}

/** A source of passages: the arrays, in any order of passages, entities and terms, and which passages to take. */
export interface Part extends VectorShape {
  readonly arrays: ForwardArrays;
  /** Pairs of names already known to share a key. */
  readonly collisions: SegmentHeader["collisions"];
  readonly isTaken: (passage: number) => boolean;
}

/**
 * Makes one segment of the taken passages of all parts. Building and merging are the same act: a
 * builder hands over one unordered part, a merge the segments with their dead left out. No two taken
 * passages may share an id. Linear in the parts, but for sorting the keys.
 *
 * What is taken must not change between the steps.
 */
export function* compose(parts: readonly Part[]): Steps<SegmentContents> {
  const order = yield* orderPassages(parts);
  const entities = yield* joinNames(
    parts.map(({ arrays }) => ({ keys: arrays.entityKeys, names: entityNames(arrays) })),
    yield* markUsed(parts, order, (arrays) => [arrays.containIndptr, arrays.containEntities, arrays.entityKeys.length]),
  );
  const terms = yield* joinNames(
    parts.map(({ arrays }) => ({
      keys: arrays.termKeys,
      names: { offsets: arrays.termNameOffsets, bytes: arrays.termNameBytes },
    })),
    yield* markUsed(parts, order, (arrays) => [arrays.tokenIndptr, arrays.tokens, arrays.termKeys.length]),
  );
  const dimensions = Math.max(0, ...parts.map((part) => part.dimensions));
  const precision = parts[0]?.precision ?? "float32";
  const forward = yield* gather(parts, order, entities, terms, { dimensions, precision });
  const known = parts.flatMap((part) => part.collisions);
  return {
    arrays: yield* withTransposes(forward),
    header: { dimensions, precision, collisions: distinctPairs([...known, ...entities.collisions]) },
  };
}

/** Passages with all that they hold, and names, that are gone through in one step. */
const PASSAGES = 64;
const NAMES = 4096;

/** Where each passage of the new segment comes from. */
interface PassageOrder {
  readonly part: Uint32Array;
  readonly passage: Uint32Array;
  readonly keys: Float64Array;
}

function* orderPassages(parts: readonly Part[]): Steps<PassageOrder> {
  const taken: number[][] = [];
  for (const { arrays, isTaken } of parts) {
    const passages: number[] = [];
    yield* inBlocks(arrays.passageKeys.length, NAMES, (start, end) => {
      for (let p = start; p < end; p++) if (isTaken(p)) passages.push(p);
    });
    taken.push(passages);
  }
  const size = taken.reduce((sum, { length }) => sum + length, 0);
  const unordered = new Float64Array(size);
  let filled = 0;
  for (const [source, passages] of taken.entries()) {
    const { passageKeys } = parts[source].arrays;
    for (const p of passages) unordered[filled++] = passageKeys[p];
    yield;
  }
  const keys = yield* sortKeys(unordered);
  const slots = yield* keyTable(keys);
  const part = new Uint32Array(size).fill(parts.length);
  const passage = new Uint32Array(size);
  const colliding = new Set<number>();
  for (const [source, passages] of taken.entries()) {
    const { passageKeys } = parts[source].arrays;
    yield* inBlocks(passages.length, NAMES, (start, end) => {
      for (let i = start; i < end; i++) {
        const first = slots.find(passageKeys[passages[i]]);
        let slot = first;
        while (part[slot] !== parts.length) slot++;
        if (slot !== first) colliding.add(first);
        part[slot] = source;
        passage[slot] = passages[i];
      }
    });
  }
  for (const first of colliding) sortCollidingIds(parts, { part, passage, keys }, first);
  return { part, passage, keys };
}

/** Puts a run of passages whose ids share a key in the order of their ids. */
function sortCollidingIds(parts: readonly Part[], { part, passage, keys }: PassageOrder, first: number): void {
  const run: { part: number; passage: number; id: string }[] = [];
  for (let slot = first; keys[slot] === keys[first]; slot++) {
    const { idOffsets, idBytes } = parts[part[slot]].arrays;
    run.push({ part: part[slot], passage: passage[slot], id: unpackString(idOffsets, idBytes, passage[slot]) });
  }
  run.sort((a, b) => (a.id < b.id ? -1 : 1));
  run.forEach((entry, i) => {
    part[first + i] = entry.part;
    passage[first + i] = entry.passage;
  });
}

/** For each part, 1 where a taken passage's row holds the column. */
function* markUsed(
  parts: readonly Part[],
  order: PassageOrder,
  matrix: (arrays: ForwardArrays) => [indptr: Uint32Array, indices: Uint32Array, columns: number],
): Steps<Uint8Array[]> {
  const matrices = parts.map((part) => matrix(part.arrays));
  const used = matrices.map(([, , columns]) => new Uint8Array(columns));
  yield* inBlocks(order.part.length, PASSAGES, (start, end) => {
    for (let slot = start; slot < end; slot++) {
      const [indptr, indices] = matrices[order.part[slot]];
      const marks = used[order.part[slot]];
      const row = order.passage[slot];
      for (let i = indptr[row]; i < indptr[row + 1]; i++) marks[indices[i]] = 1;
    }
  });
  return used;
}

interface JoinedNames {
  readonly keys: Float64Array;
  readonly names: PackedStrings;
  /** For each part: its ordinal → the joined ordinal, where used. */
  readonly maps: readonly Uint32Array[];
  readonly collisions: readonly (readonly [string, string])[];
}

/** One dictionary of the used names of all parts, by key. Names that share a key become one, the first in byte order. */
function* joinNames(
  sources: readonly { keys: Float64Array; names: PackedStrings }[],
  used: readonly Uint8Array[],
): Steps<JoinedNames> {
  const usedKeys = new Float64Array(used.reduce((sum, marks) => sum + countOnes(marks), 0));
  yield;
  let filled = 0;
  for (const [s, { keys }] of sources.entries()) {
    yield* inBlocks(keys.length, NAMES, (start, end) => {
      for (let i = start; i < end; i++) if (used[s][i] === 1) usedKeys[filled++] = keys[i];
    });
  }
  const keys = yield* distinctKeys(usedKeys);
  const table = yield* keyTable(keys);
  const packs = sources.map((source) => source.names);
  const pack = new Uint32Array(keys.length).fill(packs.length);
  const item = new Uint32Array(keys.length);
  const collisions: [string, string][] = [];
  const maps: Uint32Array[] = [];
  for (const [s, source] of sources.entries()) {
    const map = new Uint32Array(source.keys.length);
    maps.push(map);
    yield* inBlocks(source.keys.length, NAMES, (start, end) => {
      for (let i = start; i < end; i++) {
        if (used[s][i] === 0) continue;
        const joined = table.find(source.keys[i]);
        map[i] = joined;
        if (pack[joined] === packs.length) {
          pack[joined] = s;
          item[joined] = i;
          continue;
        }
        const comparison = comparePacked(packs[s], i, packs[pack[joined]], item[joined]);
        if (comparison === 0) continue;
        const here = unpackString(packs[s].offsets, packs[s].bytes, i);
        const there = unpackString(packs[pack[joined]].offsets, packs[pack[joined]].bytes, item[joined]);
        collisions.push(comparison < 0 ? [here, there] : [there, here]);
        if (comparison < 0) {
          pack[joined] = s;
          item[joined] = i;
        }
      }
    });
  }
  return { keys, names: yield* gatherStrings(packs, pack, item), maps, collisions };
}

function* gather(
  parts: readonly Part[],
  order: PassageOrder,
  entities: JoinedNames,
  terms: JoinedNames,
  shape: VectorShape,
): Steps<ForwardArrays> {
  const { dimensions, precision } = shape;
  const size = order.part.length;
  const sizes = { tokens: 0, sentences: 0, mentions: 0, contains: 0 };
  yield* inBlocks(size, NAMES, (start, end) => {
    for (let slot = start; slot < end; slot++) {
      const a = parts[order.part[slot]].arrays;
      const p = order.passage[slot];
      sizes.tokens += a.tokenIndptr[p + 1] - a.tokenIndptr[p];
      sizes.sentences += a.sentenceIndptr[p + 1] - a.sentenceIndptr[p];
      sizes.mentions += a.mentionIndptr[a.sentenceIndptr[p + 1]] - a.mentionIndptr[a.sentenceIndptr[p]];
      sizes.contains += a.containIndptr[p + 1] - a.containIndptr[p];
    }
  });
  const ids = yield* gatherStrings(
    parts.map(({ arrays }) => ({ offsets: arrays.idOffsets, bytes: arrays.idBytes })),
    order.part,
    order.passage,
  );
  const records = yield* gatherStrings(
    parts.map(({ arrays }) => ({ offsets: arrays.recordOffsets, bytes: arrays.recordBytes })),
    order.part,
    order.passage,
  );
  const out = {
    passageKeys: order.keys,
    idOffsets: ids.offsets,
    idBytes: ids.bytes,
    recordOffsets: records.offsets,
    recordBytes: records.bytes,
    tokenIndptr: new Uint32Array(size + 1),
    tokens: new Uint32Array(sizes.tokens),
    sentenceIndptr: new Uint32Array(size + 1),
    sentenceStarts: new Uint32Array(sizes.sentences),
    sentenceEnds: new Uint32Array(sizes.sentences),
    sentenceTokens: new Uint32Array(sizes.sentences),
    mentionIndptr: new Uint32Array(sizes.sentences + 1),
    mentionEntities: new Uint32Array(sizes.mentions),
    containIndptr: new Uint32Array(size + 1),
    containEntities: new Uint32Array(sizes.contains),
    containCounts: new Uint32Array(sizes.contains),
    containDefines: new Uint8Array(sizes.contains),
    entityKeys: entities.keys,
    entityNameOffsets: entities.names.offsets,
    entityNameBytes: entities.names.bytes,
    termKeys: terms.keys,
    termNameOffsets: terms.names.offsets,
    termNameBytes: terms.names.bytes,
    ...zeroVectors(size, shape),
  };
  let tokens = 0;
  let sentences = 0;
  let mentions = 0;
  let contains = 0;
  yield* inBlocks(size, PASSAGES, (first, last) => {
    for (let slot = first; slot < last; slot++) {
      const a = parts[order.part[slot]].arrays;
      const p = order.passage[slot];
      const termMap = terms.maps[order.part[slot]];
      const entityMap = entities.maps[order.part[slot]];

      const tokenShift = tokens - a.tokenIndptr[p];
      for (let i = a.tokenIndptr[p]; i < a.tokenIndptr[p + 1]; i++) out.tokens[tokens++] = termMap[a.tokens[i]];
      out.tokenIndptr[slot + 1] = tokens;

      for (let s = a.sentenceIndptr[p]; s < a.sentenceIndptr[p + 1]; s++) {
        out.sentenceStarts[sentences] = a.sentenceStarts[s];
        out.sentenceEnds[sentences] = a.sentenceEnds[s];
        out.sentenceTokens[sentences] = a.sentenceTokens[s] + tokenShift;
        const rowStart = mentions;
        for (let i = a.mentionIndptr[s]; i < a.mentionIndptr[s + 1]; i++) {
          mentions = insertDistinct(out.mentionEntities, rowStart, mentions, entityMap[a.mentionEntities[i]]);
        }
        out.mentionIndptr[++sentences] = mentions;
      }
      out.sentenceIndptr[slot + 1] = sentences;

      const rowStart = contains;
      for (let i = a.containIndptr[p]; i < a.containIndptr[p + 1]; i++) {
        contains = insertContained(out, rowStart, contains, entityMap[a.containEntities[i]], a, i);
      }
      out.containIndptr[slot + 1] = contains;

      const [start, end] = [p * dimensions, (p + 1) * dimensions];
      if (precision === "float32") out.vectors.set(a.vectors.subarray(start, end), slot * dimensions);
      else if (dimensions > 0) {
        out.vectorCodes.set(a.vectorCodes.subarray(start, end), slot * dimensions);
        out.vectorScales[slot] = a.vectorScales[p];
      }
    }
  });
  // Rows only shrink, and only when two names of one row share a key.
  if (mentions < sizes.mentions) out.mentionEntities = out.mentionEntities.slice(0, mentions);
  if (contains < sizes.contains) {
    out.containEntities = out.containEntities.slice(0, contains);
    out.containCounts = out.containCounts.slice(0, contains);
    out.containDefines = out.containDefines.slice(0, contains);
  }
  return out;
}

/** Insertion sort, one value at a time: rows are short, and those of a merge arrive sorted. Returns the new end. */
function insertDistinct(row: Uint32Array, start: number, end: number, value: number): number {
  let i = end;
  while (i > start && row[i - 1] > value) i--;
  if (i > start && row[i - 1] === value) return end;
  row.copyWithin(i + 1, i, end);
  row[i] = value;
  return end + 1;
}

function insertContained(
  out: Pick<SegmentArrays, "containEntities" | "containCounts" | "containDefines">,
  start: number,
  end: number,
  entity: number,
  from: ForwardArrays,
  place: number,
): number {
  const { containEntities, containCounts, containDefines } = out;
  let i = end;
  while (i > start && containEntities[i - 1] > entity) i--;
  if (i > start && containEntities[i - 1] === entity) {
    containCounts[i - 1] += from.containCounts[place];
    containDefines[i - 1] |= from.containDefines[place];
    return end;
  }
  containEntities.copyWithin(i + 1, i, end);
  containCounts.copyWithin(i + 1, i, end);
  containDefines.copyWithin(i + 1, i, end);
  containEntities[i] = entity;
  containCounts[i] = from.containCounts[place];
  containDefines[i] = from.containDefines[place];
  return end + 1;
}

function* withTransposes(forward: ForwardArrays): Steps<SegmentArrays> {
  const entities = forward.entityKeys.length;
  const contained = yield* transpose({ indptr: forward.containIndptr, indices: forward.containEntities }, entities);
  const mentioned = yield* transpose({ indptr: forward.mentionIndptr, indices: forward.mentionEntities }, entities);
  const { from } = contained;
  const entityPassageCounts = new Uint32Array(from.length);
  const entityPassageDefines = new Uint8Array(from.length);
  yield* inBlocks(from.length, NAMES, (start, end) => {
    for (let i = start; i < end; i++) {
      entityPassageCounts[i] = forward.containCounts[from[i]];
      entityPassageDefines[i] = forward.containDefines[from[i]];
    }
  });
  return {
    ...forward,
    entityPassageIndptr: contained.indptr,
    entityPassages: contained.indices,
    entityPassageCounts,
    entityPassageDefines,
    entitySentenceIndptr: mentioned.indptr,
    entitySentences: mentioned.indices,
    ...(yield* postingsOf(forward.tokenIndptr, forward.tokens, forward.termKeys.length)),
  };
}

function entityNames(arrays: ForwardArrays): PackedStrings {
  return { offsets: arrays.entityNameOffsets, bytes: arrays.entityNameBytes };
}

function countOnes(marks: Uint8Array): number {
  let ones = 0;
  for (let i = 0; i < marks.length; i++) ones += marks[i];
  return ones;
}

function distinctPairs(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}
