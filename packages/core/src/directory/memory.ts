import { IndexError } from "../errors.js";
import { type ByteRange, checkFileName, checkRange, type Directory } from "./directory.js";

/** A directory in memory. Bytes are copied in and out; `sync` has nothing to do. */
export class MemoryDirectory implements Directory {
  readonly #files = new Map<string, Uint8Array>();

  async list(): Promise<string[]> {
    return [...this.#files.keys()].sort();
  }

  async size(name: string): Promise<number> {
    return this.#file("size", name).length;
  }

  async read(name: string, range?: ByteRange): Promise<Uint8Array> {
    const bytes = this.#file("read", name);
    const { start, end } = checkRange("MemoryDirectory.read", name, range, bytes.length);
    return bytes.slice(start, end);
  }

  async write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    checkFileName("MemoryDirectory.write", name);
    const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let end = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, end);
      end += chunk.length;
    }
    this.#files.set(name, bytes);
  }

  async sync(names: readonly string[]): Promise<void> {
    for (const name of names) this.#file("sync", name);
  }

  async replace(from: string, to: string): Promise<void> {
    checkFileName("MemoryDirectory.replace", to);
    const bytes = this.#file("replace", from);
    this.#files.delete(from);
    this.#files.set(to, bytes);
  }

  async createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    checkFileName("MemoryDirectory.createExclusive", name);
    if (this.#files.has(name)) return false;
    this.#files.set(name, bytes.slice());
    return true;
  }

  async remove(name: string): Promise<void> {
    checkFileName("MemoryDirectory.remove", name);
    this.#files.delete(name);
  }

  #file(method: string, name: string): Uint8Array {
    checkFileName(`MemoryDirectory.${method}`, name);
    const bytes = this.#files.get(name);
    if (bytes === undefined) {
      throw new IndexError("NOT_FOUND", `MemoryDirectory.${method}: there is no file "${name}"`);
    }
    return bytes;
  }
}
