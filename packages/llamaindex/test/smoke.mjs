// The built package with whichever LlamaIndex it finds: run with the oldest and the newest. Prints one line of JSON.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ContextChatEngine } from "@llamaindex/core/chat-engine";
import { BaseEmbedding } from "@llamaindex/core/embeddings";
import { BaseLLM } from "@llamaindex/core/llms";
import { getResponseSynthesizer } from "@llamaindex/core/response-synthesizers";
import { Document } from "@llamaindex/core/schema";
import { VectorStoreQueryMode } from "@llamaindex/core/vector-store";
import { MemoryDirectory, TriGraph } from "@trigraph/core";
import {
  createTriGraphTool,
  nodesFromDocuments,
  TriGraphPostprocessor,
  TriGraphRetriever,
  TriGraphVectorStore,
} from "@trigraph/llamaindex";

const versionOf = (entry, depth) =>
  createRequire(fileURLToPath(import.meta.resolve(entry)))(`${depth}package.json`).version;

const QUESTION = "Who is the mother of the director of The Silent Harbour?";
const documents = [
  ["film", "The Silent Harbour", "The Silent Harbour is a drama film by the director Ada Lindqvist."],
  ["director", "Ada Lindqvist", "Ada Lindqvist was born to her mother, the painter Greta Holm."],
  ["mother", "Greta Holm", "Greta Holm was a painter."],
  ["decoy", "Mother of the Year", "The mother of the director of a film wins a prize."],
].map(([id_, title, text]) => new Document({ id_, text, metadata: { title } }));
const sources = (found) => found.map(({ node }) => node.sourceNode.nodeId).join(" ");

class Lengths extends BaseEmbedding {
  model = "lengths";
  async getTextEmbedding(text) {
    return [text.length, 1];
  }
}
const embedModel = new Lengths();

class Told extends BaseLLM {
  metadata = { model: "told", temperature: 0, topP: 1, contextWindow: 4096, tokenizer: undefined };
  async chat() {
    return { raw: null, message: { role: "assistant", content: "Greta Holm" } };
  }
}
const llm = new Told();

const retriever = await TriGraphRetriever.fromDocuments(documents, { topK: 3, embedModel });
const report = { core: versionOf("@llamaindex/core/schema", "../../"), env: versionOf("@llamaindex/env", "../") };
report.retrieved = sources(await retriever.retrieve(QUESTION));
const filters = { filters: [{ key: "title", operator: "==", value: "Greta Holm" }] };
report.filtered = sources(await retriever.asRetriever({ filters }).retrieve(QUESTION));

const responseSynthesizer = getResponseSynthesizer("compact", { llm });
const answer = await retriever.asQueryEngine({ responseSynthesizer }).query({ query: QUESTION });
report.engine = `${answer.message.content}: ${sources(answer.sourceNodes)}`;
const chat = await new ContextChatEngine({ retriever, chatModel: llm }).chat({ message: QUESTION });
report.chat = `${chat.message.content}: ${sources(chat.sourceNodes)}`;
report.tool = (await createTriGraphTool({ retriever }).call({ query: QUESTION })).length;

const processor = new TriGraphPostprocessor({ index: retriever.index, mode: "rerank", topN: 1 });
const found = await retriever.retrieve(QUESTION);
report.reranked = sources(await processor.postprocessNodes(found.reverse(), QUESTION));

const store = new TriGraphVectorStore({ index: await TriGraph.create(), embedModel });
await store.add(await embedModel(await nodesFromDocuments(documents)));
const query = { queryStr: QUESTION, similarityTopK: 3, mode: VectorStoreQueryMode.SPARSE };
report.store = (await store.query(query)).nodes.map((node) => node.sourceNode.nodeId).join(" ");
await store.delete("mother");

const directory = new MemoryDirectory();
await retriever.persist(directory);
const again = await TriGraphRetriever.fromPersistDir(directory, { embedModel });
await again.deleteRefDoc("director");
report.left = `${again.index.size} ${store.client().size}`;

console.log(JSON.stringify(report));
