/**
 * LlamaIndex's chat engine over the retriever: each message of a conversation is answered from the passages found for
 * it, and streamed. The arguments are the messages.
 *
 *     npm run example -- llamaindex/chat
 *     npm run example -- llamaindex/chat "Who was Greta Holm?" "Where do the landscapes of Greta Holm hang?"
 */
import process from "node:process";
import { ContextChatEngine } from "@llamaindex/core/chat-engine";
import type { NodeWithScore } from "@llamaindex/core/schema";
import { TriGraphRetriever } from "@trigraph/llamaindex";
import { documents } from "./documents.js";
import { startModels } from "./models.js";
import { accuracy, sources } from "./report.js";

const DEFAULT = [
  { message: "Who is the mother of the director of The Silent Harbour?", answers: ["Greta Holm"] },
  { message: "And where do the landscapes of Greta Holm hang?", answers: ["town hall of Uppsala"] },
];

const given = process.argv.slice(2).filter((message) => message.trim() !== "");
const turns = given.length === 0 ? DEFAULT : given.map((message) => ({ message, answers: [] }));

const models = await startModels(process.env.OPENAI_API_KEY);
const { name, llm, embedModel } = models;
try {
  const retriever = await TriGraphRetriever.fromDocuments(documents, { embedModel, topK: 3 });
  const chatEngine = new ContextChatEngine({ retriever, chatModel: llm });
  console.log(`Answers by ${name}`);
  const judged: { answer: string; answers: readonly string[] }[] = [];
  for (const { message, answers } of turns) {
    console.log(`\n${message}`);
    let answer = "";
    let found: NodeWithScore[] | undefined;
    for await (const { delta, sourceNodes } of await chatEngine.chat({ message, stream: true })) {
      found ??= sourceNodes;
      answer += delta;
      process.stdout.write(delta);
    }
    console.log(`\n${sources(found)}`);
    judged.push({ answer, answers });
  }
  if (given.length === 0) console.log(`\n${accuracy(judged)}`);
} finally {
  await models.close();
}
