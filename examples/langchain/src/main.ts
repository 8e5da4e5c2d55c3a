/**
 * Answers with citations: a chain of LangChain's expression language over the retriever, streamed.
 *
 *     npm run example -- langchain
 *     npm run example -- langchain "Who directed The Silent Harbour?"
 */
import process from "node:process";
import type { Document } from "@langchain/core/documents";
import { TriGraphRetriever } from "@trigraph/langchain";
import { type Answered, answerWithCitations } from "./chain.js";
import { documents } from "./documents.js";
import { connect } from "./openai.js";
import { readQuestion } from "./question.js";
import { reportOn } from "./report.js";

const asked = readQuestion(process.argv.slice(2));
const { question } = asked;
const { model, embeddings, close } = await connect(process.env.OPENAI_API_KEY);

try {
  const retriever = await TriGraphRetriever.fromDocuments(documents, embeddings, { k: 3, includeEvidence: true });
  process.stdout.write(`${question}\n\n`);
  let found: Document[] = [];
  let answer = "";
  for await (const chunk of await answerWithCitations(retriever, model).stream({ question })) {
    const { documents: retrieved = found, answer: piece = "" }: Partial<Answered> = chunk;
    found = retrieved;
    answer += piece;
    process.stdout.write(piece);
  }
  process.stdout.write(`\n\n${reportOn(answer, found, asked)}\n`);
} finally {
  await close();
}
