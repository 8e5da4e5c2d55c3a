import type { Embedder } from "../types.js";

/** Vectors by key, kept from one run to the next or not. Keys are 64 hexadecimal digits. */
export interface VectorCache {
  /** For each key its vector, or undefined. */
  get(keys: readonly string[]): Promise<readonly (ArrayLike<number> | undefined)[]>;
  /** Keeps vectors, all of one length. What cannot be kept may be dropped. */
  set(entries: readonly CachedVector[]): Promise<void>;
}

/** A vector and the key by which a cache knows it. */
export interface CachedVector {
  readonly key: string;
  readonly vector: ArrayLike<number>;
}

/** A cache for as long as the process runs. */
export class MemoryVectorCache implements VectorCache {
  private readonly vectors = new Map<string, Float32Array>();

  /** How many vectors are kept. */
  get size(): number {
    return this.vectors.size;
  }

  async get(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
    return keys.map((key) => this.vectors.get(key));
  }

  async set(entries: readonly CachedVector[]): Promise<void> {
    for (const { key, vector } of entries) this.vectors.set(key, Float32Array.from(vector));
  }
}

/**
 * An embedder that asks another one only for texts that it has not embedded before, whatever passages they belong to:
 * rebuilding an index, changing metadata or going on after an interruption embeds nothing twice. Vectors are known by the
 * embedder's id and dimensions and the text, by SHA-256; questions are not kept.
 *
 * What a batch has embedded is kept as soon as it is there, so an aborted call loses at most one batch.
 */
export function cachedEmbedder(embedder: Embedder, cache: VectorCache): Embedder {
  return {
    id: embedder.id,
    get dimensions() {
      return embedder.dimensions;
    },
    load: () => embedder.load?.() ?? Promise.resolve(),
    embedQuery: (text, options) => embedder.embedQuery(text, options),
    embedPassages: async (texts, options) => {
      const keys = await Promise.all(texts.map((text) => keyOf(embedder, text)));
      const vectors = [...(await cache.get(keys))];
      // A text that stands twice is embedded once.
      const missing = new Map<string, number>();
      keys.forEach((key, i) => {
        if (vectors[i] === undefined && !missing.has(key)) missing.set(key, i);
      });
      if (missing.size > 0) {
        const made = await embedder.embedPassages(
          Array.from(missing.values(), (i) => texts[i]),
          options,
        );
        const entries = Array.from(missing.keys(), (key, n) => ({ key, vector: made[n] }));
        // What cannot be used is for the caller to refuse, and nothing to keep.
        if (made.length === missing.size) await cache.set(entries.filter(({ vector }) => isUsable(vector, embedder)));
        const byKey = new Map(entries.map(({ key, vector }) => [key, vector]));
        keys.forEach((key, i) => (vectors[i] ??= byKey.get(key)));
      }
      return vectors as ArrayLike<number>[];
    },
  };
}

function isUsable(vector: ArrayLike<number> | undefined, { dimensions }: Embedder): vector is ArrayLike<number> {
  return vector?.length === dimensions && Array.from(vector).every(Number.isFinite);
}

async function keyOf({ id, dimensions }: Embedder, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([id, dimensions, text]));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
