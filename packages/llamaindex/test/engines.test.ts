// The whole way through LlamaIndex, over HTTP: what the retriever found stands in the prompt that the model gets.
import { ContextChatEngine } from "@llamaindex/core/chat-engine";
import { Settings } from "@llamaindex/core/global";
import { RetrieverQueryEngine } from "@llamaindex/core/query-engine";
import { getResponseSynthesizer } from "@llamaindex/core/response-synthesizers";
import { type EngineResponse, NodeRelationship, TextNode } from "@llamaindex/core/schema";
import type { JSONValue } from "@llamaindex/core/global";
import { agent } from "@llamaindex/workflow";
import { EmbeddingError } from "@trigraph/core";
import { type Failure, type LocalOpenAi, startLocalOpenAi } from "@trigraph/local-openai";
import { QueryEngineTool, VectorStoreIndex } from "llamaindex";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTriGraphTool, TriGraphPostprocessor, TriGraphRetriever } from "../src/index.js";
import { CHAIN, chatModel, chats, embeddingModel, idsOf, nodes, QUESTION, textOf } from "./support/world.js";

let server: LocalOpenAi;
let retriever: TriGraphRetriever;
beforeAll(async () => {
  server = await startLocalOpenAi();
  retriever = await TriGraphRetriever.fromNodes(nodes(), { topK: 3 });
});
afterAll(() => server.close());

const compact = (options = {}) => getResponseSynthesizer("compact", { llm: chatModel(server, options) });

/** What the model was told since. */
const promptsSince = (before: number) =>
  chats(server)
    .slice(before)
    .map(({ text }) => text)
    .join("\n");

function expectChain(prompt: string): void {
  for (const id of CHAIN) expect(prompt).toContain(textOf(id));
  expect(prompt).not.toContain(textOf("other"));
  expect(prompt).toContain(QUESTION);
}

async function textOfStream(
  stream: AsyncIterable<EngineResponse>,
): Promise<{ text: string; chunks: EngineResponse[] }> {
  const chunks: EngineResponse[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { text: chunks.map(({ delta }) => delta).join(""), chunks };
}

describe("a query engine", () => {
  test("answers from the retrieved passages", async () => {
    const engine = new RetrieverQueryEngine(retriever, compact());
    const before = chats(server).length;
    const response = await engine.query({ query: QUESTION });
    expectChain(promptsSince(before));
    expect(response.message.content).toContain("local test server");
    expect(response.message.content).toContain("The Silent Harbour is a 1962 drama film");
    expect(idsOf(response.sourceNodes!)).toEqual(CHAIN);
  });

  test("knows nothing when nothing is retrieved", async () => {
    const engine = retriever.asQueryEngine({ minScore: 2, responseSynthesizer: compact() });
    const before = chats(server).length;
    const response = await engine.query({ query: QUESTION });
    for (const id of CHAIN) expect(promptsSince(before)).not.toContain(textOf(id));
    expect(response.sourceNodes).toEqual([]);
  });

  test("is made by the retriever, with options of its own and Settings' model", async () => {
    await Settings.withLLM(chatModel(server), async () => {
      const before = chats(server).length;
      await retriever.asQueryEngine({ topK: 1 }).query({ query: QUESTION });
      const prompt = promptsSince(before);
      expect(prompt).toContain(textOf("film"));
      expect(prompt).not.toContain(textOf("director"));
    });
  });

  test("takes a query bundle", async () => {
    const before = chats(server).length;
    await new RetrieverQueryEngine(retriever, compact()).query({
      query: { query: [{ type: "text", text: QUESTION }] },
    });
    expectChain(promptsSince(before));
  });

  test("streams", async () => {
    const before = chats(server).length;
    const engine = new RetrieverQueryEngine(retriever, compact());
    const { text, chunks } = await textOfStream(await engine.query({ query: QUESTION, stream: true }));
    expectChain(promptsSince(before));
    expect((chats(server).at(-1)!.body as { stream: boolean }).stream).toBe(true);
    expect(chunks.length).toBeGreaterThan(5);
    expect(text).toContain("The Silent Harbour is a 1962 drama film");
    expect(idsOf(chunks[0].sourceNodes!)).toEqual(CHAIN);
  });

  test("of a vector store index takes the retriever, or lets the graph extend its own", async () => {
    await Settings.withEmbedModel(embeddingModel(server), async () => {
      const index = await VectorStoreIndex.init({ nodes: nodes() });
      const before = chats(server).length;
      await index.asQueryEngine({ retriever, responseSynthesizer: compact() }).query({ query: QUESTION });
      expectChain(promptsSince(before));

      const ask = async (nodePostprocessors: TriGraphPostprocessor[]) => {
        const start = chats(server).length;
        const engine = index.asQueryEngine({ similarityTopK: 2, responseSynthesizer: compact(), nodePostprocessors });
        await engine.query({ query: QUESTION });
        return promptsSince(start);
      };
      expect(await ask([])).not.toContain(textOf("mother"));
      const extend = new TriGraphPostprocessor({ index: retriever.index, mode: "extend" });
      expect(await ask([extend])).toContain(textOf("mother"));
      const rerank = new TriGraphPostprocessor({ index: retriever.index, mode: "rerank", topN: 1 });
      expect(await ask([rerank])).not.toContain(textOf("decoy"));
    });
  });

  test("is a tool", async () => {
    const queryEngine = new RetrieverQueryEngine(retriever, compact());
    const before = chats(server).length;
    const tool = new QueryEngineTool({
      queryEngine,
      metadata: {
        name: "films",
        description: "Films.",
        parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      },
    });
    await tool.call({ query: QUESTION });
    expectChain(promptsSince(before));
  });
});

describe("a chat engine", () => {
  test("gets the passages for each message", async () => {
    const engine = new ContextChatEngine({ retriever, chatModel: chatModel(server) });
    const before = chats(server).length;
    const response = await engine.chat({ message: QUESTION });
    expectChain(promptsSince(before));
    expect(idsOf(response.sourceNodes!)).toEqual(CHAIN);

    await engine.chat({ message: "What are harbours?" });
    const second = chats(server).at(-1)!;
    expect(second.text).toContain(textOf("other"));
    expect(second.text).toContain(QUESTION);
  });

  test("streams, with what neighbours and filters leave", async () => {
    const filtered = retriever.asRetriever({
      filters: { filters: [{ key: "year", operator: "<", value: 2000 }] },
      topK: 5,
    });
    const engine = new ContextChatEngine({
      retriever: filtered,
      chatModel: chatModel(server),
      systemPrompt: "Be brief.",
    });
    const before = chats(server).length;
    const { text } = await textOfStream(await engine.chat({ message: QUESTION, stream: true }));
    expectChain(promptsSince(before));
    expect(promptsSince(before)).not.toContain(textOf("decoy"));
    expect(text).toContain("local test server");
  });

  test("sees nothing of a document that was deleted", async () => {
    const own = await TriGraphRetriever.fromNodes(nodes(), { topK: 5 });
    await own.deleteRefDoc("doc-mother");
    const before = chats(server).length;
    await new ContextChatEngine({ retriever: own, chatModel: chatModel(server) }).chat({ message: QUESTION });
    expect(promptsSince(before)).toContain(textOf("film"));
    expect(promptsSince(before)).not.toContain(textOf("mother"));
  });
});

describe("the tool", () => {
  test("lets an agent look passages up", async () => {
    const tool = createTriGraphTool({ retriever });
    const before = chats(server).length;
    const { data } = await agent({ llm: chatModel(server), tools: [tool], verbose: false }).run(QUESTION);
    const [first, second] = chats(server).slice(before);
    const { tools } = first.body as {
      tools: { function: { name: string; description: string; parameters: unknown } }[];
    };
    expect(tools[0].function).toMatchObject({
      name: "search_passages",
      description: expect.stringMatching(/^Finds the passages/) as string,
      parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    });
    for (const id of CHAIN) {
      expect(first.text).not.toContain(textOf(id));
      expect(second.text).toContain(textOf(id));
    }
    expect(data.result).toContain("local test server");
  });

  test("gives what LlamaIndex shows a model of each node", async () => {
    const [node] = nodes();
    node.excludedLlmMetadataKeys = ["year"];
    const own = await TriGraphRetriever.fromNodes([node]);
    const tool = createTriGraphTool({ retriever: own, name: "films", description: "Films." });
    expect(tool.metadata).toMatchObject({ name: "films", description: "Films." });
    expect(await tool.call({ query: QUESTION })).toEqual([
      { id: "film", text: `title: The Silent Harbour\n\n${textOf("film")}` },
    ]);
  });

  test.each([{}, { query: 3 }, { query: " " }])("refuses what is no question: %j", async (input) => {
    const tool = createTriGraphTool({ retriever });
    await expect(tool.call(input as { query: string })).rejects.toThrow(/^search_passages: expected \{ query \}/);
  });

  test("refuses options that it does not know", () => {
    expect(() => createTriGraphTool({ retriever, topK: 3 } as never)).toThrow(/^createTriGraphTool: .* got "topK"/);
  });
});

describe("a service that fails", () => {
  const FAILURES: [string, Failure, number][] = [
    ["too many requests", { status: 429 }, 429],
    ["a server error", { status: 500 }, 500],
  ];

  test.each(FAILURES)(
    "%s of the language model is its caller's, and the next question is answered",
    async (_, failure, status) => {
      const engine = new RetrieverQueryEngine(retriever, compact());
      server.failNext(failure);
      await expect(engine.query({ query: QUESTION })).rejects.toMatchObject({ status });
      const response = await engine.query({ query: QUESTION });
      expect(idsOf(response.sourceNodes!)).toEqual(CHAIN);
    },
  );

  test("a language model that never answers, or breaks off", async () => {
    server.failNext({ timeout: true });
    const impatient = new RetrieverQueryEngine(retriever, compact({ timeout: 200 }));
    await expect(impatient.query({ query: QUESTION })).rejects.toThrow(/timed out/i);
    server.failNext({ cut: true });
    await expect(new RetrieverQueryEngine(retriever, compact()).query({ query: QUESTION })).rejects.toThrow();
    server.failNext({ cut: true });
    const stream = await new RetrieverQueryEngine(retriever, compact()).query({ query: QUESTION, stream: true });
    await expect(textOfStream(stream)).rejects.toThrow();
  });

  const embedding = (options = {}) => embeddingModel(server, { timeout: 200, ...options });
  const added = () =>
    new TextNode({
      id_: "new",
      text: "Elva Marsh taught Greta Holm.",
      relationships: { [NodeRelationship.SOURCE]: { nodeId: "doc-new", metadata: {} } },
    });

  test.each<[string, Failure, object]>([
    ["too many requests", { status: 429 }, { status: 429 }],
    ["a server error", { status: 500 }, { status: 500 }],
    ["no answer", { timeout: true }, {}],
    ["a cut connection", { cut: true }, {}],
  ])("%s of the embedding model leaves the index as it was", async (_, failure, cause) => {
    const own = await TriGraphRetriever.fromNodes(nodes(), { embedModel: embedding() });
    const { commits } = own.index;
    server.failNext(failure);
    const failed = await own.insertNodes([added()]).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(EmbeddingError);
    expect(failed).toMatchObject({
      code: "EMBEDDING",
      message: expect.stringMatching(/^insertNodes: the embedding model failed: /) as string,
      cause,
    });
    expect(own.index.commits).toBe(commits);
    server.failNext(failure);
    await expect(own.retrieve(QUESTION)).rejects.toThrow(/^retrieve: the embedding model failed: /);
    // And what failed works the next time.
    await own.insertNodes([added()]);
    expect(await own.retrieve(QUESTION)).toHaveLength(5);
    expect(own.index.size).toBe(6);
  });

  test("is asked again as often as the model is told to", async () => {
    const own = await TriGraphRetriever.fromNodes(nodes(), { embedModel: embedding({ maxRetries: 2 }), topK: 3 });
    server.failNext({ status: 429, retryAfter: 0 }, 2);
    expect(idsOf(await own.retrieve(QUESTION))).toEqual(CHAIN);
  });
});

test("the tool's answer is JSON", async () => {
  const answer: JSONValue = await createTriGraphTool({ retriever }).call({ query: QUESTION });
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
});
