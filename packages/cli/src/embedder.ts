/** The embedders that a command line can name, each from a package that need not be installed. */
import { messageOf, CommandError, UsageError } from "./errors.js";
import type { Embedder } from "@trigraph/core";

export interface EmbedderOptions {
  /** As in `transformers:Xenova/all-MiniLM-L6-v2` or `openai:text-embedding-3-small`. */
  readonly embedder?: string | undefined;
  /** A folder of models for `transformers:`. */
  readonly models?: string | undefined;
}

type Make = (model: string, options: EmbedderOptions) => Promise<Embedder>;

const KINDS: ReadonlyMap<string, Make> = new Map([
  ["transformers", makeTransformers],
  ["openai", makeOpenAi],
]);

/**
 * The embedder that the options name; undefined when they name none.
 *
 * @throws UsageError for another name; CommandError when its package is not installed
 */
export async function embedderOf(options: EmbedderOptions): Promise<Embedder | undefined> {
  const { embedder: name, models } = options;
  const colon = name?.indexOf(":") ?? -1;
  const kind = name?.slice(0, Math.max(colon, 0));
  if (models !== undefined && kind !== "transformers") {
    throw new UsageError("--models is for the models of --embedder transformers:MODEL.");
  }
  if (name === undefined) return undefined;
  const make = KINDS.get(kind!);
  const model = name.slice(colon + 1);
  if (make === undefined || model === "") {
    throw new UsageError(`--embedder: expected transformers:MODEL or openai:MODEL, got ${JSON.stringify(name)}.`);
  }
  return make(model, options);
}

async function makeTransformers(model: string, { models }: EmbedderOptions): Promise<Embedder> {
  const { TransformersEmbedder } = await load("@trigraph/transformers", () => import("@trigraph/transformers"));
  return new TransformersEmbedder({ model, localModelPath: models });
}

/** Key and address come from OPENAI_API_KEY and OPENAI_BASE_URL, as OpenAI's client reads them. */
async function makeOpenAi(model: string): Promise<Embedder> {
  const { OpenAI } = await load("openai", () => import("openai"));
  const { OpenAiEmbedder } = await import("./openai-embedder.js");
  let client: InstanceType<typeof OpenAI>;
  try {
    client = new OpenAI();
  } catch (error) {
    throw new CommandError(`--embedder openai: ${messageOf(error)}`, { cause: error });
  }
  return new OpenAiEmbedder(client, model);
}

async function load<T>(name: string, importing: () => Promise<T>): Promise<T> {
  try {
    return await importing();
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
    const found = isMissing ? "which is not installed" : "which does not load";
    throw new CommandError(
      `--embedder: expected the package ${name}, ${found}. ` + `Run: npm install ${name} (${messageOf(error)})`,
      { cause: error },
    );
  }
}
