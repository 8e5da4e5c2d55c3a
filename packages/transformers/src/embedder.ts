import { type Embedder, InvalidArgumentError, show } from "@trigraph/core";
import { DEFAULT_POOLING } from "./defaults.js";
import { ModelError } from "./errors.js";
import type { Output } from "./model.js";
import { checkKind, checkModelOptions, modelId, type ModelOptions } from "./options.js";
import { SharedModel } from "./shared-model.js";
import { encodeText } from "./truncate.js";
import { Turns } from "./turns.js";

export interface TransformersEmbedderOptions extends ModelOptions {
  /**
   * How the vectors of a text's pieces become one: their mean, or that of the first (`"cls"`), as some models ask for.
   * Default `"mean"`.
   */
  readonly pooling?: "mean" | "cls" | undefined;
  /** Scale vectors to length 1. Default true. To an index it makes no difference. */
  readonly normalize?: boolean | undefined;
  /** Put before each passage, as in `"passage: "`, where a model was trained so. Default: nothing. */
  readonly passagePrefix?: string | undefined;
  /** Put before each question, as in `"query: "`. Default: nothing. */
  readonly queryPrefix?: string | undefined;
}

const METHOD = "TransformersEmbedder";

/** Embedded to learn the length of the vectors. */
const PROBE = "How long are your vectors?";

/** What sentence encoders call the vectors of a text's pieces. */
const OUTPUTS = ["last_hidden_state", "token_embeddings"];

/**
 * Vectors by a model that runs in this process, or in the browser.
 *
 * A model is given one text at a time: a quantised one scales its numbers by all that it is given, so only then does a
 * vector depend on its text alone. It is faster so as well. Instances with the same options share one model in memory.
 */
export class TransformersEmbedder implements Embedder {
  readonly id: string;
  readonly #options: TransformersEmbedderOptions;
  readonly #shared: SharedModel;
  #dimensions: number | undefined;

  /**
   * Loads nothing: `load`, the first text or an index does.
   *
   * @throws InvalidArgumentError
   */
  constructor(options: TransformersEmbedderOptions) {
    checkModelOptions(METHOD, options, ["pooling", "normalize", "passagePrefix", "queryPrefix"]);
    const { pooling = DEFAULT_POOLING, passagePrefix = "", queryPrefix = "" } = options;
    if (pooling !== "mean" && pooling !== "cls") {
      throw new InvalidArgumentError(`${METHOD}: expected the pooling "mean" or "cls", got ${show(pooling)}.`);
    }
    checkKind(METHOD, options, "normalize", "boolean");
    checkKind(METHOD, options, "passagePrefix", "string");
    checkKind(METHOD, options, "queryPrefix", "string");
    const prefixes = passagePrefix + queryPrefix === "" ? [] : [JSON.stringify([passagePrefix, queryPrefix])];
    this.id = modelId(options, [pooling, ...prefixes]);
    this.#options = options;
    this.#shared = new SharedModel(METHOD, "encoder", options);
  }

  /** Length of the vectors. @throws InvalidArgumentError before the model is loaded */
  get dimensions(): number {
    if (this.#dimensions !== undefined) return this.#dimensions;
    throw new InvalidArgumentError(
      `${METHOD}: expected a loaded model, got ${show(this.#options.model)} not yet loaded. Await load() first.`,
    );
  }

  /**
   * Loads the model. An index does so by itself; done beforehand, it can be aborted.
   *
   * @throws ModelError, InvalidArgumentError for more `maxTokens` than the model can read, ClosedError, or the signal's
   * reason
   */
  async load({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#shared.load(signal);
    if (this.#dimensions === undefined) await this.#embed(PROBE, signal);
  }

  /** A vector of length 1 for each text. @throws as `load`; the signal is heeded between texts */
  async embedPassages(
    texts: readonly string[],
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<Float32Array[]> {
    const { passagePrefix = "" } = this.#options;
    const turns = new Turns();
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      await turns.next(signal);
      vectors.push(await this.#embed(passagePrefix + text, signal));
    }
    return vectors;
  }

  /** The question's vector, of `queryPrefix` and the text. */
  async embedQuery(text: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Float32Array> {
    return this.#embed((this.#options.queryPrefix ?? "") + text, signal);
  }

  /** Gives the model's memory back once nobody else uses it. What is asked of the embedder later rejects. */
  async dispose(): Promise<void> {
    await this.#shared.dispose();
  }

  async #embed(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const model = await this.#shared.load(signal);
    const { pooling = DEFAULT_POOLING, normalize = true, maxTokens = model.maxTokens } = this.#options;
    const pieces = await model.run(METHOD, encodeText(model, text, maxTokens), OUTPUTS);
    const vector = pool(model.name, pieces, pooling, normalize);
    this.#dimensions = vector.length;
    return vector;
  }
}

/** @param pieces a vector for each piece of one text, `dims` [1, pieces, length] */
function pool(model: string, { dims, data }: Output, pooling: "mean" | "cls", normalize: boolean): Float32Array {
  const [, pieces, length] = dims;
  if (dims.length !== 3 || pieces === 0) {
    throw new ModelError(
      "MODEL",
      `${METHOD}: expected vectors of word pieces from ${model}, got a tensor of ${dims.join(" × ")}. Name a sentence encoder.`,
    );
  }
  const count = pooling === "cls" ? 1 : pieces;
  const sums = new Float64Array(length);
  for (let i = 0; i < count * length; i++) sums[i % length] += data[i];
  const squares = sums.reduce((sum, value) => sum + value * value, 0);
  const scale = normalize && squares > 0 ? 1 / Math.sqrt(squares) : 1 / count;
  return Float32Array.from(sums, (value) => value * scale);
}
