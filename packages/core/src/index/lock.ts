import * as z from "zod/mini";
import { type Directory, isFileName, type LockHolder } from "../directory/directory.js";
import { IndexError } from "../errors.js";

const LOCK_FILE = "write.lock";

const holderSchema = z.object({
  token: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  startedAt: z.string(),
  pid: z.optional(z.int()),
  host: z.optional(z.string()),
});

/** The right to write to an index, held by one writer at a time. */
export interface Lock {
  readonly holder: LockHolder;
  /** Who holds the lock instead, in words; undefined as long as it is this holder's. Throws `IndexError` STORAGE. */
  lostTo(): Promise<string | undefined>;
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
  const lock: Lock = {
    holder,
    lostTo: async () => {
      const current = await readHolder(directory);
      return current?.token === holder.token ? undefined : newHolder(current);
    },
    release: async () => {
      const current = await readHolder(directory);
      if (current?.token === holder.token) await directory.remove(LOCK_FILE);
    },
  };
  try {
    if ((await directory.createExclusive(LOCK_FILE, bytes)) || (await takeOver(directory, LOCK_FILE, bytes)))
      return lock;
  } catch (error) {
    // The lock may have come to be. The error to report is the first one.
    await lock.release().catch(() => undefined);
    throw error;
  }
  throw new IndexError("LOCKED", `${method}: ${describe(await readHolder(directory), directory.identity)}`);
}

/**
 * Replaces the lock of a holder that is gone; false when it is not, or when another writer is faster.
 *
 * Whoever creates the claim named after the dead holder's token is the only one to replace that lock, and does so by
 * renaming the claim. A claim made too late, when the lock is no longer the dead holder's, is withdrawn. The claim of
 * one who has died over it is taken over in the same way.
 *
 * @param file the lock, or a claim
 */
async function takeOver(directory: Directory, file: string, bytes: Uint8Array): Promise<boolean> {
  const found = await readHolder(directory, file);
  // Given back just now.
  if (found === undefined) return directory.createExclusive(file, bytes);
  if (found.token === undefined || directory.isHolderAlive?.(found) !== false) return false;
  const claim = `${file}.${found.token}`;
  // After five deaths over one lock a person has to look.
  if (!isFileName(claim)) return false;
  if (!(await directory.createExclusive(claim, bytes)) && !(await takeOver(directory, claim, bytes))) return false;
  if ((await readHolder(directory, file))?.token !== found.token) {
    await directory.remove(claim);
    return false;
  }
  await directory.replace(claim, file);
  return true;
}

/** A lock file that cannot be read as one. */
type UnknownHolder = { readonly token?: undefined };

/** Undefined when nobody holds the lock. */
async function readHolder(directory: Directory, file = LOCK_FILE): Promise<LockHolder | UnknownHolder | undefined> {
  try {
    const text = new TextDecoder().decode(await directory.read(file));
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
  const { pid, host, startedAt } = found;
  if (pid !== undefined && pid === self?.pid && host === self.host) {
    return `this very process has had the index open for writing since ${startedAt}: close it first, or open with readOnly`;
  }
  return `${nameOf(found)} has been writing to the index since ${startedAt}: close it first, or, if it no longer runs, remove "${LOCK_FILE}"`;
}

function newHolder(found: LockHolder | UnknownHolder | undefined): string {
  if (found === undefined) return `nobody: "${LOCK_FILE}" was removed`;
  if (found.token === undefined) return "an unknown writer";
  return `${nameOf(found)}, which took it over at ${found.startedAt}`;
}

function nameOf({ pid, host }: LockHolder): string {
  return pid === undefined ? "another writer" : `process ${pid} on host ${JSON.stringify(host)}`;
}

/** Not `randomUUID`, which browsers offer to secure pages only. */
function newToken(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
