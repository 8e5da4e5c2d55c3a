import { OpenAI, OpenAIEmbedding } from "@llamaindex/openai";
import { startLocalOpenAi } from "@trigraph/local-openai";

export interface Models {
  /** What answers, for the reader. */
  readonly name: string;
  readonly llm: OpenAI;
  readonly embedModel: OpenAIEmbedding;
  close(): Promise<void>;
}

/** OpenAI's models with an API key; without one a server on this machine, which quotes the prompt instead of thinking. */
export async function startModels(apiKey: string | undefined): Promise<Models> {
  if (apiKey !== undefined && apiKey !== "") {
    const llm = new OpenAI({ model: "gpt-4o-mini", apiKey });
    return {
      name: "OpenAI",
      llm,
      embedModel: new OpenAIEmbedding({ ...EMBEDDING, apiKey }),
      close: async () => undefined,
    };
  }
  const server = await startLocalOpenAi();
  const local = { apiKey: "local", baseURL: server.url };
  return {
    name: "a local test server (set OPENAI_API_KEY to ask OpenAI)",
    llm: new OpenAI({ model: "local-chat", ...local }),
    embedModel: new OpenAIEmbedding({ ...EMBEDDING, ...local }),
    close: () => server.close(),
  };
}

const EMBEDDING = { model: "text-embedding-3-small", dimensions: 512 };
