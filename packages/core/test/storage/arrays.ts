import fc from "fast-check";
import { VECTOR_PRECISIONS } from "../../src/segment/packed-vectors.js";
import type { VectorPrecision } from "../../src/types.js";
import type { SegmentArrays, SegmentHeader } from "../../src/segment/segment.js";

/** A passage before it is packed: numbers of terms, and of the entities of the title and of each sentence. */
interface Draft {
  readonly id: string;
  readonly record: string;
  readonly title: { readonly tokens: readonly number[]; readonly entities: readonly number[] };
  readonly sentences: readonly { readonly tokens: readonly number[]; readonly entities: readonly number[] }[];
}

export interface DraftSegment {
  readonly entityNames: readonly string[];
  readonly termNames: readonly string[];
  readonly passages: readonly Draft[];
  readonly dimensions: number;
  readonly precision: VectorPrecision;
}

/** Consistent arrays, made in the plainest way. Keys are multiples of an odd number, not hashes. */
export function packDraft({ entityNames, termNames, passages, dimensions, precision }: DraftSegment): SegmentArrays {
  const numbers = passages.length * dimensions;
  const rows = <T>(lists: readonly (readonly T[])[]) => {
    const indptr = [0];
    for (const list of lists) indptr.push(indptr[indptr.length - 1] + list.length);
    return { indptr: Uint32Array.from(indptr), flat: lists.flat() };
  };
  const strings = (list: readonly string[]) => {
    const encoded = list.map((text) => [...new TextEncoder().encode(text)]);
    const { indptr, flat } = rows(encoded);
    return { offsets: indptr, bytes: Uint8Array.from(flat) };
  };
  const keys = (length: number) => Float64Array.from({ length }, (_, i) => i * 4503599627371 + 7);
  const ascending = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);
  const transpose = (lists: readonly (readonly number[])[], columns: number) =>
    Array.from({ length: columns }, (_, c) => lists.flatMap((list, r) => (list.includes(c) ? [r] : [])));

  const ids = strings(passages.map((passage) => passage.id));
  const records = strings(passages.map((passage) => passage.record));
  const tokenLists = passages.map((p) => [...p.title.tokens, ...p.sentences.flatMap((s) => s.tokens)]);
  const tokens = rows(tokenLists);
  const sentences = passages.flatMap((passage) => passage.sentences);
  const sentenceTokens = passages.flatMap((passage, p) => {
    let start = tokens.indptr[p] + passage.title.tokens.length;
    return passage.sentences.map((sentence) => {
      start += sentence.tokens.length;
      return start - sentence.tokens.length;
    });
  });
  const mentionLists = sentences.map((sentence) => ascending(sentence.entities));
  const mentions = rows(mentionLists);
  const containLists = passages.map((p) => ascending([...p.title.entities, ...p.sentences.flatMap((s) => s.entities)]));
  const contains = rows(containLists);
  const count = (p: number, e: number) =>
    passages[p].sentences.flatMap((s) => s.entities).filter((x) => x === e).length;
  const defines = (p: number, e: number) => (passages[p].title.entities.includes(e) ? 1 : 0);
  const entityPassageLists = transpose(containLists, entityNames.length);
  const entityPassages = rows(entityPassageLists);
  const entitySentences = rows(transpose(mentionLists, entityNames.length));
  const postingLists = transpose(tokenLists, termNames.length);
  const postings = rows(postingLists);
  const frequency = (t: number, p: number) => tokenLists[p].filter((token) => token === t).length;
  const entities = strings(entityNames);
  const terms = strings(termNames);

  return {
    passageKeys: keys(passages.length),
    idOffsets: ids.offsets,
    idBytes: ids.bytes,
    recordOffsets: records.offsets,
    recordBytes: records.bytes,
    tokenIndptr: tokens.indptr,
    tokens: Uint32Array.from(tokens.flat),
    sentenceIndptr: rows(passages.map((passage) => passage.sentences)).indptr,
    sentenceStarts: Uint32Array.from(sentences, (_, i) => i * 10),
    sentenceEnds: Uint32Array.from(sentences, (_, i) => i * 10 + 9),
    sentenceTokens: Uint32Array.from(sentenceTokens),
    mentionIndptr: mentions.indptr,
    mentionEntities: Uint32Array.from(mentions.flat),
    containIndptr: contains.indptr,
    containEntities: Uint32Array.from(contains.flat),
    containCounts: Uint32Array.from(containLists.flatMap((list, p) => list.map((e) => count(p, e)))),
    containDefines: Uint8Array.from(containLists.flatMap((list, p) => list.map((e) => defines(p, e)))),
    entityKeys: keys(entityNames.length),
    entityNameOffsets: entities.offsets,
    entityNameBytes: entities.bytes,
    entityPassageIndptr: entityPassages.indptr,
    entityPassages: Uint32Array.from(entityPassages.flat),
    entityPassageCounts: Uint32Array.from(entityPassageLists.flatMap((list, e) => list.map((p) => count(p, e)))),
    entityPassageDefines: Uint8Array.from(entityPassageLists.flatMap((list, e) => list.map((p) => defines(p, e)))),
    entitySentenceIndptr: entitySentences.indptr,
    entitySentences: Uint32Array.from(entitySentences.flat),
    termKeys: keys(termNames.length),
    termNameOffsets: terms.offsets,
    termNameBytes: terms.bytes,
    postingIndptr: postings.indptr,
    postingPassages: Uint32Array.from(postings.flat),
    postingCounts: Uint16Array.from(postingLists.flatMap((list, t) => list.map((p) => frequency(t, p)))),
    postingLengths: Uint16Array.from(postingLists.flatMap((list) => list.map((p) => tokenLists[p].length))),
    termMaxCounts: Uint16Array.from(postingLists, (list, t) => Math.max(0, ...list.map((p) => frequency(t, p)))),
    termMinLengths: Uint16Array.from(postingLists, (list) =>
      list.length === 0 ? 0xffff : Math.min(...list.map((p) => tokenLists[p].length)),
    ),
    vectors: Float32Array.from({ length: precision === "float32" ? numbers : 0 }, (_, i) => Math.fround(Math.sin(i))),
    vectorCodes: Int8Array.from({ length: precision === "int8" ? numbers : 0 }, (_, i) =>
      Math.round(127 * Math.sin(i)),
    ),
    vectorScales: Float32Array.from(
      { length: precision === "int8" && dimensions > 0 ? passages.length : 0 },
      (_, i) => 1 / (i + 1),
    ),
  };
}

/** Segments of any shape, the empty one included. */
export const segments: fc.Arbitrary<{ arrays: SegmentArrays; header: SegmentHeader }> = fc
  .record({
    entityNames: fc.array(fc.string({ unit: "grapheme", maxLength: 5 }), { maxLength: 6 }),
    termNames: fc.array(fc.string({ maxLength: 5 }), { maxLength: 6 }),
    dimensions: fc.integer({ min: 0, max: 3 }),
    precision: fc.constantFrom(...VECTOR_PRECISIONS),
    collisions: fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 2 }),
  })
  .chain(({ entityNames, termNames, dimensions, precision, collisions }) => {
    const below = (limit: number) =>
      limit === 0 ? fc.constant([]) : fc.array(fc.integer({ min: 0, max: limit - 1 }), { maxLength: 5 });
    const part = fc.record({ tokens: below(termNames.length), entities: below(entityNames.length) });
    const passage = fc.record({
      id: fc.string({ minLength: 1, maxLength: 4 }),
      record: fc.string({ unit: "grapheme", maxLength: 9 }),
      title: part,
      sentences: fc.array(part, { maxLength: 3 }),
    });
    return fc.array(passage, { maxLength: 5 }).map((passages) => ({
      arrays: packDraft({ entityNames, termNames, passages, dimensions, precision }),
      header: { dimensions, precision, collisions },
    }));
  });

/** Two passages, three sentences, three entities, three terms; vectors of two dimensions. */
export const sample: { arrays: SegmentArrays; header: SegmentHeader } = {
  arrays: packDraft({
    entityNames: ["lothair ii", "waldrada", "theodred"],
    termNames: ["king", "mother", "saxony"],
    dimensions: 2,
    precision: "int8",
    passages: [
      {
        id: "a",
        record: '{"text":"Lothair. Waldrada."}',
        title: { tokens: [0], entities: [0] },
        sentences: [
          { tokens: [0, 1], entities: [0, 1] },
          { tokens: [1], entities: [1] },
        ],
      },
      {
        id: "b",
        record: '{"text":"Theodred."}',
        title: { tokens: [], entities: [] },
        sentences: [{ tokens: [2, 2], entities: [2, 0] }],
      },
    ],
  }),
  header: { dimensions: 2, precision: "int8", collisions: [["king williams college", "another name"]] },
};

/** The chunks as one run of bytes, at the start of a buffer of its own. */
export function join(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}
