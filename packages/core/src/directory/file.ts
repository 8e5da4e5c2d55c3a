import { randomBytes } from "node:crypto";
import { constants, copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import * as zlib from "node:zlib";
import { IndexError, InvalidArgumentError, TriGraphError } from "../errors.js";
import { errorCode } from "./attempt.js";
import type { Checksum } from "./checksum.js";
import { type ByteRange, checkFileName, checkRange, type Directory, isFileName, type LockHolder } from "./directory.js";

/** Bytes per read and per checksum call: `read(2)` stops at 2 GiB, and zlib counts in 32 bits. */
const CHUNK = 2 ** 30;

/**
 * Bytes after which a file that is being written is flushed. A disk lets the sync of a small file wait for all that is not
 * flushed of others: a commit beside the writing of 200 MB for 0.4 s without this, 0.15 s with it.
 */
const FLUSH = 2 ** 24;

/**
 * Bytes that are written at once, as many as `writeFile` takes. A segment is some forty arrays, most of them small where it is,
 * and beside a merge each call waits for a turn of 8 ms.
 */
const PIECE = 2 ** 19;

/** When this process started, by its clock, in ms since 1970; the same in each of its worker threads. */
const PROCESS_STARTED = Date.now() - process.uptime() * 1000;

/** Clocks are read to about this many ms; a lock older than its process by more belongs to an earlier one. */
const CLOCK_MARGIN = 1000;

/** Linux, macOS and the BSDs make names durable by syncing their folder; Windows journals them, and cannot open one. */
const SYNCS_FOLDERS = process.platform !== "win32";

/** A folder of the file system. It is created by the first write. */
export class FileDirectory implements Directory {
  readonly path: string;
  readonly checksum = nativeChecksum();
  readonly identity = { pid: process.pid, host: hostname() };

  /** Throws `InvalidArgumentError` when the path is empty or no string. Touches nothing. */
  constructor(path: string) {
    if (typeof path !== "string" || path === "") {
      throw new InvalidArgumentError(`FileDirectory: expected the path of a folder, got ${JSON.stringify(path)}`);
    }
    this.path = resolve(path);
  }

  async list(): Promise<string[]> {
    try {
      const entries = await readdir(this.path, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && isFileName(entry.name))
        .map((entry) => entry.name)
        .sort();
    } catch (error) {
      if (errorCode(error) === "ENOENT") return [];
      throw storageError("list", this.path, error);
    }
  }

  async size(name: string): Promise<number> {
    const path = this.#pathOf("size", name);
    return attempt("size", path, async () => (await stat(path)).size);
  }

  async read(name: string, range?: ByteRange): Promise<Uint8Array> {
    const path = this.#pathOf("read", name);
    return attempt("read", path, async () => {
      const handle = await open(path, "r");
      try {
        const { start, end } = checkRange("FileDirectory.read", name, range, (await handle.stat()).size);
        return await readFully(handle, start, new Uint8Array(end - start));
      } finally {
        await handle.close();
      }
    });
  }

  async write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    await this.#create("write", this.#pathOf("write", name), chunks);
  }

  async sync(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const path = this.#pathOf("sync", name);
      await attempt("sync", path, () => syncPath(path, "r+"));
    }
    // A folder that does not exist has no names to lose.
    if (!SYNCS_FOLDERS || !(await attempt("sync", this.path, () => exists(this.path)))) return;
    await attempt("sync", this.path, () => syncPath(this.path, "r"));
  }

  async replace(from: string, to: string): Promise<void> {
    const fromPath = this.#pathOf("replace", from);
    const toPath = this.#pathOf("replace", to);
    await attempt("replace", fromPath, () => rename(fromPath, toPath));
  }

  async createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.#pathOf("createExclusive", name);
    const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
    await this.#create("createExclusive", temporary, [bytes]);
    const isMade = await attempt("createExclusive", path, async () => {
      await syncPath(temporary, "r+");
      if (!(await giveName(temporary, path))) return false;
      await this.sync([]);
      return true;
    });
    // After a failure it stays: the file may have been copied in part, and what it was copied from tells that. Garbage
    // collection removes it then, and where removing it fails now.
    await rm(temporary, { force: true }).catch(() => undefined);
    return isMade;
  }

  async remove(name: string): Promise<void> {
    const path = this.#pathOf("remove", name);
    await attempt("remove", path, () => rm(path, { force: true }));
  }

  /**
   * False for a process of this host that has ended, and for an earlier process with this one's id, as a container
   * gives its first process after each start.
   */
  isHolderAlive({ pid, host, startedAt }: LockHolder): boolean {
    if (pid === undefined || host !== this.identity.host) return true;
    if (pid === this.identity.pid) return !(Date.parse(startedAt) < PROCESS_STARTED - CLOCK_MARGIN);
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return errorCode(error) !== "ESRCH";
    }
  }

  #pathOf(method: string, name: string): string {
    checkFileName(`FileDirectory.${method}`, name);
    return join(this.path, name);
  }

  /** Writes a file. What cannot be finished is removed. */
  async #create(method: string, path: string, chunks: readonly Uint8Array[]): Promise<void> {
    let handle: FileHandle;
    try {
      handle = await open(path, "w").catch(async (error: unknown) => {
        if (errorCode(error) !== "ENOENT") throw error;
        await createFolder(this.path);
        return open(path, "w");
      });
    } catch (error) {
      throw storageError(method, path, error);
    }
    try {
      try {
        await writeFlushing(handle, chunks);
      } finally {
        await handle.close();
      }
    } catch (error) {
      // A full disk needs the space back. The error to report is the first one.
      await rm(path, { force: true }).catch(() => undefined);
      throw storageError(method, path, error);
    }
  }
}

/** Writes all chunks from the handle's place on. */
async function writeFlushing(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let unflushed = 0;
  for (const piece of inPieces(chunks)) {
    // Until all of it is written.
    await handle.writeFile(piece);
    unflushed += piece.length;
    if (unflushed < FLUSH) continue;
    await handle.datasync();
    unflushed = 0;
  }
}

/** The bytes of the chunks in larger pieces or smaller ones. Each is gone with the next. */
function* inPieces(chunks: readonly Uint8Array[]): Generator<Uint8Array, void, undefined> {
  const total = chunks.reduce((sum, { length }) => sum + length, 0);
  const piece = new Uint8Array(Math.min(total, PIECE));
  let filled = 0;
  for (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const part = chunk.subarray(start, start + piece.length - filled);
      piece.set(part, filled);
      start += part.length;
      filled += part.length;
      if (filled < piece.length) continue;
      yield piece;
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** Creates a folder and those above it, durably. */
async function createFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined || !SYNCS_FOLDERS) return;
  const above = dirname(first);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    await syncPath(folder, "r");
    if (folder === above) return;
  }
}

/** What file systems without hard links answer. */
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Gives a synced file a second name; false when that is taken. A link appears with all of its bytes; where there are no
 * links a copy does not, and a reader may find it cut short meanwhile: beside the temporary file, which tells why.
 */
async function giveName(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(async (error: unknown) => {
      if (!NO_LINKS.includes(errorCode(error))) throw error;
      await copyFile(from, to, constants.COPYFILE_EXCL);
      await syncPath(to, "r+");
    });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    // Taken for a leftover and removed, by whoever holds the name.
    if (errorCode(error) === "ENOENT" && (await exists(to))) return false;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    },
  );
}

async function syncPath(path: string, flag: "r" | "r+"): Promise<void> {
  const handle = await open(path, flag);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readFully(handle: FileHandle, start: number, bytes: Uint8Array): Promise<Uint8Array> {
  for (let done = 0; done < bytes.length;) {
    const length = Math.min(CHUNK, bytes.length - done);
    const { bytesRead } = await handle.read(bytes, done, length, start + done);
    if (bytesRead === 0) throw new Error(`the file ended at byte ${start + done} while it was read`);
    done += bytesRead;
  }
  return bytes;
}

/** zlib's CRC-32, which Node has since 20.15. */
function nativeChecksum(): Checksum | undefined {
  const native = zlib.crc32 as typeof zlib.crc32 | undefined;
  if (native === undefined) return undefined;
  return (bytes, seed = 0) => {
    let value = seed;
    for (let i = 0; i < bytes.length; i += CHUNK) value = native(bytes.subarray(i, i + CHUNK), value);
    return value;
  };
}

async function attempt<T>(method: string, path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw storageError(method, path, error);
  }
}

function storageError(method: string, path: string, error: unknown): TriGraphError {
  if (error instanceof TriGraphError) return error;
  if (errorCode(error) === "ENOENT") {
    return new IndexError("NOT_FOUND", `FileDirectory.${method}: there is no file "${path}"`, { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new IndexError("STORAGE", `FileDirectory.${method}: failed on "${path}": ${reason}`, { cause: error });
}
