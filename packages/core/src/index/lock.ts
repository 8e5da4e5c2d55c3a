import * as z from "zod/mini";
import type { Directory, LockHolder } from "../directory/directory.js";
import { newToken } from "../directory/token.js";
import { IndexError } from "../errors.js";

const LOCK_FILE = "write.lock";

const holderSchema = z.object({
  token: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  startedAt: z.string(),
  pid: z.optional(z.int()),
  host: z.optional(z.string()),
  page: z.optional(z.object({ id: z.string(), url: z.string() })),
});

/** The right to write to an index, held by one writer at a time. */
export interface Lock {
  readonly holder: LockHolder;
  /** Gives the lock back. Does nothing when it was given back or taken over before. Throws `IndexError` STORAGE. */
  release(): Promise<void>;
}

/**
 * Takes the directory's write lock, the file `write.lock`: JSON of who holds it since when. The lock of a holder that
 * the directory knows to be gone is taken over.
 *
 * Throws `IndexError` LOCKED, naming the holder, when somebody else holds it; STORAGE.
 *
 * @param method names the caller in errors
 */
export async function acquireLock(method: string, directory: Directory): Promise<Lock> {
  const holder: LockHolder = { token: newToken(), startedAt: new Date().toISOString(), ...directory.identity };
  const bytes = new TextEncoder().encode(JSON.stringify(holder));
  if (!(await directory.createExclusive(LOCK_FILE, bytes)) && !(await takeOver(directory, bytes))) {
    throw new IndexError("LOCKED", `${method}: ${describe(await readHolder(directory), directory.identity)}`);
  }
  return {
    holder,
    release: async () => {
      const current = await readHolder(directory);
      if (current?.token === holder.token) await directory.remove(LOCK_FILE);
    },
  };
}

/**
 * Replaces the lock of a holder that is gone; false when it is not, or when another writer is faster.
 *
 * Whoever creates the claim named after the dead holder's token is the only one to replace that lock, and does so by
 * renaming the claim. A claim made too late, when the lock is no longer the dead holder's, is withdrawn.
 */
async function takeOver(directory: Directory, bytes: Uint8Array): Promise<boolean> {
  const found = await readHolder(directory);
  // Given back just now.
  if (found === undefined) return directory.createExclusive(LOCK_FILE, bytes);
  if (found.token === undefined || (await directory.isHolderAlive?.(found)) !== false) return false;
  const claim = `${LOCK_FILE}.${found.token}`;
  if (!(await directory.createExclusive(claim, bytes))) return false;
  if ((await readHolder(directory))?.token !== found.token) {
    await directory.remove(claim);
    return false;
  }
  await directory.replace(claim, LOCK_FILE);
  return true;
}

/** A lock file that cannot be read as one. */
type UnknownHolder = { readonly token?: undefined };

/** Undefined when nobody holds the lock. */
async function readHolder(directory: Directory): Promise<LockHolder | UnknownHolder | undefined> {
  try {
    const text = new TextDecoder().decode(await directory.read(LOCK_FILE));
    return z.parse(holderSchema, JSON.parse(text));
  } catch (error) {
    if (!(error instanceof IndexError)) return {};
    if (error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

function describe(found: LockHolder | UnknownHolder | undefined, self: Directory["identity"]): string {
  if (found === undefined) return "another writer held the index until just now: try again";
  if (found.token === undefined) return `an unknown writer holds the index: if none runs, remove "${LOCK_FILE}"`;
  const { pid, host, page, startedAt } = found;
  if (pid !== undefined && pid === self?.pid && host === self.host) return describeSelf("process", startedAt);
  if (page !== undefined && page.id === self?.page?.id) return describeSelf("page", startedAt);
  if (page !== undefined) {
    return `the page or worker ${page.url}, perhaps in another tab, has been writing to the index since ${startedAt}: close it first, or open with readOnly`;
  }
  const who = pid === undefined ? "another writer" : `process ${pid} on host ${JSON.stringify(host)}`;
  return `${who} has been writing to the index since ${startedAt}: close it first, or, if it no longer runs, remove "${LOCK_FILE}"`;
}

function describeSelf(what: string, startedAt: string): string {
  return `this very ${what} has had the index open for writing since ${startedAt}: close it first, or open with readOnly`;
}
