import type { BaseEmbedding } from "@llamaindex/core/embeddings";
import { Settings } from "@llamaindex/core/global";
import { type Embedder, EmbeddingError, InvalidArgumentError, abortable, show } from "@trigraph/core";
import { DEFAULT_EMBED_TEXT } from "./defaults.js";
import type { EmbeddingOptions, EmbedText } from "./options.js";

/** Options of `llamaIndexEmbedder`. */
export interface EmbedderOptions {
  /** Names the model; kept with an index and checked when it is opened. Default: the model's own `model`. */
  readonly id?: string | undefined;
  /** Length of the vectors. Default: what the model says of itself, or the length of a first vector. */
  readonly dimensions?: number | undefined;
}

/** What makes vectors of nodes, and of what in them. */
export interface NodeEmbedder extends Embedder {
  readonly embedText: EmbedText;
}

/** What models of LlamaIndex have that the base class does not promise. */
type KnownEmbedding = BaseEmbedding & { readonly model?: unknown; readonly dimensions?: unknown };

/** Embedded once when nothing else tells the length of a model's vectors. */
const PROBE = "length";

/**
 * LlamaIndex's embedding model as the core's embedder. Asks the model for one vector when neither the options nor the
 * model tell their length.
 *
 * @throws InvalidArgumentError without an id; EmbeddingError when the first vector fails
 */
export async function llamaIndexEmbedder(
  embedModel: BaseEmbedding,
  { id, dimensions }: EmbedderOptions = {},
): Promise<Embedder> {
  const { model, dimensions: asked, embedInfo } = embedModel as KnownEmbedding;
  const name = id ?? model;
  if (typeof name !== "string" || name === "") {
    throw new InvalidArgumentError(
      "llamaIndexEmbedder: expected an id, since the model has no name, got none. It tells one model's vectors from another's.",
    );
  }
  // A model that is told a length makes vectors of that length, whatever its kind usually makes.
  const told = dimensions ?? (typeof asked === "number" ? asked : embedInfo?.dimensions);
  const embedQuery = (text: string) => embedQuestion(`embedQuery: expected ${name}`, embedModel, text);
  return {
    id: name,
    dimensions: told ?? (await attempt("llamaIndexEmbedder", undefined, () => embedQuery(PROBE))).length,
    // A copy of the texts: a model may keep or empty the array that it is given.
    embedPassages: (texts) => embedModel.getTextEmbeddingsBatch([...texts]),
    embedQuery,
  };
}

/** @param expected begins the error when the model, as its type allows, returns null */
export async function embedQuestion(expected: string, embedModel: BaseEmbedding, text: string): Promise<number[]> {
  const vector = await embedModel.getQueryEmbedding({ type: "text", text });
  if (vector !== null) return vector;
  throw new EmbeddingError(`${expected} to return a vector, got null.`);
}

/** The embedder that the options ask for; undefined for none. */
export async function embedderOf(
  method: string,
  { embedModel, embedModelId, embedDimensions, embedText }: EmbeddingOptions,
): Promise<NodeEmbedder | undefined> {
  if (embedText !== undefined && embedText !== "passage" && embedText !== "node") {
    throw new InvalidArgumentError(`${method}: expected embedText to be "passage" or "node", got ${show(embedText)}.`);
  }
  if (embedModel === undefined) {
    if ([embedModelId, embedDimensions, embedText].every((option) => option === undefined)) return undefined;
    throw new InvalidArgumentError(
      `${method}: expected an embedModel for embedModelId, embedDimensions and embedText, got none.`,
    );
  }
  const model = embedModel === "settings" ? modelOfSettings(method) : embedModel;
  return {
    ...(await llamaIndexEmbedder(model, { id: embedModelId, dimensions: embedDimensions })),
    embedText: embedText ?? DEFAULT_EMBED_TEXT,
  };
}

function modelOfSettings(method: string): BaseEmbedding {
  try {
    return Settings.embedModel;
  } catch (cause) {
    throw new InvalidArgumentError(
      `${method}: embedModel "settings": expected Settings.embedModel to be set, got none. Set it, pass a model, or leave embedModel out.`,
      { cause },
    );
  }
}

/**
 * What a model brings; its failures, whatever they are, as `EmbeddingError`s. Rejects with the signal's reason when that
 * is aborted, whether or not the model heeds it.
 */
export async function attempt<T>(method: string, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await abortable(call(), signal);
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddingError(`${method}: the embedding model failed: ${reason}`, { cause });
  }
}
