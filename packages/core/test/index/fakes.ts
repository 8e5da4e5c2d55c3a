/** An embedder and directories under a test's control. */
import {
  type Directory,
  type Embedder,
  IndexError,
  MemoryDirectory,
  stableKey,
  type TriGraphError,
} from "../../src/index.js";

/** Vectors of the words' hashes: texts that share words are similar. */
export class HashEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  /** Calls of `embedPassages` and `embedQuery`. */
  calls = 0;

  constructor(id = "hash", dimensions = 16) {
    this.id = id;
    this.dimensions = dimensions;
  }

  async embedPassages(
    texts: readonly string[],
    _options?: { signal?: AbortSignal },
  ): Promise<readonly ArrayLike<number>[]> {
    this.calls++;
    return texts.map((text) => this.vectorOf(text));
  }

  async embedQuery(text: string, _options?: { signal?: AbortSignal }): Promise<ArrayLike<number>> {
    this.calls++;
    return this.vectorOf(text);
  }

  vectorOf(text: string): number[] {
    const vector = new Array<number>(this.dimensions).fill(0);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) vector[stableKey(word) % this.dimensions]++;
    return vector;
  }
}

/** `create` fails before anything was done, `created` when all was. */
type Operation = "write" | "sync" | "replace" | "remove" | "list" | "create" | "created";

/** A directory in memory that fails where told to. */
export class FailingDirectory extends MemoryDirectory implements Directory {
  /** Says whether an operation on a file fails; asked once for each. */
  fails: (operation: Operation, name: string) => boolean = () => false;

  override async list(): Promise<string[]> {
    this.ask("list", "");
    return super.list();
  }

  override async write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    this.ask("write", name);
    return super.write(name, chunks);
  }

  override async sync(names: readonly string[]): Promise<void> {
    this.ask("sync", names.join());
    return super.sync(names);
  }

  override async replace(from: string, to: string): Promise<void> {
    this.ask("replace", to);
    return super.replace(from, to);
  }

  override async createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    this.ask("create", name);
    const created = await super.createExclusive(name, bytes);
    this.ask("created", name);
    return created;
  }

  override async remove(name: string): Promise<void> {
    this.ask("remove", name);
    return super.remove(name);
  }

  private ask(operation: Operation, name: string): void {
    if (this.fails(operation, name)) throw new IndexError("STORAGE", `FailingDirectory.${operation}: no space left`);
  }
}

/** Every file's bytes, in hexadecimal. */
export async function filesOf(directory: Directory): Promise<Record<string, string>> {
  const names = await directory.list();
  const files = names.map(async (name) => [name, Buffer.from(await directory.read(name)).toString("hex")] as const);
  return Object.fromEntries(await Promise.all(files));
}

/** What the call throws or rejects with. */
export async function failureOf(call: () => unknown): Promise<TriGraphError> {
  try {
    await call();
  } catch (error) {
    return error as TriGraphError;
  }
  throw new Error("expected a failure, but the call succeeded");
}
