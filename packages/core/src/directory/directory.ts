import { InvalidArgumentError } from "../errors.js";
import type { Checksum } from "./checksum.js";

/** Bytes `start` to `end`, the end not included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Whoever holds a lock file. */
export interface LockHolder {
  /** Random, 32 hexadecimal digits. */
  readonly token: string;
  /** When the lock was taken, ISO 8601. */
  readonly startedAt: string;
  /** The process and its host, where the platform has them. */
  readonly pid?: number | undefined;
  readonly host?: string | undefined;
  /** In a browser. */
  readonly page?: PageIdentity | undefined;
}

/** A page or worker of a browser. */
export interface PageIdentity {
  /** Random, 32 hexadecimal digits. */
  readonly id: string;
  /** Of the page or of the worker's script, without what follows a "?" or "#". */
  readonly url: string;
}

/**
 * Where an index lives: a flat folder of files. A name is 1 to 200 of `a–z`, `0–9`, `-`, `_` and `.`, and starts
 * with a letter or digit; files with other names are left alone and not listed.
 *
 * Every method throws `InvalidArgumentError` for another name, and `IndexError` STORAGE when the storage fails.
 */
export interface Directory {
  /** Names of all files, ascending. Empty when the folder does not exist yet. */
  list(): Promise<string[]>;

  /** Bytes of the file. Throws `IndexError` NOT_FOUND when it is missing. */
  size(name: string): Promise<number>;

  /**
   * The file's bytes, or a range of them, at the start of a buffer of their own: changing them changes nothing here.
   * Throws `IndexError` NOT_FOUND when the file is missing, `InvalidArgumentError` when the range is not inside it.
   */
  read(name: string, range?: ByteRange): Promise<Uint8Array>;

  /**
   * Creates the file or overwrites it with the chunks, one after the other. Keeps no reference to them. Durable only
   * after `sync`; a crash before leaves any part of the old or the new bytes.
   */
  write(name: string, chunks: readonly Uint8Array[]): Promise<void>;

  /**
   * Makes the bytes of the named files durable, and all names created, replaced or removed until now. Throws
   * `IndexError` NOT_FOUND when a file is missing. After a STORAGE error nothing written since the last success can
   * be relied on: write again before the next `sync`.
   */
  sync(names: readonly string[]): Promise<void>;

  /**
   * Renames `from` to `to` in one step: whoever opens `to` sees the old file or the new one. Durable after `sync`.
   * Throws `IndexError` NOT_FOUND when `from` is missing.
   */
  replace(from: string, to: string): Promise<void>;

  /**
   * Creates the file with these bytes, durably; false, and nothing done, when it exists. At most one caller gets true, and
   * whoever reads the name meanwhile finds no file or all of its bytes. When it throws the file may exist, whole.
   *
   * What a crash leaves of the attempt, if anything, is called `<name>.<8 hexadecimal digits>.tmp`: garbage collection
   * removes that. Where a file cannot be made to appear whole, such a one must lie beside it until it is: by that a file
   * whose creation was broken off is told from one that was damaged.
   */
  createExclusive(name: string, bytes: Uint8Array): Promise<boolean>;

  /** Removes the file; a missing one is fine. Durable after `sync`. */
  remove(name: string): Promise<void>;

  /** The platform's own CRC-32, when it is faster than the one in JavaScript. Equal values. */
  readonly checksum?: Checksum | undefined;

  /** What this process or page writes into a lock file of its own. */
  readonly identity?: Omit<LockHolder, "token" | "startedAt"> | undefined;

  /** False when the holder is known to be gone, so that its lock may be taken over; true when in doubt. */
  isHolderAlive?(holder: LockHolder): boolean | Promise<boolean>;
}

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,198}[a-z0-9_-])?$/;

/** Whether this can be the name of a file in a `Directory`. A dot cannot end it: Windows would drop it. */
export function isFileName(name: string): boolean {
  return NAME.test(name);
}

/** Throws `InvalidArgumentError` unless this can be the name of a file. */
export function checkFileName(method: string, name: string): void {
  if (typeof name === "string" && isFileName(name)) return;
  throw new InvalidArgumentError(
    `${method}: expected a file name of 1 to 200 of a–z, 0–9, "-", "_" and "." that starts with a letter or digit, got ${JSON.stringify(name)}`,
  );
}

/** Throws `InvalidArgumentError` unless the range is inside a file of `size` bytes; the whole file without a range. */
export function checkRange(method: string, name: string, range: ByteRange | undefined, size: number): ByteRange {
  if (range === undefined) return { start: 0, end: size };
  const { start, end } = range;
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= size) return range;
  throw new InvalidArgumentError(
    `${method}: expected integers 0 ≤ start ≤ end ≤ ${size}, the size of "${name}", got start ${start} and end ${end}`,
  );
}
