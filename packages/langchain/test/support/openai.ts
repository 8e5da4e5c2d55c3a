import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import type { LocalOpenAi } from "@trigraph/local-openai";

/** LangChain's OpenAI components, over HTTP against the local server. */
export function openAi({ url }: LocalOpenAi, { maxRetries = 0, timeout = 5000 } = {}) {
  const common = { apiKey: "none", configuration: { baseURL: url }, maxRetries, timeout };
  return {
    model: new ChatOpenAI({ ...common, model: "local-chat", temperature: 0 }),
    embeddings: new OpenAIEmbeddings({ ...common, model: "local-embedding" }),
  };
}
