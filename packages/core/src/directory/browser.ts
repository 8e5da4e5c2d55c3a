import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { IndexError, InvalidArgumentError, TriGraphError } from "../errors.js";
import { type ByteRange, checkFileName, checkRange, type Directory, isFileName, type LockHolder } from "./directory.js";
import { announcePage, isPageAlive, thisPage } from "./page.js";

/** Bytes of a chunk. A range is read by whole chunks, so it loads less than two of them in vain. */
const CHUNK = 2 ** 20;

/** Of the database's layout. */
const VERSION = 1;

interface Layout extends DBSchema {
  /** By name. `content` begins the keys of the file's chunks, so that renaming it moves no bytes. */
  files: { key: string; value: { readonly content: number; readonly size: number } };
  /** By content and number of the chunk; each but the last has `CHUNK` bytes. */
  chunks: { key: [content: number, chunk: number]; value: Uint8Array };
  /** One number under "next": the content of the next file. */
  contents: { key: "next"; value: number };
}

const STORES = ["files", "chunks", "contents"] as const;

type Database = IDBPDatabase<Layout>;
type Transaction = IDBPTransaction<Layout, typeof STORES, "readwrite">;

/**
 * A database of IndexedDB, in pages and workers. The first write makes it; `indexedDB.deleteDatabase(name)` removes it,
 * after which a directory that had it open fails for good: what it has written is gone.
 *
 * Every change is one transaction of strict durability: whole or not at all, the same for all tabs, and durable when it
 * resolves. Relaxed ones and a strict one in `sync` would not do: it speaks for itself alone.
 *
 * A browser that runs out of disk may clear a site's storage, unless `navigator.storage.persist()` was granted.
 */
export class BrowserDirectory implements Directory {
  readonly name: string;
  readonly identity = { page: thisPage() };
  private opening: Promise<Database | undefined> | undefined;
  /** Why the database must not be used again. */
  private lost: string | undefined;

  /** Throws `InvalidArgumentError` when the name is empty or no string. Touches nothing. */
  constructor(name: string) {
    if (typeof name !== "string" || name === "") {
      throw new InvalidArgumentError(`BrowserDirectory: expected the name of a database, got ${JSON.stringify(name)}`);
    }
    this.name = name;
  }

  async list(): Promise<string[]> {
    const names = await this.look("list", undefined, (database) => database.getAllKeys("files"));
    return (names ?? []).filter(isFileName).sort();
  }

  async size(name: string): Promise<number> {
    checkFileName("BrowserDirectory.size", name);
    const file = await this.look("size", name, (database) => database.get("files", name));
    if (file === undefined) throw missing("size", name);
    return file.size;
  }

  async read(name: string, range?: ByteRange): Promise<Uint8Array> {
    checkFileName("BrowserDirectory.read", name);
    const bytes = await this.look("read", name, (database) => readFile(database, name, range));
    if (bytes === undefined) throw missing("read", name);
    return bytes;
  }

  async write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    checkFileName("BrowserDirectory.write", name);
    await this.change("write", name, async (transaction) => {
      await removeFile(transaction, name);
      await addFile(transaction, name, chunks);
    });
  }

  /** Looks whether the files are there: changes are durable already. */
  async sync(names: readonly string[]): Promise<void> {
    for (const name of names) {
      checkFileName("BrowserDirectory.sync", name);
      const found = await this.look("sync", name, (database) => database.getKey("files", name));
      if (found === undefined) throw missing("sync", name);
    }
  }

  async replace(from: string, to: string): Promise<void> {
    checkFileName("BrowserDirectory.replace", from);
    checkFileName("BrowserDirectory.replace", to);
    await this.change("replace", from, async (transaction) => {
      const files = transaction.objectStore("files");
      const file = await files.get(from);
      if (file === undefined) throw missing("replace", from);
      if (from === to) return;
      await removeFile(transaction, to);
      await files.delete(from);
      await files.put(file, to);
    });
  }

  async createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    checkFileName("BrowserDirectory.createExclusive", name);
    // The file may be a lock. Before others can see it, they must be able to see that this page lives.
    await this.attempt("createExclusive", name, announcePage);
    return this.change("createExclusive", name, async (transaction) => {
      if ((await transaction.objectStore("files").getKey(name)) !== undefined) return false;
      await addFile(transaction, name, [bytes]);
      return true;
    });
  }

  async remove(name: string): Promise<void> {
    checkFileName("BrowserDirectory.remove", name);
    await this.change("remove", name, (transaction) => removeFile(transaction, name));
  }

  /** False for a page or worker that has ended; true where there are no Web Locks to tell. */
  async isHolderAlive({ page }: LockHolder): Promise<boolean> {
    return page === undefined || this.attempt("isHolderAlive", undefined, () => isPageAlive(page));
  }

  /** What is found; undefined without a database, which is not made. */
  private async look<T>(
    method: string,
    name: string | undefined,
    act: (database: Database) => Promise<T>,
  ): Promise<T | undefined> {
    return this.attempt(method, name, async () => {
      const database = await this.database(false);
      return database && act(database);
    });
  }

  /** All that the act does, durably, or nothing. */
  private async change<T>(method: string, name: string, act: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.attempt(method, name, async () => {
      const database = await this.database(true);
      const transaction = database.transaction(STORES, "readwrite", { durability: "strict" });
      // Rejects with the act, which tells.
      transaction.done.catch(() => undefined);
      try {
        const result = await act(transaction);
        await transaction.done;
        return result;
      } catch (error) {
        // Of a transaction that failed by itself, a request knows no more than that it was aborted.
        if (transaction.error !== null) throw transaction.error;
        abort(transaction);
        throw error;
      }
    });
  }

  private async database(create: true): Promise<Database>;
  private async database(create: boolean): Promise<Database | undefined>;
  private async database(create: boolean): Promise<Database | undefined> {
    for (;;) {
      if (this.lost !== undefined) {
        throw new Error(`${this.lost}. Open the index again, with a new BrowserDirectory`);
      }
      const opening = (this.opening ??= this.connect(create));
      let database: Database | undefined;
      try {
        database = await opening;
      } finally {
        if (database === undefined && this.opening === opening) this.opening = undefined;
      }
      // Another call's attempt may have been one that only looks.
      if (database !== undefined || !create) return database;
    }
  }

  /** Undefined when there is no database and none shall be made. */
  private async connect(create: boolean): Promise<Database | undefined> {
    if (typeof indexedDB === "undefined") {
      throw new Error(`there is no IndexedDB here. Use MemoryDirectory, or FileDirectory of "@trigraph/core/node"`);
    }
    let isMissing = false;
    try {
      return await openDB<Layout>(this.name, VERSION, {
        upgrade: (database, _from, _to, transaction) => {
          if (create) {
            for (const store of STORES) database.createObjectStore(store);
            return;
          }
          // Nothing is left of a database that was to be made.
          isMissing = true;
          transaction.done.catch(() => undefined);
          transaction.abort();
        },
        blocking: (_from, _to, event) => {
          this.lost = "the database was removed by another page";
          (event.target as IDBDatabase).close();
        },
        terminated: () => {
          this.lost = "the browser has closed the database, as when a site's data are cleared";
        },
      });
    } catch (error) {
      if (isMissing) return undefined;
      throw error;
    }
  }

  private async attempt<T>(method: string, name: string | undefined, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof TriGraphError) throw error;
      const where = name === undefined ? JSON.stringify(this.name) : `"${name}" in ${JSON.stringify(this.name)}`;
      const reason = isQuotaExceeded(error)
        ? "the browser has no more room for this site. Nothing was changed. Delete what the site no longer needs, or make room on the disk"
        : messageOf(error);
      throw new IndexError("STORAGE", `BrowserDirectory.${method}: failed on ${where}: ${reason}`, { cause: error });
    }
  }
}

function abort(transaction: Transaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}

/** Undefined when the file is missing. One transaction: a file that is replaced meanwhile is read as it was. */
async function readFile(
  database: Database,
  name: string,
  range: ByteRange | undefined,
): Promise<Uint8Array | undefined> {
  const transaction = database.transaction(["files", "chunks"]);
  const file = await transaction.objectStore("files").get(name);
  if (file === undefined) return undefined;
  const { start, end } = checkRange("BrowserDirectory.read", name, range, file.size);
  const bytes = new Uint8Array(end - start);
  for (let chunk = Math.floor(start / CHUNK); chunk * CHUNK < end; chunk++) {
    const found = await transaction.objectStore("chunks").get([file.content, chunk]);
    if (found === undefined) throw new Error(`chunk ${chunk} is missing`);
    const first = chunk * CHUNK;
    bytes.set(found.subarray(Math.max(0, start - first), Math.min(CHUNK, end - first)), Math.max(0, first - start));
  }
  return bytes;
}

async function removeFile(transaction: Transaction, name: string): Promise<void> {
  const files = transaction.objectStore("files");
  const file = await files.get(name);
  if (file === undefined) return;
  await files.delete(name);
  await transaction.objectStore("chunks").delete(IDBKeyRange.bound([file.content, 0], [file.content, Infinity]));
}

/** Adds a file that is not there. */
async function addFile(transaction: Transaction, name: string, parts: readonly Uint8Array[]): Promise<void> {
  const contents = transaction.objectStore("contents");
  const content = (await contents.get("next")) ?? 0;
  await contents.put(content + 1, "next");
  let size = 0;
  // One at a time: a request copies its bytes, and a file may be as large as half the memory.
  for (const chunk of inChunks(parts)) {
    await transaction.objectStore("chunks").put(chunk, [content, Math.floor(size / CHUNK)]);
    size += chunk.length;
  }
  await transaction.objectStore("files").put({ content, size }, name);
}

/** The bytes of the parts in arrays of `CHUNK`, the last one shorter. Each is overwritten by the next. */
function* inChunks(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  const chunk = new Uint8Array(Math.min(CHUNK, total));
  let filled = 0;
  for (const part of parts) {
    for (let start = 0; start < part.length;) {
      const piece = part.subarray(start, start + CHUNK - filled);
      chunk.set(piece, filled);
      filled += piece.length;
      start += piece.length;
      if (filled < CHUNK) continue;
      yield chunk;
      filled = 0;
    }
  }
  // A copy: IndexedDB would store all of the buffer behind a view.
  if (filled > 0) yield chunk.slice(0, filled);
}

function missing(method: string, name: string): IndexError {
  return new IndexError("NOT_FOUND", `BrowserDirectory.${method}: there is no file "${name}"`);
}

function isQuotaExceeded(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
