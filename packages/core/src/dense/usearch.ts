import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Index } from "usearch";
import { nextTurn } from "../abort.js";
import { attempt, errorCode } from "../directory/attempt.js";
import { crc32 } from "../directory/checksum.js";
import { InvalidArgumentError } from "../errors.js";
import type { LongCallOptions } from "../types.js";
import type { SegmentVectors, VectorIndex, VectorIndexer } from "./vector-index.js";

/** Vectors that are added before others get a turn: some 50 ms. */
const SLICE = 128;

/** Part of each file's name: what is made otherwise gets another. */
const LAYOUT = "cos-i8-1";

const FILE = /^vectors-[0-9a-f]{32}-[0-9a-f]{8}\.usearch$/;

/** Options of `UsearchIndexer`. */
export interface UsearchOptions {
  /** Segments of fewer passages are searched exactly: with eight-bit vectors in some 6 ms. Default 50,000. */
  readonly minPassages?: number | undefined;
  /** A folder of its own where graphs are kept, so that opening an index need not make them again. Default: none. */
  readonly folder?: string | undefined;
  /** Neighbours of each vector in the graph: raising it finds more and takes more memory. Default 16. */
  readonly connectivity?: number | undefined;
  /** Candidates that are looked at for each vector added: raising it finds more and takes longer. Default 128. */
  readonly expansionAdd?: number | undefined;
  /** Candidates that are looked at for each question: raising it finds more and takes longer. Default 128. */
  readonly expansionSearch?: number | undefined;
}

/**
 * Approximate nearest neighbours over graphs of vectors (HNSW: Malkov and Yashunin, arXiv 1603.09320), by the package
 * `usearch`, which has to be installed beside this one. The same vectors give the same graph.
 */
export class UsearchIndexer implements VectorIndexer {
  readonly minPassages: number;
  private readonly folder: string | undefined;
  private readonly settings: { readonly connectivity: number; readonly add: number; readonly search: number };

  /** @throws InvalidArgumentError */
  constructor(options: UsearchOptions = {}) {
    const { minPassages = 50_000, folder, connectivity = 16, expansionAdd = 128, expansionSearch = 128 } = options;
    for (const [name, value] of Object.entries({ minPassages, connectivity, expansionAdd, expansionSearch })) {
      if (Number.isSafeInteger(value) && value > 0) continue;
      throw new InvalidArgumentError(`UsearchIndexer: ${name}: expected a positive integer, got ${String(value)}.`);
    }
    if (folder !== undefined && (typeof folder !== "string" || folder === "")) {
      throw new InvalidArgumentError(
        `UsearchIndexer: folder: expected the path of a folder, got ${JSON.stringify(folder)}.`,
      );
    }
    this.minPassages = minPassages;
    this.folder = folder;
    this.settings = { connectivity, add: expansionAdd, search: expansionSearch };
  }

  async build(vectors: SegmentVectors, options: LongCallOptions): Promise<VectorIndex> {
    const index = await this.emptyIndex(vectors.dimensions);
    if (this.folder === undefined) {
      await fill(index, vectors, options);
      return new UsearchIndex(index);
    }
    const digest = await this.digestOf(vectors, options);
    const stored = await this.find(digest);
    if (stored !== undefined) {
      index.load(join(this.folder, stored));
      if (index.size() === vectors.count) return new UsearchIndex(index, stored);
    }
    const made = stored === undefined ? index : await this.emptyIndex(vectors.dimensions);
    await fill(made, vectors, options);
    return new UsearchIndex(made, await this.store(made, digest));
  }

  /** Removes the files of others from the folder. */
  async keep(indexes: readonly VectorIndex[]): Promise<void> {
    const { folder } = this;
    if (folder === undefined) return;
    const used = new Set(indexes.map((index) => (index as UsearchIndex).file));
    await attempt("UsearchIndexer.keep", folder, async () => {
      for (const name of await namesIn(folder)) if (!used.has(name)) await rm(join(folder, name), { force: true });
    });
  }

  private async emptyIndex(dimensions: number): Promise<Index> {
    const { Index, MetricKind, ScalarKind } = await loadUsearch();
    const { connectivity, add, search } = this.settings;
    return new Index({
      dimensions,
      metric: MetricKind.Cos,
      // Candidates are compared exactly afterwards: eight bits find as many of them.
      quantization: ScalarKind.I8,
      connectivity,
      expansion_add: add,
      expansion_search: search,
      multi: false,
    });
  }

  /** Of the vectors and of all that the graph depends on. */
  private async digestOf(vectors: SegmentVectors, { signal }: LongCallOptions): Promise<string> {
    const hash = createHash("sha256");
    hash.update(JSON.stringify([LAYOUT, this.settings, vectors.count, vectors.dimensions]));
    for (let start = 0; start < vectors.count; start += SLICE) {
      const rows = vectors.rows(start, Math.min(vectors.count, start + SLICE));
      hash.update(new Uint8Array(rows.buffer));
      if (start % (SLICE * 64) !== 0) continue;
      await nextTurn();
      signal?.throwIfAborted();
    }
    return hash.digest("hex").slice(0, 32);
  }

  /** The name of an undamaged file: a damaged one must never reach the library, which trusts what it reads. */
  private async find(digest: string): Promise<string | undefined> {
    const folder = this.folder!;
    return attempt("UsearchIndexer.build", folder, async () => {
      for (const name of await namesIn(folder)) {
        if (!name.startsWith(`vectors-${digest}-`)) continue;
        if (name === (await fileName(digest, join(folder, name)))) return name;
      }
      return undefined;
    });
  }

  private async store(index: Index, digest: string): Promise<string> {
    const folder = this.folder!;
    return attempt("UsearchIndexer.build", folder, async () => {
      await mkdir(folder, { recursive: true });
      const draft = join(folder, `.${digest}-${process.pid}.tmp`);
      try {
        index.save(draft);
        const name = await fileName(digest, draft);
        await rename(draft, join(folder, name));
        return name;
      } finally {
        await rm(draft, { force: true });
      }
    });
  }
}

class UsearchIndex implements VectorIndex {
  readonly file: string | undefined;
  private readonly index: Index;

  constructor(index: Index, file?: string) {
    this.index = index;
    this.file = file;
  }

  nearest(query: Float32Array, count: number): number[] {
    return Array.from(this.index.search(query, count, 1).keys, Number);
  }
}

async function fill(index: Index, vectors: SegmentVectors, { signal, onProgress }: LongCallOptions): Promise<void> {
  for (let start = 0; start < vectors.count; start += SLICE) {
    const end = Math.min(vectors.count, start + SLICE);
    const places = BigUint64Array.from({ length: end - start }, (_, i) => BigInt(start + i));
    // With more than one thread the graph would depend on which is faster.
    index.add(places, vectors.rows(start, end), 1);
    onProgress?.({ phase: "index-vectors", done: end, total: vectors.count });
    await nextTurn();
    signal?.throwIfAborted();
  }
}

/** Loaded when first needed: the package is there for those who use it. */
async function loadUsearch(): Promise<typeof import("usearch")> {
  try {
    return await import("usearch");
  } catch (error) {
    throw new InvalidArgumentError(
      'UsearchIndexer: the package "usearch" does not load: install it beside @trigraph/core, or leave the indexer out and vectors are searched exactly.',
      { cause: error },
    );
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => FILE.test(name)).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Carries the checksum of what the file at this path holds. */
async function fileName(digest: string, path: string): Promise<string> {
  let checksum = 0;
  for await (const chunk of createReadStream(path)) checksum = crc32(chunk as Uint8Array, checksum);
  return `vectors-${digest}-${checksum.toString(16).padStart(8, "0")}.usearch`;
}
