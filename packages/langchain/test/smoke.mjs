// The built package with whichever LangChain it finds: run with the oldest and the newest. Prints one line of JSON.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createStuffDocumentsChain } from "@langchain/classic/chains/combine_documents";
import { createRetrievalChain } from "@langchain/classic/chains/retrieval";
import { EnsembleRetriever } from "@langchain/classic/retrievers/ensemble";
import { InMemoryRecordManager } from "@langchain/community/indexes/memory";
import { Document } from "@langchain/core/documents";
import { index } from "@langchain/core/indexing";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { FakeListChatModel, SyntheticEmbeddings } from "@langchain/core/utils/testing";
import { createTriGraphTool, TriGraphRetriever, TriGraphStore } from "@trigraph/langchain";

const coreFile = fileURLToPath(import.meta.resolve("@langchain/core/documents"));
const { version } = createRequire(coreFile)("../../package.json");

const QUESTION = "Who is the mother of the director of The Silent Harbour?";
const documents = [
  ["film", "The Silent Harbour", "The Silent Harbour is a drama film by the director Ada Lindqvist."],
  [
    "director",
    "Ada Lindqvist",
    "Ada Lindqvist was a Swedish director. Ada Lindqvist was born to her mother, the painter Greta Holm.",
  ],
  ["mother", "Greta Holm", "Greta Holm was a painter."],
  ["decoy", "Mother of the Year", "The mother of the director of a film wins a prize."],
].map(([id, title, pageContent]) => new Document({ id, pageContent, metadata: { title, source: id } }));
// Synthetic vectors say nothing, but they take part in the order.
const ids = (found) =>
  found
    .map(({ id }) => id)
    .sort()
    .join(" ");

const embeddings = new SyntheticEmbeddings({ vectorSize: 16 });
const retriever = await TriGraphRetriever.fromDocuments(documents, embeddings, { k: 3 });
const report = { version, retrieved: ids(await retriever.invoke(QUESTION)) };
report.ofTheCall = ids(await retriever.invoke(QUESTION, { k: 1 }));
report.configurable = ids(
  await retriever.withConfig({ configurable: { filter: { source: "mother" } } }).invoke(QUESTION),
);
report.aborted = await retriever
  .invoke(QUESTION, { signal: globalThis.AbortSignal.abort(new Error("stop")) })
  .catch((e) => e.message);

report.ofTheStore = await retriever.vectorStore
  .asRetriever(2)
  .invoke(QUESTION, { signal: globalThis.AbortSignal.abort(new Error("stop")) })
  .catch((e) => e.message);

const ensemble = new EnsembleRetriever({ retrievers: [retriever, retriever.vectorStore.asRetriever(2)] });
report.ensemble = ids(await ensemble.invoke(QUESTION));

const prompt = ChatPromptTemplate.fromTemplate("{context}\n\n{input}");
const llm = new FakeListChatModel({ responses: ["Greta Holm"] });
const chain = await createRetrievalChain({
  retriever,
  combineDocsChain: await createStuffDocumentsChain({ llm, prompt }),
});
const { answer, context } = await chain.invoke({ input: QUESTION });
report.chain = `${answer}: ${ids(context)}`;

const tool = createTriGraphTool(retriever);
const message = await tool.invoke({ type: "tool_call", id: "1", name: tool.name, args: { question: QUESTION } });
report.tool = ids(message.artifact);

const vectorStore = new TriGraphStore(embeddings);
const recordManager = new InMemoryRecordManager();
let time = 0;
recordManager.getTime = async () => ++time; // milliseconds are too long: see TickingRecordManager
const run = (docsSource) => index({ docsSource, recordManager, vectorStore, options: { cleanup: "full" } });
await run(documents);
const { numDeleted } = await run(documents.slice(2));
report.index = `${numDeleted} deleted, ${(await vectorStore.index()).size} left`;

console.log(JSON.stringify(report));
