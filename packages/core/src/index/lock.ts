import * as z from "zod/mini";
import type { Directory, LockHolder } from "../directory/directory.js";
import { newToken } from "../directory/token.js";
import { IndexError } from "../errors.js";

const LOCK_FILE = "write.lock";

/** A holder is told in some 150 bytes. A file that is longer is none, and not read. */
const MAX_LOCK_BYTES = 4096;

/**
 * Tokens of this process's locks that storage failed to remove. Nobody holds them, though their process runs. Another
 * copy of this module does not know them, and respects them until the process ends.
 */
const abandoned = new Set<string>();

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
  /** Who holds the lock instead, in words; undefined as long as it is this holder's. Throws `IndexError` STORAGE. */
  lostTo(): Promise<string | undefined>;
  /**
   * Gives the lock back. Does nothing when it was given back or taken over before. Throws `IndexError` STORAGE: then this
   * process may take it anew, and calling it again tries again.
   */
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
  let isTaken: boolean;
  try {
    isTaken = await takeFile(directory, LOCK_FILE, bytes);
  } catch (error) {
    // It may have been created nevertheless. The error to report is the first one.
    await withdraw(directory, holder.token).catch(() => undefined);
    throw error;
  }
  if (!isTaken) {
    throw new IndexError(
      "LOCKED",
      `${method}: ${describe(await readHolder(directory, LOCK_FILE), directory.identity)}`,
    );
  }
  let released: Promise<void> | undefined;
  return {
    holder,
    lostTo: async () => {
      const current = await readHolder(directory, LOCK_FILE);
      if (current?.token === holder.token) return undefined;
      if (current === undefined || current.token !== undefined) return newHolder(current);
      throw new IndexError("STORAGE", `"${LOCK_FILE}" is no lock any more: it is damaged, or was not read whole.`);
    },
    release: () =>
      (released ??= letGo(directory, LOCK_FILE, holder.token).catch((error: unknown) => {
        released = undefined;
        throw error;
      })),
  };
}

/**
 * Makes the file `name`, the lock or a claim, say who takes it; false when another holder is alive or faster.
 *
 * Whoever holds the claim named after a dead holder's token is the only one to replace the file that has this token,
 * and does so by renaming the claim. A claim that comes too late, when the file is no longer the dead holder's, is
 * withdrawn. The claim of one who died before that is taken over in the same way.
 *
 * @param outer names of the files for whose sake this one is taken
 */
async function takeFile(
  directory: Directory,
  name: string,
  bytes: Uint8Array,
  outer: readonly string[] = [],
): Promise<boolean> {
  if (await directory.createExclusive(name, bytes)) return true;
  const found = await readHolder(directory, name);
  // Given back just now.
  if (found === undefined) return directory.createExclusive(name, bytes);
  if (found.token === undefined || !(await isGone(directory, found))) return false;
  const claim = `${LOCK_FILE}.${found.token}`;
  // Files that name each other in a circle were written by nobody.
  if (outer.includes(claim)) return false;
  if (!(await takeFile(directory, claim, bytes, [...outer, claim]))) return false;
  if ((await readHolder(directory, name))?.token !== found.token) {
    await directory.remove(claim);
    return false;
  }
  await directory.replace(claim, name);
  return true;
}

async function isGone(directory: Directory, holder: LockHolder): Promise<boolean> {
  return abandoned.has(holder.token) || (await directory.isHolderAlive?.(holder)) === false;
}

/** Gives back whatever a failed attempt has taken. */
async function withdraw(directory: Directory, token: string): Promise<void> {
  abandoned.add(token);
  for (const name of await directory.list()) {
    if (name === LOCK_FILE || name.startsWith(`${LOCK_FILE}.`)) await letGo(directory, name, token);
  }
}

/** Removes the file if it is the holder's. Whatever comes of that, the holder holds it no more. */
async function letGo(directory: Directory, name: string, token: string): Promise<void> {
  abandoned.add(token);
  const found = await readHolder(directory, name);
  if (found === undefined) return;
  if (found.token === undefined) {
    throw new IndexError(
      "STORAGE",
      `close: expected "${name}" as it was written, got a damaged file: remove it if no other writer runs`,
    );
  }
  if (found.token === token) await directory.remove(name);
  abandoned.delete(token);
}

/** A lock file that cannot be read as one. */
type UnknownHolder = { readonly token?: undefined };

/** Undefined when there is no such file: nobody holds it. */
async function readHolder(directory: Directory, name: string): Promise<LockHolder | UnknownHolder | undefined> {
  try {
    if ((await directory.size(name)) > MAX_LOCK_BYTES) return {};
    const text = new TextDecoder().decode(await directory.read(name));
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
    return `${nameOf(found)} has been writing to the index since ${startedAt}: close it first, or open with readOnly`;
  }
  return `${nameOf(found)} has been writing to the index since ${startedAt}: close it first, or, if it no longer runs, remove "${LOCK_FILE}"`;
}

function newHolder(found: LockHolder | undefined): string {
  if (found === undefined) return `nobody: "${LOCK_FILE}" was removed`;
  return `${nameOf(found)}, which took it over at ${found.startedAt}`;
}

function nameOf({ pid, host, page }: LockHolder): string {
  if (page !== undefined) return `the page or worker ${page.url}, perhaps in another tab,`;
  return pid === undefined ? "another writer" : `process ${pid} on host ${JSON.stringify(host)}`;
}

function describeSelf(what: string, startedAt: string): string {
  return `this very ${what} has had the index open for writing since ${startedAt}: close it first, or open with readOnly`;
}
