import { type Embedder, EmbeddingError, show } from "@trigraph/core";
import type { OpenAI } from "openai";

/** Embedded to learn the length of the vectors. */
const PROBE = "How long are your vectors?";

/** A model of OpenAI's interface as the core's embedder. Its id is `openai:MODEL`, whoever serves it. */
export class OpenAiEmbedder implements Embedder {
  readonly id: string;
  readonly #client: OpenAI;
  readonly #model: string;
  #dimensions: number | undefined;

  constructor(client: OpenAI, model: string) {
    this.id = `openai:${model}`;
    this.#client = client;
    this.#model = model;
  }

  /** @throws EmbeddingError before `load` has resolved */
  get dimensions(): number {
    if (this.#dimensions !== undefined) return this.#dimensions;
    throw new EmbeddingError(`${this.id}: expected load() to have resolved before dimensions is read.`);
  }

  async load(): Promise<void> {
    this.#dimensions ??= (await this.embedQuery(PROBE)).length;
  }

  async embedPassages(texts: readonly string[], { signal }: { signal?: AbortSignal } = {}): Promise<number[][]> {
    const input = [...texts];
    // Numbers, not base64: some who serve this interface know nothing else.
    const request = { model: this.#model, input, encoding_format: "float" } as const;
    const { data } = await this.#client.embeddings.create(request, signal === undefined ? {} : { signal });
    return [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  }

  async embedQuery(text: string, options: { signal?: AbortSignal } = {}): Promise<number[]> {
    const [vector] = await this.embedPassages([text], options);
    if (vector === undefined) throw new EmbeddingError(`${this.id}: expected a vector for ${show(text)}, got none.`);
    return vector;
  }
}
