import { Buffer } from "node:buffer";
import { type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CachedVector, VectorCache } from "../dense/vector-cache.js";
import { InvalidArgumentError } from "../errors.js";
import { attempt } from "./attempt.js";
import { crc32 } from "./checksum.js";

/** Of a key of 64 hexadecimal digits. */
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 4;

/** Records that are read at once when a file is opened. */
const SCAN_RECORDS = 256;

/**
 * Vectors in a folder, one file for each length of vector: records of key, float32 numbers and the CRC-32 of both, one
 * after the other. Records are only ever added, so a crash or a full disk cuts short the last one at most, which is taken
 * away when the folder is opened again; a damaged one is as if it were not there. For one process at a time.
 *
 * In memory it holds some hundred bytes a vector, not the vectors.
 */
export class FileVectorCache implements VectorCache {
  readonly path: string;
  private readonly files = new Map<number, VectorFile>();
  private opening: Promise<void> | undefined;

  constructor(path: string) {
    if (typeof path !== "string" || path === "") {
      throw new InvalidArgumentError(`FileVectorCache: expected the path of a folder, got ${JSON.stringify(path)}.`);
    }
    this.path = path;
  }

  async get(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
    await this.open();
    const found: (Float32Array | undefined)[] = [];
    for (const key of keys) {
      let vector: Float32Array | undefined;
      for (const file of this.files.values())
        vector ??= await attempt("FileVectorCache.get", this.path, () => file.read(key));
      found.push(vector);
    }
    return found;
  }

  async set(entries: readonly CachedVector[]): Promise<void> {
    if (entries.length === 0) return;
    await this.open();
    const dimensions = entries[0].vector.length;
    await attempt("FileVectorCache.set", this.path, async () => {
      let file = this.files.get(dimensions);
      if (file === undefined) {
        file = await VectorFile.open(join(this.path, fileName(dimensions)), dimensions);
        this.files.set(dimensions, file);
      }
      await file.add(entries);
    });
  }

  /** Closes the files. What is asked or kept afterwards opens them again. */
  async close(): Promise<void> {
    await this.opening?.catch(() => undefined);
    for (const file of this.files.values()) await file.close();
    this.files.clear();
    this.opening = undefined;
  }

  private open(): Promise<void> {
    this.opening ??= attempt("FileVectorCache.open", this.path, async () => {
      await mkdir(this.path, { recursive: true });
      for (const name of await readdir(this.path)) {
        const dimensions = Number(/^vectors-(\d+)\.bin$/.exec(name)?.[1]);
        if (dimensions > 0) this.files.set(dimensions, await VectorFile.open(join(this.path, name), dimensions));
      }
    });
    return this.opening;
  }
}

function fileName(dimensions: number): string {
  return `vectors-${dimensions}.bin`;
}

class VectorFile {
  private readonly file: FileHandle;
  private readonly dimensions: number;
  /** Number of the record of each key. */
  private readonly places = new Map<string, number>();
  private records = 0;

  private constructor(file: FileHandle, dimensions: number) {
    this.file = file;
    this.dimensions = dimensions;
  }

  static async open(path: string, dimensions: number): Promise<VectorFile> {
    const found = new VectorFile(await open(path, "a+"), dimensions);
    try {
      await found.scan();
    } catch (error) {
      await found.close();
      throw error;
    }
    return found;
  }

  /** Undefined for a key that is not there. */
  async read(key: string): Promise<Float32Array | undefined> {
    const place = this.places.get(key);
    if (place === undefined) return undefined;
    const bytes = new Uint8Array(this.dimensions * Float32Array.BYTES_PER_ELEMENT);
    const { bytesRead } = await this.file.read(bytes, 0, bytes.length, place * this.recordBytes + KEY_BYTES);
    return bytesRead < bytes.length ? undefined : new Float32Array(bytes.buffer);
  }

  async add(entries: readonly CachedVector[]): Promise<void> {
    const { recordBytes } = this;
    const bytes = new Uint8Array(entries.length * recordBytes);
    entries.forEach(({ key, vector }, i) => {
      const record = bytes.subarray(i * recordBytes, (i + 1) * recordBytes);
      record.set(Buffer.from(key, "hex"));
      record.set(new Uint8Array(Float32Array.from(vector).buffer), KEY_BYTES);
      viewOf(record).setUint32(recordBytes - CHECKSUM_BYTES, checksumOf(record), true);
    });
    try {
      await this.file.appendFile(bytes);
    } catch (error) {
      // What a full disk has cut short would shift every later record.
      await this.file.truncate(this.records * recordBytes);
      throw error;
    }
    for (const { key } of entries) this.places.set(key, this.records++);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private get recordBytes(): number {
    return KEY_BYTES + this.dimensions * Float32Array.BYTES_PER_ELEMENT + CHECKSUM_BYTES;
  }

  private async scan(): Promise<void> {
    const { recordBytes } = this;
    const { size } = await this.file.stat();
    const records = Math.floor(size / recordBytes);
    if (size > records * recordBytes) await this.file.truncate(records * recordBytes);
    const bytes = new Uint8Array(SCAN_RECORDS * recordBytes);
    while (this.records < records) {
      const count = Math.min(SCAN_RECORDS, records - this.records);
      await this.file.read(bytes, 0, count * recordBytes, this.records * recordBytes);
      for (let i = 0; i < count; i++, this.records++) {
        const record = bytes.subarray(i * recordBytes, (i + 1) * recordBytes);
        if (viewOf(record).getUint32(recordBytes - CHECKSUM_BYTES, true) !== checksumOf(record)) continue;
        this.places.set(Buffer.from(record.subarray(0, KEY_BYTES)).toString("hex"), this.records);
      }
    }
  }
}

function viewOf(record: Uint8Array): DataView {
  return new DataView(record.buffer, record.byteOffset);
}

/** Of all but the checksum itself. */
function checksumOf(record: Uint8Array): number {
  return crc32(record.subarray(0, -CHECKSUM_BYTES));
}
