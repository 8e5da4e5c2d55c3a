import type { Embedder } from "@trigraph/core";
import { type ChatModel, openAiChat } from "@trigraph/evaluation";
import { startLocalOpenAi } from "@trigraph/local-openai";
import OpenAI from "openai";

export interface Models {
  /** What embeds and answers, for the reader. */
  readonly name: string;
  readonly embedder: Embedder;
  readonly chat: ChatModel;
  close(): Promise<void>;
}

const EMBEDDING_MODEL = "text-embedding-3-small";
/** A third of the model's own length: it loses little, and most of the bytes go. */
const DIMENSIONS = 512;
const CHAT_MODEL = "gpt-4o-mini";

/** OpenAI's models with an API key; without one a server on this machine. */
export async function startModels(apiKey: string | undefined): Promise<Models> {
  if (apiKey !== undefined && apiKey !== "") {
    const client = new OpenAI({ apiKey });
    return {
      name: `${CHAT_MODEL} and ${EMBEDDING_MODEL}`,
      embedder: embedderOf(client, EMBEDDING_MODEL),
      chat: openAiChat(client, CHAT_MODEL),
      close: async () => undefined,
    };
  }
  const server = await startLocalOpenAi();
  const client = new OpenAI({ apiKey: "none", baseURL: server.url });
  return {
    name:
      "a local test server, no models: its answers are sentences of the passages, its vectors count words and know no " +
      "meanings (set OPENAI_API_KEY for real ones)",
    embedder: embedderOf(client, "local-embedding"),
    chat: openAiChat(client, "local-chat"),
    close: () => server.close(),
  };
}

function embedderOf(client: OpenAI, model: string): Embedder {
  const embed = async (input: string[], { signal }: { signal?: AbortSignal } = {}) => {
    const request = { model, input, dimensions: DIMENSIONS };
    const { data } = await client.embeddings.create(request, signal && { signal });
    return data.map(({ embedding }) => embedding);
  };
  return {
    id: `openai:${model}`,
    dimensions: DIMENSIONS,
    embedPassages: (texts, options) => embed([...texts], options),
    embedQuery: async (text, options) => (await embed([text], options))[0],
  };
}
