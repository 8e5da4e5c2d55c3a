import { EmbeddingError, type Embedder } from "@trigraph/core";
import { messageOf } from "../errors.js";

/** Texts that an embedder is given at once. */
const BATCH = 64;

/**
 * An embedder that several methods share: each passage is embedded once, and the time that questions take is counted.
 * So no method pays for another's vectors, and a query can be told with and without embedding.
 */
export class SharedEmbedder implements Embedder {
  readonly id: string;
  /** Spent in the embedder so far, by passages and by questions. */
  milliseconds = 0;
  readonly #inner: Embedder;
  readonly #vectors = new Map<string, ArrayLike<number>>();

  constructor(inner: Embedder) {
    this.#inner = inner;
    this.id = inner.id;
  }

  get dimensions(): number {
    return this.#inner.dimensions;
  }

  async load(): Promise<void> {
    await this.#inner.load?.();
  }

  /**
   * Embeds texts that are not yet known, so that later calls find them.
   *
   * @throws EmbeddingError when the embedder fails, or returns another number of vectors than of texts
   */
  async prepare(
    texts: readonly string[],
    options: { signal?: AbortSignal | undefined; onBatch?: (done: number) => void } = {},
  ): Promise<void> {
    for (let start = 0; start < texts.length; start += BATCH) {
      options.signal?.throwIfAborted();
      await this.embedPassages(texts.slice(start, start + BATCH), signalOf(options));
      options.onBatch?.(Math.min(start + BATCH, texts.length));
    }
  }

  async embedPassages(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<ArrayLike<number>[]> {
    const missing = [...new Set(texts)].filter((text) => !this.#vectors.has(text));
    if (missing.length > 0) {
      const vectors = await this.#timed(() => this.#inner.embedPassages(missing, options), options?.signal);
      if (vectors.length !== missing.length) {
        throw new EmbeddingError(
          `embedder ${this.id}: expected a vector for each of ${missing.length} texts, got ${vectors.length}.`,
        );
      }
      missing.forEach((text, i) => this.#vectors.set(text, vectors[i]));
    }
    return texts.map((text) => this.#vectors.get(text)!);
  }

  /** The question's vector; the time is counted. */
  async embedQuery(text: string, options?: { signal?: AbortSignal }): Promise<ArrayLike<number>> {
    return this.#timed(() => this.#inner.embedQuery(text, options), options?.signal);
  }

  async #timed<T>(task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const begun = performance.now();
    try {
      return await task();
    } catch (error) {
      signal?.throwIfAborted();
      throw new EmbeddingError(`embedder ${this.id}: failed: ${messageOf(error)}.`, { cause: error });
    } finally {
      this.milliseconds += performance.now() - begun;
    }
  }
}

function signalOf({ signal }: { signal?: AbortSignal | undefined }): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
