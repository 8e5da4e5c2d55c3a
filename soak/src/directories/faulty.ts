import { type ByteRange, type Directory, IndexError, type LockHolder } from "@trigraph/core";
import type { HostedDirectory } from "./memory.js";

/**
 * What goes wrong once, at one operation:
 *
 * - `fail`: nothing is done;
 * - `late`: it is done, and fails nevertheless;
 * - `short`: a write or read stops halfway;
 * - `full`: a write stops halfway, and so does every later one until space is made;
 * - `vanish`: the file is not found, though it is there.
 */
export const FAULTS = ["fail", "late", "short", "full", "vanish"] as const;

export type Fault = (typeof FAULTS)[number];

type Method = "list" | "size" | "read" | "write" | "sync" | "replace" | "createExclusive" | "remove";

const POSSIBLE: Readonly<Record<Method, readonly Fault[]>> = {
  list: ["fail"],
  size: ["fail", "vanish"],
  read: ["fail", "short", "vanish"],
  write: ["fail", "late", "short", "full"],
  sync: ["fail", "late", "vanish"],
  replace: ["fail", "late", "vanish"],
  createExclusive: ["fail", "late", "full"],
  remove: ["fail", "late"],
};

/** A directory that fails at one operation, counted from 1; in order from then on. */
export class FaultyDirectory implements Directory {
  readonly identity;
  /** The fault that was met: the operation that it was; undefined before. */
  met: string | undefined;
  /** Operations until now. */
  operations = 0;
  private isFull = false;
  private readonly disk: HostedDirectory;
  private readonly fault: Fault;
  private readonly at: number;

  constructor(disk: HostedDirectory, fault: Fault, at: number) {
    this.disk = disk;
    this.identity = disk.identity;
    this.fault = fault;
    this.at = at;
  }

  /** Space is made on a full disk. */
  free(): void {
    this.isFull = false;
  }

  isHolderAlive(holder: LockHolder): boolean {
    return this.disk.isHolderAlive(holder);
  }

  async list(): Promise<string[]> {
    return this.meet("list", "", () => this.disk.list());
  }

  async size(name: string): Promise<number> {
    return this.meet("size", name, () => this.disk.size(name));
  }

  async read(name: string, range?: ByteRange): Promise<Uint8Array> {
    const whole = () => this.disk.read(name, range);
    return this.meet("read", name, whole, async () => {
      const bytes = await whole();
      return bytes.slice(0, bytes.length >> 1);
    });
  }

  async write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    const half = () => {
      const bytes = Buffer.concat(chunks);
      return this.disk.write(name, [bytes.subarray(0, bytes.length >> 1)]);
    };
    return this.meet("write", name, () => this.disk.write(name, chunks), half);
  }

  async sync(names: readonly string[]): Promise<void> {
    return this.meet("sync", names.join(), () => this.disk.sync(names));
  }

  async replace(from: string, to: string): Promise<void> {
    return this.meet("replace", from, () => this.disk.replace(from, to));
  }

  async createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.meet("createExclusive", name, () => this.disk.createExclusive(name, bytes));
  }

  async remove(name: string): Promise<void> {
    return this.meet("remove", name, () => this.disk.remove(name));
  }

  private async meet<T>(method: Method, name: string, whole: () => Promise<T>, half?: () => Promise<T>): Promise<T> {
    this.operations++;
    const isNew = method === "write" || method === "createExclusive";
    if (this.isFull && isNew) {
      await half?.();
      throw storageError(method, name, "no space left");
    }
    if (this.operations !== this.at || !POSSIBLE[method].includes(this.fault)) return whole();
    // A writer whose lock is gone writes no more, whoever has removed it: that is no fault to go on from.
    if (this.fault === "vanish" && name === "write.lock") return whole();
    this.met = `${method} ${name}`;
    switch (this.fault) {
      case "fail":
        throw storageError(method, name, "input/output error");
      case "late":
        await whole();
        throw storageError(method, name, "input/output error");
      case "short": {
        const result = await half!();
        // A read that stops halfway does not say so.
        if (method === "read") return result;
        throw storageError(method, name, "input/output error");
      }
      case "full":
        this.isFull = true;
        await half?.();
        throw storageError(method, name, "no space left");
      case "vanish":
        throw new IndexError("NOT_FOUND", `FaultyDirectory.${method}: there is no file "${name}"`);
    }
  }
}

function storageError(method: Method, name: string, reason: string): IndexError {
  return new IndexError("STORAGE", `FaultyDirectory.${method}: failed on "${name}": ${reason}`);
}
