/**
 * LlamaIndex's query engine over the retriever: passages found by the graph, put together to an answer.
 *
 *     npm run example -- llamaindex
 *     npm run example -- llamaindex "Who directed The Silent Harbour?"
 */
import process from "node:process";
import { getResponseSynthesizer } from "@llamaindex/core/response-synthesizers";
import { TriGraphRetriever } from "@trigraph/llamaindex";
import { documents } from "./documents.js";
import { startModels } from "./models.js";
import { accuracy, sources } from "./report.js";

const DEFAULT = { question: "Who is the mother of the director of The Silent Harbour?", answers: ["Greta Holm"] };

const given = process.argv.slice(2).join(" ").trim();
const { question, answers } = given === "" ? DEFAULT : { question: given, answers: [] };

const models = await startModels(process.env.OPENAI_API_KEY);
const { name, llm, embedModel } = models;
try {
  const retriever = await TriGraphRetriever.fromDocuments(documents, { embedModel, topK: 3 });
  const queryEngine = retriever.asQueryEngine({ responseSynthesizer: getResponseSynthesizer("compact", { llm }) });
  const { message, sourceNodes } = await queryEngine.query({ query: question });
  const answer = message.content as string;
  console.log(`Answers by ${name}\n\n${question}\n${sources(sourceNodes)}\n${answer}`);
  if (answers.length > 0) console.log(`\n${accuracy([{ answer, answers }])}`);
} finally {
  await models.close();
}
