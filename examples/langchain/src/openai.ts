import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { startLocalOpenAi } from "@trigraph/local-openai";

export interface OpenAi {
  readonly model: ChatOpenAI;
  readonly embeddings: OpenAIEmbeddings;
  readonly close: () => Promise<void>;
}

/** OpenAI's models when there is a key; otherwise a local server that composes sentences of the prompt. */
export async function connect(apiKey: string | undefined): Promise<OpenAi> {
  if (apiKey !== undefined && apiKey !== "") {
    return {
      model: new ChatOpenAI({ apiKey, model: "gpt-4o-mini", temperature: 0 }),
      embeddings: new OpenAIEmbeddings({ apiKey, model: "text-embedding-3-small" }),
      close: async () => {},
    };
  }
  const server = await startLocalOpenAi();
  const local = { apiKey: "none", configuration: { baseURL: server.url } };
  return {
    model: new ChatOpenAI({ ...local, model: "local-chat" }),
    embeddings: new OpenAIEmbeddings({ ...local, model: "local-embedding" }),
    close: () => server.close(),
  };
}
