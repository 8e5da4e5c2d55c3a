/**
 * The files of an index as they are documented in the core's `segment/codec.ts`, `index/manifest.ts` and
 * `index/dead.ts`, read and written anew with right checksums: what damage cannot do, and malice can.
 */
import { crc32 } from "node:zlib";

/** A file of an index, and how much a manifest knows of it. */
interface FileEntry {
  file: string;
  bytes: number;
  checksum: number;
}

export interface ManifestJson {
  checksum?: number;
  segments: (FileEntry & { passages: number; dead: number[] | (FileEntry & { passages: number }) })[];
  [field: string]: unknown;
}

export interface SectionJson {
  name: string;
  dtype: string;
  count: number;
  offset: number;
  crc32: number;
}

export interface TableJson {
  dimensions: number;
  precision: string;
  sections: SectionJson[];
  [field: string]: unknown;
}

const PRELUDE = 20;

export function isManifest(name: string): boolean {
  return /^manifest-[0-9]+[.]json$/.test(name);
}

export function parseManifest(bytes: Uint8Array): ManifestJson {
  return JSON.parse(new TextDecoder().decode(bytes)) as ManifestJson;
}

/** The bytes of a manifest with the checksum that it needs. */
export function sealManifest(manifest: object): Uint8Array {
  const body = JSON.stringify({ ...manifest, checksum: undefined });
  return new TextEncoder().encode(`{"checksum":${crc32(body)},${body.slice(1)}`);
}

/** A segment's table, and its sections as one run of bytes. */
export interface OpenSegment {
  table: TableJson;
  body: Uint8Array;
}

export function openSegment(bytes: Uint8Array): OpenSegment {
  const length = view(bytes).getUint32(12, true);
  const table = JSON.parse(new TextDecoder().decode(bytes.subarray(PRELUDE, PRELUDE + length))) as TableJson;
  return { table, body: bytes.slice(align(PRELUDE + length)) };
}

/** The bytes of a segment; its sections' checksums are made right where they lie within the body, then the header's. */
export function sealSegment(head: Uint8Array, { table, body }: OpenSegment): Uint8Array {
  // What was made of the table need not be one.
  for (const section of Array.isArray(table.sections) ? table.sections : []) {
    if (typeof section?.dtype !== "string") continue;
    const size = section.count * sizeOf(section.dtype);
    if (section.offset >= 0 && section.offset + size <= body.length) {
      section.crc32 = crc32(body.subarray(section.offset, section.offset + size));
    }
  }
  const json = new TextEncoder().encode(JSON.stringify(table));
  const bytes = new Uint8Array(align(PRELUDE + json.length) + body.length);
  bytes.set(head.subarray(0, 12));
  view(bytes).setUint32(12, json.length, true);
  bytes.set(json, PRELUDE);
  view(bytes).setUint32(16, crc32(json, crc32(bytes.subarray(0, 16))), true);
  bytes.set(body, align(PRELUDE + json.length));
  return bytes;
}

/** What a manifest has to say of a file: a segment is known by its header's checksum, others by that of all bytes. */
export function describe(name: string, bytes: Uint8Array): Omit<FileEntry, "file"> {
  const checksum = name.endsWith(".seg") && bytes.length >= PRELUDE ? view(bytes).getUint32(16, true) : crc32(bytes);
  return { bytes: bytes.length, checksum };
}

export function sizeOf(dtype: string): number {
  return Number(dtype.slice(1)) / 8;
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
