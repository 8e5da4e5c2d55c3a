/**
 * An agent that looks passages up by itself: LangChain's `createAgent` with the retriever as a tool. A model may search
 * several times; numbers of passages run on, so that a citation always means the same one.
 *
 *     npm run example -- langchain/agent
 *     npm run example -- langchain/agent "Who directed The Silent Harbour?"
 */
import process from "node:process";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { Document } from "@langchain/core/documents";
import { createTriGraphTool, TriGraphRetriever } from "@trigraph/langchain";
import { createAgent } from "langchain";
import { documents } from "./documents.js";
import { connect } from "./openai.js";
import { readQuestion } from "./question.js";
import { reportOn } from "./report.js";
import { Sources } from "./sources.js";

const PROMPT = `Search before you answer, again where one search is not enough. Rely on what was found alone, and cite it by
number, as in [1].`;

const asked = readQuestion(process.argv.slice(2));
const { model, embeddings, close } = await connect(process.env.OPENAI_API_KEY);

try {
  const retriever = await TriGraphRetriever.fromDocuments(documents, embeddings, { k: 3, includeEvidence: true });
  const sources = new Sources();
  const search = createTriGraphTool(retriever, { format: sources.show });
  const agent = createAgent({ model, tools: [search], systemPrompt: PROMPT });
  const { messages } = await agent.invoke({ messages: [new HumanMessage(asked.question)] });
  for (const message of messages) process.stdout.write(describe(message));
  process.stdout.write(`${reportOn(messages.at(-1)!.text, sources.documents, asked)}\n`);
} finally {
  await close();
}

/** A turn of the conversation as paragraphs. */
function describe(message: BaseMessage): string {
  if (ToolMessage.isInstance(message)) {
    const titles = (message.artifact as Document[]).map(({ metadata }) => metadata.title as string);
    return `  found: ${titles.join(", ")}\n\n`;
  }
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const searches = calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})\n`);
  return message.text === "" ? searches.join("") : `${message.text}\n\n${searches.join("")}`;
}
