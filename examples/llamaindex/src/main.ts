// A query engine and a chat engine of LlamaIndex over a graph of four documents.
import { ContextChatEngine } from "@llamaindex/core/chat-engine";
import { getResponseSynthesizer } from "@llamaindex/core/response-synthesizers";
import type { NodeWithScore } from "@llamaindex/core/schema";
import { TriGraphRetriever } from "@trigraph/llamaindex";
import { documents } from "./documents.js";
import { startModels } from "./models.js";

const QUESTION = "Who is the mother of the director of The Silent Harbour?";

const models = await startModels(process.env.OPENAI_API_KEY);
const { name, llm, embedModel } = models;
try {
  const retriever = await TriGraphRetriever.fromDocuments(documents, { embedModel, topK: 3 });
  console.log(`Answers by ${name}\n`);

  const queryEngine = retriever.asQueryEngine({ responseSynthesizer: getResponseSynthesizer("compact", { llm }) });
  const answer = await queryEngine.query({ query: QUESTION });
  console.log(`Query engine: ${QUESTION}`);
  console.log(sources(answer.sourceNodes));
  console.log(`${answer.message.content as string}\n`);

  const chatEngine = new ContextChatEngine({ retriever, chatModel: llm });
  const message = "And where do the landscapes of Greta Holm hang?";
  console.log(`Chat engine: ${message}`);
  for await (const chunk of await chatEngine.chat({ message, stream: true })) process.stdout.write(chunk.delta);
  console.log();
} finally {
  await models.close();
}

function sources(nodes: readonly NodeWithScore[] = []): string {
  return nodes.map(({ node }, i) => `  ${i + 1}. ${node.metadata.title as string}`).join("\n");
}
