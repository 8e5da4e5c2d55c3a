import { type ByteRange, type Directory, IndexError, type LockHolder } from "@trigraph/core";
import type { Random } from "../random.js";
import type { Files } from "./memory.js";

/** A file's bytes: what is durable, and what was written since. */
interface Inode {
  durable: Uint8Array;
  /** Later writes, oldest first; the last is what a read sees. */
  unsynced: Uint8Array[];
}

/** A file system block: what a torn write is made of. Small, so that a manifest has several. */
const BLOCK = 64;

/**
 * A folder whose power may fail. `survivors` is what the disk may hold then: bytes count as written only after `sync` of
 * their file, names only after the next `sync` or, for the one that it creates, `createExclusive`. What is not synced
 * may survive or not, each write and each name on its own, in any order, and bytes in part.
 *
 * Stricter than file systems are: a rename may lose the old name and not yet have the new one.
 */
export class PowerDirectory implements Directory {
  readonly identity: { readonly pid: number; readonly host: string };
  /** Called in the midst of every operation that changes the disk, when it may have happened or not. */
  onOperation: (operation: string) => Promise<void> = async () => {};
  readonly #names = new Map<string, Inode>();
  /** What a name stood for since its last sync, the durable one first. */
  readonly #renamings = new Map<string, (Inode | undefined)[]>();

  constructor(pid: number, files: Files = new Map()) {
    this.identity = { pid, host: "here" };
    for (const [name, bytes] of files) this.#names.set(name, { durable: bytes, unsynced: [] });
  }

  /** The same disk as another process sees it, after the first was killed: nothing is lost. */
  seenBy(pid: number): PowerDirectory {
    const other = new PowerDirectory(pid);
    for (const [name, inode] of this.#names) other.#names.set(name, inode);
    for (const [name, values] of this.#renamings) other.#renamings.set(name, values);
    return other;
  }

  /** Files that a power failure now may leave; `"least"` is what is durable, `"most"` what reads see. */
  survivors(chance: Random | "least" | "most"): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>();
    for (const name of new Set([...this.#names.keys(), ...this.#renamings.keys()])) {
      const values = this.#renamings.get(name) ?? [this.#names.get(name)];
      const inode = chance === "least" ? values[0] : chance === "most" ? values.at(-1) : chance.pick(values);
      if (inode !== undefined) files.set(name, survivingBytes(inode, chance));
    }
    return files;
  }

  isHolderAlive(holder: LockHolder): boolean {
    return holder.pid === undefined || holder.pid >= this.identity.pid;
  }

  async list(): Promise<string[]> {
    return [...this.#names.keys()].sort();
  }

  async size(name: string): Promise<number> {
    return seen(this.#inode("size", name)).length;
  }

  async read(name: string, range?: ByteRange): Promise<Uint8Array> {
    return seen(this.#inode("read", name)).slice(range?.start, range?.end);
  }

  async write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    const bytes = new Uint8Array(Buffer.concat(chunks));
    const inode = this.#names.get(name);
    // Overwriting keeps the file and with it what is durable of it.
    if (inode === undefined) this.#rename(name, { durable: new Uint8Array(), unsynced: [bytes] });
    else inode.unsynced.push(bytes);
    await this.onOperation(`write ${name}`);
  }

  async sync(names: readonly string[]): Promise<void> {
    const inodes = names.map((name) => this.#inode("sync", name));
    await this.onOperation(`sync ${names.join()}`);
    for (const inode of inodes) makeDurable(inode);
    this.#renamings.clear();
  }

  async replace(from: string, to: string): Promise<void> {
    const inode = this.#inode("replace", from);
    this.#rename(from, undefined);
    this.#rename(to, inode);
    await this.onOperation(`replace ${from}`);
  }

  async createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    if (this.#names.has(name)) return false;
    const inode: Inode = { durable: bytes.slice(), unsynced: [] };
    this.#rename(name, inode);
    await this.onOperation(`createExclusive ${name}`);
    this.#renamings.set(name, [inode]);
    return true;
  }

  async remove(name: string): Promise<void> {
    if (!this.#names.has(name)) return;
    this.#rename(name, undefined);
    await this.onOperation(`remove ${name}`);
  }

  #rename(name: string, inode: Inode | undefined): void {
    const values = this.#renamings.get(name) ?? [this.#names.get(name)];
    this.#renamings.set(name, [...values, inode]);
    if (inode === undefined) this.#names.delete(name);
    else this.#names.set(name, inode);
  }

  #inode(method: string, name: string): Inode {
    const inode = this.#names.get(name);
    if (inode === undefined) throw new IndexError("NOT_FOUND", `PowerDirectory.${method}: there is no file "${name}"`);
    return inode;
  }
}

function seen({ durable, unsynced }: Inode): Uint8Array {
  return unsynced.at(-1) ?? durable;
}

function makeDurable(inode: Inode): void {
  inode.durable = seen(inode);
  inode.unsynced = [];
}

/** The durable bytes, the latest, or blocks of the one among blocks of the other, up to the length of either. */
function survivingBytes(inode: Inode, chance: Random | "least" | "most"): Uint8Array {
  if (inode.unsynced.length === 0 || chance === "least") return inode.durable;
  if (chance === "most") return seen(inode);
  const written = chance.pick(inode.unsynced);
  if (chance.oneIn(3)) return written;
  const bytes = new Uint8Array(chance.oneIn(2) ? written.length : chance.between(0, written.length));
  for (let start = 0; start < bytes.length; start += BLOCK) {
    const from = chance.oneIn(2) ? written : inode.durable;
    bytes.set(from.subarray(start, Math.min(start + BLOCK, bytes.length)), start);
  }
  return bytes;
}
