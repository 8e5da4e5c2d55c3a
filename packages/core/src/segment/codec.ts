/**
 * The file of a segment. All numbers are little-endian.
 *
 *     0   8 bytes   "TRIGRAPH", ASCII
 *     8   u32       format version, 3
 *     12  u32       length n of the table, in bytes
 *     16  u32       CRC-32 of bytes 0 to 16 followed by 20 to 20 + n
 *     20  n bytes   the table: JSON, UTF-8
 *     …             the sections, each starting at a multiple of 8, with zero bytes before it
 *
 * The table is `{"dimensions", "precision", "collisions", "sections": [{"name", "dtype", "count", "offset", "crc32"}, …]}`. There is
 * one section for each array of `SegmentArrays`, in the order of `DTYPES` below; `dtype` is i8, u8, u16, u32, f32 or f64,
 * `count` the number of elements, `offset` where the section starts, counted from the first multiple of 8 at or after
 * the end of the table, and `crc32` the CRC-32 of its bytes. Since the header's CRC covers the sections' CRCs,
 * it stands for the whole file. The last section ends the file.
 *
 * The first 20 bytes and what the CRC at 16 covers are the same in every later version.
 */
import * as z from "zod/mini";
import { type Checksum, crc32 } from "../directory/checksum.js";
import { firstIssue } from "../schema-issue.js";
import { inBlocks, type Steps } from "../steps.js";
import { IndexError } from "../errors.js";
import { readerOf } from "./format.js";
import { VECTOR_PRECISIONS } from "./packed-vectors.js";
import type { SegmentArrayName, SegmentArrays, SegmentHeader, SegmentContents } from "./segment.js";
import { validateSegment } from "./validate.js";

const MAGIC = Uint8Array.from("TRIGRAPH", (character) => character.charCodeAt(0));
const FORMAT_VERSION = 3;
const PRELUDE = 20;
const CHECKSUM_AT = 16;

interface ArrayOf {
  i8: Int8Array;
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
}

type Dtype = keyof ArrayOf;

const VIEWS: {
  readonly [D in Dtype]: {
    readonly BYTES_PER_ELEMENT: number;
    new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayOf[D];
  };
} = { i8: Int8Array, u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

/** The sections, in the order of the file. */
const DTYPES = {
  passageKeys: "f64",
  idOffsets: "u32",
  idBytes: "u8",
  recordOffsets: "u32",
  recordBytes: "u8",
  tokenIndptr: "u32",
  tokens: "u32",
  sentenceIndptr: "u32",
  sentenceStarts: "u32",
  sentenceEnds: "u32",
  sentenceTokens: "u32",
  mentionIndptr: "u32",
  mentionEntities: "u32",
  containIndptr: "u32",
  containEntities: "u32",
  containCounts: "u32",
  containDefines: "u8",
  entityKeys: "f64",
  entityNameOffsets: "u32",
  entityNameBytes: "u8",
  entityPassageIndptr: "u32",
  entityPassages: "u32",
  entityPassageCounts: "u32",
  entityPassageDefines: "u8",
  entitySentenceIndptr: "u32",
  entitySentences: "u32",
  termKeys: "f64",
  termNameOffsets: "u32",
  termNameBytes: "u8",
  postingIndptr: "u32",
  postingPassages: "u32",
  postingCounts: "u16",
  postingLengths: "u16",
  termMaxCounts: "u16",
  termMinLengths: "u16",
  vectors: "f32",
  vectorCodes: "i8",
  vectorScales: "f32",
} as const satisfies {
  [N in SegmentArrayName]: { [D in Dtype]: SegmentArrays[N] extends ArrayOf[D] ? D : never }[Dtype];
};

const NAMES = Object.keys(DTYPES) as SegmentArrayName[];

const count = z.int().check(z.nonnegative());
const sectionSchema = z.strictObject({
  name: z.string(),
  dtype: z.string(),
  count,
  offset: count,
  crc32: z.int().check(z.nonnegative(), z.lt(2 ** 32)),
});
const tableSchema = z.strictObject({
  dimensions: count,
  precision: z.enum(VECTOR_PRECISIONS),
  collisions: z.array(z.tuple([z.string(), z.string()])),
  sections: z.array(sectionSchema),
});

type Section = z.infer<typeof sectionSchema>;
type Table = z.infer<typeof tableSchema>;

export interface DecodeOptions {
  /** Names the caller in errors. Default "open". */
  readonly method?: string | undefined;
  /** What error messages call the bytes. Default "segment". */
  readonly file?: string | undefined;
  /** The `segmentChecksum` that the file must have. Default: any. */
  readonly expected?: number | undefined;
  /** Default: `crc32`. */
  readonly checksum?: Checksum | undefined;
}

/** Bytes that are summed in one step: a few milliseconds where the checksum is JavaScript's. */
const CHECKSUM_BLOCK = 2 ** 20;

function* checksumOf(bytes: Uint8Array, checksum: Checksum): Steps<number> {
  let sum = 0;
  yield* inBlocks(bytes.length, CHECKSUM_BLOCK, (start, end) => {
    sum = checksum(bytes.subarray(start, end), sum);
  });
  return sum;
}

/**
 * The file of a segment in chunks to be written one after the other: the header, then views of the arrays' own bytes,
 * which must not change before they are written. The arrays are not validated.
 * Throws `IndexError` INDEX_MISMATCH on a big-endian machine.
 */
export function* encodeSegment(
  arrays: SegmentArrays,
  header: SegmentHeader,
  checksum: Checksum = crc32,
): Steps<Uint8Array[]> {
  checkByteOrder();
  const sections: Section[] = [];
  const body: Uint8Array[] = [];
  let end = 0;
  for (const name of NAMES) {
    const array = arrays[name];
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const offset = align(end);
    if (offset > end) body.push(new Uint8Array(offset - end));
    if (bytes.length > 0) body.push(bytes);
    sections.push({
      name,
      dtype: DTYPES[name],
      count: array.length,
      offset,
      crc32: yield* checksumOf(bytes, checksum),
    });
    end = offset + bytes.length;
  }
  const { dimensions, precision, collisions } = header;
  const table = new TextEncoder().encode(JSON.stringify({ dimensions, precision, collisions, sections }));
  const head = new Uint8Array(align(PRELUDE + table.length));
  const view = new DataView(head.buffer);
  head.set(MAGIC);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(12, table.length, true);
  head.set(table, PRELUDE);
  view.setUint32(CHECKSUM_AT, headerChecksum(head, table.length, checksum), true);
  return [head, ...body];
}

/**
 * The checksum of a whole segment file, read from its first 20 bytes (of its first chunk, for one just encoded).
 * Whether the file deserves it is for `decodeSegment` to say.
 */
export function segmentChecksum(bytes: Uint8Array): number {
  return dataView(bytes).getUint32(CHECKSUM_AT, true);
}

/**
 * The arrays and header of a segment file. Arrays are views of `bytes` when it starts at a multiple of 8 in its
 * buffer, as `Directory.read` gives it; otherwise those that need it are copied.
 *
 * Nothing is trusted before it is checked: checksums, layout, and `validateSegment`. Throws `IndexError` CORRUPT_INDEX
 * when the bytes are not a segment as it was written, INDEX_MISMATCH when a newer version of the library wrote it or
 * the machine is big-endian.
 */
export function* decodeSegment(bytes: Uint8Array, options: DecodeOptions = {}): Steps<SegmentContents> {
  checkByteOrder();
  const { method = "open", file = "segment", expected, checksum = crc32 } = options;
  const where = `${method}: ${file}`;
  const corrupt = (what: string) => new IndexError("CORRUPT_INDEX", `${where} ${what}`);
  const { version, length } = readPrelude(bytes, checksum, corrupt);
  if (expected !== undefined && segmentChecksum(bytes) !== expected) {
    throw corrupt(`has the checksum ${segmentChecksum(bytes)}, not ${expected}: it is another file`);
  }
  return yield* readerOf(READERS, version, where)({ bytes, length, checksum, corrupt });
}

/** A file whose prelude and table are as they were written. */
interface SegmentFile {
  readonly bytes: Uint8Array;
  /** Of the table. */
  readonly length: number;
  readonly checksum: Checksum;
  /** Makes the error that says what is wrong with the file. */
  readonly corrupt: (what: string) => IndexError;
}

/** What reads each version that this version of the library takes. The next one is added here, and its writer replaces this. */
const READERS: ReadonlyMap<number, (file: SegmentFile) => Steps<SegmentContents>> = new Map([
  [FORMAT_VERSION, readFormat3],
]);

function* readFormat3({ bytes, length, checksum, corrupt }: SegmentFile): Steps<SegmentContents> {
  const { table, start } = readTable(bytes, length, corrupt);
  const { dimensions, precision, collisions, sections } = table;
  if (sections.length !== NAMES.length) throw corrupt(`has ${sections.length} sections, not ${NAMES.length}`);
  const arrays: Partial<Record<SegmentArrayName, ArrayOf[Dtype]>> = {};
  let end = start;
  for (const [i, section] of sections.entries()) {
    const name = NAMES[i];
    const dtype = DTYPES[name];
    if (section.name !== name || section.dtype !== dtype) {
      throw corrupt(`has the section ${section.name} (${section.dtype}) where ${name} (${dtype}) belongs`);
    }
    const offset = start + section.offset;
    const sectionEnd = offset + section.count * VIEWS[dtype].BYTES_PER_ELEMENT;
    if (offset !== align(end)) throw corrupt(`has the section ${name} at byte ${offset}, not ${align(end)}`);
    if (sectionEnd > bytes.length) throw corrupt(`ends at byte ${bytes.length}, inside the section ${name}`);
    if (!isZero(bytes, end, offset)) throw corrupt(`has data between sections, before ${name}`);
    const slice = bytes.subarray(offset, sectionEnd);
    if ((yield* checksumOf(slice, checksum)) !== section.crc32)
      throw corrupt(`has a wrong checksum in the section ${name}`);
    arrays[name] = viewOf(slice, dtype);
    end = sectionEnd;
  }
  if (end !== bytes.length) throw corrupt(`has ${bytes.length - end} bytes after its last section`);

  // Each name was given an array of its type just now.
  const complete = arrays as unknown as SegmentArrays;
  const [finding] = yield* validateSegment(complete, { dimensions, precision });
  if (finding !== undefined) throw corrupt(`cannot be used: ${finding.what}`);
  return { arrays: complete, header: { dimensions, precision, collisions } };
}

/** The version, and the length of the table, which are as they were written. */
function readPrelude(bytes: Uint8Array, checksum: Checksum, corrupt: SegmentFile["corrupt"]) {
  if (bytes.length < PRELUDE) throw corrupt(`has ${bytes.length} bytes, fewer than a header's ${PRELUDE}`);
  if (MAGIC.some((byte, i) => bytes[i] !== byte))
    throw corrupt(`does not start with "TRIGRAPH": it is no segment file`);
  const view = dataView(bytes);
  const version = view.getUint32(8, true);
  const length = view.getUint32(12, true);
  if (PRELUDE + length > bytes.length)
    throw corrupt(`ends at byte ${bytes.length}, inside its table of ${length} bytes`);
  if (headerChecksum(bytes, length, checksum) !== segmentChecksum(bytes)) {
    throw corrupt("has a wrong checksum in its header");
  }
  return { version, length };
}

/** The table, and where the sections start. */
function readTable(
  bytes: Uint8Array,
  length: number,
  corrupt: SegmentFile["corrupt"],
): { table: Table; start: number } {
  const end = PRELUDE + length;
  const start = align(end);
  if (!isZero(bytes, end, Math.min(start, bytes.length))) throw corrupt("has data between its table and its sections");
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(PRELUDE, end)));
  } catch (error) {
    throw corrupt(`has a table that is no JSON: ${String(error)}`);
  }
  const parsed = z.safeParse(tableSchema, json);
  if (!parsed.success) throw corrupt(`has a wrong table: ${firstIssue(parsed.error)}`);
  return { table: parsed.data, start };
}

function headerChecksum(bytes: Uint8Array, tableLength: number, checksum: Checksum): number {
  return checksum(bytes.subarray(PRELUDE, PRELUDE + tableLength), checksum(bytes.subarray(0, CHECKSUM_AT)));
}

function viewOf(bytes: Uint8Array, dtype: Dtype): ArrayOf[Dtype] {
  const View = VIEWS[dtype];
  const aligned = bytes.byteOffset % View.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
  return new View(aligned.buffer, aligned.byteOffset, aligned.length / View.BYTES_PER_ELEMENT);
}

function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] !== 0) return false;
  return true;
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

function dataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function checkByteOrder(): void {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1) return;
  throw new IndexError(
    "INDEX_MISMATCH",
    "open: segment files are little-endian and this machine is big-endian: use the index on a little-endian machine",
  );
}
