import { EmbeddingError, type Embedder } from "@trigraph/core";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";

/** Options of `langChainEmbedder`. */
export interface LangChainEmbedderOptions {
  /**
   * Names the model; stored with the index and compared when it is opened. Default: the class's name and its model,
   * as in `"OpenAIEmbeddings:text-embedding-3-small"`. Give one where a minifier renames classes.
   */
  readonly id?: string | undefined;
  /** Length of the vectors. Default: that of a first vector, for which one short text is embedded. */
  readonly dimensions?: number | undefined;
}

/** Embedded to learn the length of the vectors. */
const PROBE = "How long are your vectors?";

/**
 * LangChain's embeddings as the core's embedder. A text that occurs twice in a batch is embedded once.
 *
 * @throws EmbeddingError when the embeddings fail on the first text
 */
export async function langChainEmbedder(
  embeddings: EmbeddingsInterface,
  { id = defaultId(embeddings), dimensions }: LangChainEmbedderOptions = {},
): Promise<Embedder> {
  return {
    id,
    dimensions: dimensions ?? (await measure(embeddings, id)),
    async embedPassages(texts) {
      const distinct = [...new Set(texts)];
      const vectors = await embeddings.embedDocuments(distinct);
      // Fewer vectors than texts are the core's to refuse, with all that it knows.
      if (distinct.length === texts.length || vectors.length !== distinct.length) return vectors;
      const vectorOf = new Map(distinct.map((text, i) => [text, vectors[i]]));
      return texts.map((text) => vectorOf.get(text)!);
    },
    embedQuery: (text) => embeddings.embedQuery(text),
  };
}

async function measure(embeddings: EmbeddingsInterface, id: string): Promise<number> {
  try {
    return (await embeddings.embedQuery(PROBE)).length;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EmbeddingError(`langChainEmbedder: ${id} failed on a first text: ${reason}`, { cause: error });
  }
}

function defaultId(embeddings: EmbeddingsInterface & { model?: unknown; modelName?: unknown }): string {
  const { name } = embeddings.constructor;
  const model = [embeddings.model, embeddings.modelName].find((value) => typeof value === "string");
  return model === undefined ? name : `${name}:${model}`;
}
