/** A loaded model and its tokenizer: one text, or one pair of texts, at a time. */
import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from "@xenova/transformers";
import { DEFAULT_MAX_TOKENS } from "./defaults.js";
import { messageOf, ModelError } from "./errors.js";

/** What a model reads. */
export interface Encoding {
  readonly ids: readonly number[];
  /** The text that each piece belongs to, 0 or 1; undefined where the tokenizer does not say. */
  readonly types: readonly number[] | undefined;
}

/** A tensor that a model returned: `data` is row by row. */
export interface Output {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Parts of the library that its types leave open. */
interface OpenModel {
  readonly config: Readonly<Record<string, unknown>>;
  readonly session: { readonly inputNames: readonly string[] };
}

/** What the tokenizer returns when it is asked for arrays. */
interface Arrays {
  readonly input_ids: number[];
  readonly token_type_ids?: number[];
}

export class Model {
  readonly name: string;
  readonly tokenizer: PreTrainedTokenizer;
  /** Word pieces that it can read at once. */
  readonly maxTokens: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly #network: PreTrainedModel;
  readonly #inputNames: readonly string[];
  readonly #tensor: typeof Tensor;
  /** Texts go through one after the other, so that memory is bounded by one of them. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(name: string, tokenizer: PreTrainedTokenizer, network: PreTrainedModel, tensor: typeof Tensor) {
    const { config, session } = network as unknown as OpenModel;
    this.name = name;
    this.tokenizer = tokenizer;
    this.config = config;
    this.maxTokens = readLimit(tokenizer.model_max_length as unknown, config.max_position_embeddings);
    this.#network = network;
    this.#inputNames = session.inputNames;
    this.#tensor = tensor;
  }

  /** The pieces of a text or a pair of texts, special ones included, however many. */
  encode(text: string, pair: string | null = null): Encoding {
    const arrays = this.tokenizer(text, { text_pair: pair as unknown as undefined, return_tensor: false }) as Arrays;
    return { ids: arrays.input_ids, types: arrays.token_type_ids };
  }

  /** The pieces of a text alone. */
  pieces(text: string): readonly number[] {
    return this.tokenizer.encode(text, undefined, { add_special_tokens: false });
  }

  /** @throws ModelError `MODEL` when the model fails, or has no such output */
  async run(method: string, encoding: Encoding, outputs: readonly string[]): Promise<Output> {
    const result = this.#last.then(() => this.#run(method, encoding, outputs));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Frees the model's memory when what it is at has ended. */
  async dispose(): Promise<void> {
    await this.#last;
    await this.#network.dispose();
  }

  async #run(method: string, { ids, types }: Encoding, outputs: readonly string[]): Promise<Output> {
    let found: Record<string, Output | undefined>;
    try {
      found = (await this.#network(this.#feeds(ids, types))) as Record<string, Output | undefined>;
    } catch (cause) {
      throw new ModelError(
        "MODEL",
        `${method}: ${this.name} failed on ${ids.length} word pieces: ${messageOf(cause)}`,
        {
          cause,
        },
      );
    }
    for (const name of outputs) if (found[name] !== undefined) return found[name];
    throw new ModelError(
      "MODEL",
      `${method}: expected ${this.name} to return ${outputs.join(" or ")}, got ${Object.keys(found).join(", ")}. Name a model of the right kind.`,
    );
  }

  /** Only what the model asks for: the library warns on the console of anything else. */
  #feeds(ids: readonly number[], types: readonly number[] | undefined): Record<string, Tensor> {
    const values: Record<string, readonly number[]> = {
      input_ids: ids,
      attention_mask: ids.map(() => 1),
      token_type_ids: types ?? ids.map(() => 0),
    };
    const known = this.#inputNames.filter((name) => Object.hasOwn(values, name));
    return Object.fromEntries(
      known.map((name) => [name, new this.#tensor("int64", BigInt64Array.from(values[name], BigInt), [1, ids.length])]),
    );
  }
}

/** The smaller of what the tokenizer and the model's configuration say; tokenizers without a limit say 1e30. */
function readLimit(...told: readonly unknown[]): number {
  const limits = told.filter((limit): limit is number => Number.isSafeInteger(limit) && (limit as number) > 0);
  return limits.length === 0 ? DEFAULT_MAX_TOKENS : Math.min(...limits);
}
