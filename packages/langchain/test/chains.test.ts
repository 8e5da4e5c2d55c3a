// LangChain's own chains and retrievers around ours, with OpenAI's components over HTTP. What the retriever found must
// stand in the request that reached the model; with a retriever that finds nothing it does not.
import { createStuffDocumentsChain } from "@langchain/classic/chains/combine_documents";
import { createHistoryAwareRetriever } from "@langchain/classic/chains/history_aware_retriever";
import { createRetrievalChain } from "@langchain/classic/chains/retrieval";
import { ContextualCompressionRetriever } from "@langchain/classic/retrievers/contextual_compression";
import { EmbeddingsFilter } from "@langchain/classic/retrievers/document_compressors/embeddings_filter";
import { EnsembleRetriever } from "@langchain/classic/retrievers/ensemble";
import { MultiQueryRetriever } from "@langchain/classic/retrievers/multi_query";
import { ParentDocumentRetriever } from "@langchain/classic/retrievers/parent_document";
import { SelfQueryRetriever } from "@langchain/classic/retrievers/self_query";
import { FunctionalTranslator } from "@langchain/classic/retrievers/self_query/functional";
import { createRetrieverTool } from "@langchain/classic/tools/retriever";
import { InMemoryStore } from "@langchain/classic/storage/in_memory";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { type DocumentInterface, Document } from "@langchain/core/documents";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate, MessagesPlaceholder } from "@langchain/core/prompts";
import type { BaseRetrieverInterface } from "@langchain/core/retrievers";
import { RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";
import { FakeRetriever } from "@langchain/core/utils/testing";
import { RecursiveCharacterTextSplitter } from "@langchain/textsplitters";
import { createAgent } from "langchain";
import { startLocalOpenAi, type LocalOpenAi, type RecordedRequest } from "@trigraph/local-openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTriGraphTool, TriGraphRetriever, TriGraphStore } from "../src/index.js";
import { films, idsOf, PATH, QUESTION, textOf } from "./support/films.js";
import { openAi } from "./support/openai.js";
import { RunRecorder } from "./support/runs.js";

let server: LocalOpenAi;
let answers: (request: RecordedRequest) => string | undefined = () => undefined;

beforeEach(async () => {
  answers = () => undefined;
  server = await startLocalOpenAi({ answers: (request) => answers(request) });
});
afterEach(() => server.close());

const chats = () => server.requests.filter(({ path }) => path === "/v1/chat/completions");
const lastPrompt = () => chats().at(-1)!.text;

/** Which of the films' texts stand in a prompt. */
const filmsIn = (prompt: string) => idsOf(films().filter(({ pageContent }) => prompt.includes(pageContent)));

const nothing = () => new FakeRetriever({ output: [] });

const ANSWER_PROMPT = ChatPromptTemplate.fromMessages([
  ["system", "Answer from the passages.\n\n{context}"],
  ["human", "{input}"],
]);

const chainOver = async (retriever: BaseRetrieverInterface, options = {}) =>
  createRetrievalChain({
    retriever,
    combineDocsChain: await createStuffDocumentsChain({ llm: openAi(server, options).model, prompt: ANSWER_PROMPT }),
  });

/** What a chain over the retriever puts before the model: texts that it found, and of which films. */
async function promptOver(retriever: BaseRetrieverInterface, question = QUESTION) {
  const { context } = await (await chainOver(retriever)).invoke({ input: question });
  expect(context.length).toBeGreaterThan(0);
  for (const { pageContent } of context) expect(lastPrompt()).toContain(pageContent);
  return filmsIn(lastPrompt());
}

describe("createRetrievalChain", () => {
  test("puts the path's passages before the model, which answers from them", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), openAi(server).embeddings, { k: 3 });
    const { answer, context } = await (await chainOver(retriever)).invoke({ input: QUESTION });
    // The server's vectors say nothing, but they take part in the order.
    expect(idsOf(context).sort()).toEqual([...PATH].sort());
    expect(filmsIn(lastPrompt())).toEqual(idsOf(context));
    expect(answer).toContain("The Silent Harbour is a 1962 drama film by the director Ada Lindqvist.");
  });

  test("without retrieval there is nothing to answer from", async () => {
    const { answer } = await (await chainOver(nothing())).invoke({ input: QUESTION });
    expect(filmsIn(lastPrompt())).toEqual([]);
    expect(answer).not.toContain("Ada Lindqvist");
  });

  test("streams the documents, then the answer piece by piece", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
    const context: DocumentInterface[] = [];
    const pieces: string[] = [];
    for await (const chunk of await (await chainOver(retriever)).stream({ input: QUESTION })) {
      context.push(...(chunk.context ?? []));
      if (chunk.answer) pieces.push(chunk.answer);
    }
    expect(idsOf(context)).toEqual(PATH);
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join("")).toContain("Ada Lindqvist.");
    expect(filmsIn(lastPrompt())).toEqual(PATH);
  });

  test("its trace holds the retriever's run, with the options of the call", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films());
    const recorder = new RunRecorder();
    await (await chainOver(retriever)).invoke({ input: QUESTION }, { callbacks: [recorder], configurable: { k: 2 } });
    expect(recorder.list).toMatchObject([{ name: "TriGraphRetriever", documents: 2 }]);
    expect(recorder.list[0].parent).toBeDefined();
    expect(filmsIn(lastPrompt())).toEqual(["film", "director"]);
  });
});

describe("LCEL", () => {
  const joined = (documents: DocumentInterface[]) => documents.map(({ pageContent }) => pageContent).join("\n\n");
  const chainOver = (retriever: BaseRetrieverInterface) =>
    RunnableSequence.from([
      { context: RunnableSequence.from([retriever, joined]), input: new RunnablePassthrough() },
      ANSWER_PROMPT,
      openAi(server).model,
      new StringOutputParser(),
    ]);

  test("the retriever is a step of a chain", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
    expect(await chainOver(retriever).invoke(QUESTION)).toContain("Ada Lindqvist");
    expect(filmsIn(lastPrompt())).toEqual(PATH);
    expect(await chainOver(nothing()).invoke(QUESTION)).not.toContain("Ada Lindqvist");
    expect(filmsIn(lastPrompt())).toEqual([]);
  });

  test("a signal ends the chain while the question is embedded", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), openAi(server).embeddings);
    server.failNext({ timeout: true });
    const controller = new AbortController();
    const asked = chainOver(retriever).invoke(QUESTION, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await expect(asked).rejects.toThrow("enough");
    expect(chats()).toEqual([]);
  });
});

test("createHistoryAwareRetriever asks with the question that the model rephrased", async () => {
  answers = ({ text }) => (text.includes("Rephrase") ? QUESTION : undefined);
  const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
  const aware = await createHistoryAwareRetriever({
    llm: openAi(server).model,
    retriever,
    rephrasePrompt: ChatPromptTemplate.fromMessages([
      new MessagesPlaceholder("chat_history"),
      ["human", "Rephrase as a question of its own: {input}"],
    ]),
  });
  // createRetrievalChain takes whatever has `invoke` for a plain retriever, and would hand it the input alone.
  const chain = RunnablePassthrough.assign({ context: aware }).assign({
    answer: await createStuffDocumentsChain({ llm: openAi(server).model, prompt: ANSWER_PROMPT }),
  });
  const chat_history = [new HumanMessage("Do you know The Silent Harbour?"), new AIMessage("Yes, a film.")];
  const result = (await chain.invoke({ input: "And the mother of its director?", chat_history })) as {
    context: Document[];
  };
  expect(idsOf(result.context)).toEqual(PATH);
  expect(chats()[0].text).toContain("Yes, a film.");
  expect(filmsIn(lastPrompt())).toEqual(PATH);
});

test("MultiQueryRetriever merges the results of several questions, each document once", async () => {
  answers = () => `<questions>\n${QUESTION}\nWho painted landscapes?\nWhat is rye bread made of?\n</questions>`;
  const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 2 });
  const multi = MultiQueryRetriever.fromLLM({ llm: openAi(server).model, retriever });
  const found = idsOf(await multi.invoke(QUESTION));
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(expect.arrayContaining(["film", "director", "mother", "bread"]));
  answers = ({ text }) => (text.includes("Answer from") ? undefined : `<questions>\n${QUESTION}\n</questions>`);
  expect(await promptOver(multi)).toEqual(["film", "director"]);
});

test("EnsembleRetriever fuses it with a vector store, in one order each time", async () => {
  const { embeddings } = openAi(server);
  const vectors = await MemoryVectorStore.fromDocuments(films(), embeddings);
  const ensemble = new EnsembleRetriever({
    retrievers: [await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 }), vectors.asRetriever(3)],
    weights: [0.7, 0.3],
  });
  const found = idsOf(await ensemble.invoke(QUESTION));
  expect(found).toEqual(expect.arrayContaining(PATH));
  expect(found[0]).toBe("film");
  expect(idsOf(await ensemble.invoke(QUESTION))).toEqual(found);
  expect((await promptOver(ensemble)).sort()).toEqual([...found].sort());
});

test("ContextualCompressionRetriever filters what it found", async () => {
  const { embeddings } = openAi(server);
  const compression = new ContextualCompressionRetriever({
    baseRetriever: await TriGraphRetriever.fromDocuments(films()),
    baseCompressor: new EmbeddingsFilter({ embeddings, k: 2 }),
  });
  const question = "Rye bread is baked of rye flour";
  const found = await compression.invoke(question);
  expect(found).toHaveLength(2);
  expect(found[0].pageContent).toBe(textOf("bread"));
  expect(await promptOver(compression, question)).toContain("bread");
  expect(filmsIn(lastPrompt())).toHaveLength(2);
});

describe("ParentDocumentRetriever", () => {
  const splitter = () => new RecursiveCharacterTextSplitter({ chunkSize: 60, chunkOverlap: 0 });
  const parents = () => films().map(({ pageContent, metadata }) => new Document({ pageContent, metadata }));

  test("takes it as the retriever of chunks", async () => {
    const retriever = new TriGraphRetriever({ vectorStore: new TriGraphStore(), k: 4 });
    const parent = new ParentDocumentRetriever({
      vectorstore: retriever.vectorStore,
      childDocumentRetriever: retriever,
      docstore: new InMemoryStore<Document>(),
      childSplitter: splitter(),
      parentK: 2,
    });
    await parent.addDocuments(parents());
    const found = await parent.invoke(QUESTION);
    expect(found).toHaveLength(2);
    expect(found[0].pageContent).toBe(textOf("film"));
    expect(await promptOver(parent)).toContain("film");
    expect((await retriever.vectorStore.index()).size).toBeGreaterThan(5);
  });

  test("takes it as the store of chunks; a thousand documents, one call each, stay small and quick", async () => {
    const vectorstore = new TriGraphStore();
    const docstore = new InMemoryStore<Document>();
    const parent = new ParentDocumentRetriever({ vectorstore, docstore, childSplitter: splitter(), childK: 3 });
    const many = Array.from(
      { length: 1000 },
      (_, i) => new Document({ pageContent: `Ship ${i} sailed from Lisbon. It carried salt and wine of lot ${i}.` }),
    );
    await parent.addDocuments([...parents(), ...many]);
    expect((await parent.invoke("Which bread is baked of rye?"))[0].pageContent).toBe(textOf("bread"));
    const { passages, bytes, segments } = (await vectorstore.index()).stats();
    expect(passages).toBeGreaterThan(1000);
    expect(bytes / passages).toBeLessThan(4000);
    expect(segments).toBeLessThan(20);
  });
});

test("SelfQueryRetriever filters by what the model reads out of the question", async () => {
  const vectorStore = await TriGraphStore.fromDocuments(films());
  const selfQuery = (filter: string) => {
    const structured = `\`\`\`json\n${JSON.stringify({ query: "director", filter })}\n\`\`\``;
    answers = ({ text }) => (text.includes("Answer from") ? undefined : structured);
    const retriever = SelfQueryRetriever.fromLLM({
      llm: openAi(server).model,
      vectorStore,
      documentContents: "Films and people",
      attributeInfo: [{ name: "year", type: "number", description: "Year of the film, or of birth" }],
      structuredQueryTranslator: new FunctionalTranslator(),
    });
    return retriever;
  };
  const question = "Directors born before 1950";
  const ask = async (filter: string) => idsOf(await selfQuery(filter).invoke(question)).sort();
  expect(await ask('lt("year", 1950)')).toEqual(["director", "mother"]);
  expect(await ask('and(gt("year", 1930), lt("year", 1970))')).toEqual(["director", "film"]);
  expect(await ask("NO_FILTER")).toHaveLength(4);
  expect((await promptOver(selfQuery('lt("year", 1950)'), question)).sort()).toEqual(["director", "mother"]);
});

describe("a tool for agents", () => {
  test("the model calls it, reads the passages, and the documents are kept as the artifact", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
    const tool = createTriGraphTool(retriever, { description: "Films and who made them." });
    const model = openAi(server).model.bindTools([tool]);
    const recorder = new RunRecorder();

    const call = await model.invoke([new HumanMessage(QUESTION)]);
    expect(call.tool_calls).toMatchObject([{ name: "search_passages", args: { question: QUESTION } }]);
    expect(server.requests[0].body).toMatchObject({
      tools: [{ function: { description: "Films and who made them." } }],
    });

    const result = (await tool.invoke(call.tool_calls![0], { callbacks: [recorder] })) as ToolMessage;
    expect(idsOf(result.artifact as Document[])).toEqual(PATH);
    expect((result.artifact as Document[])[0]).toEqual(films()[0]);
    expect(result.content).toContain(`[2] Ada Lindqvist\n${textOf("director")}`);
    expect(recorder.list).toMatchObject([{ name: "TriGraphRetriever", query: QUESTION }]);
    expect(recorder.list[0].parent).toBeDefined();

    const answer = await model.invoke([new HumanMessage(QUESTION), call, result]);
    expect(filmsIn(lastPrompt())).toEqual(PATH);
    expect(answer.content).toContain("Ada Lindqvist");
  });

  test("an agent of LangChain's looks passages up, and its state keeps the documents", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
    const tools = [createTriGraphTool(retriever)];
    const agent = createAgent({ model: openAi(server).model, tools });
    const { messages } = await agent.invoke({ messages: [new HumanMessage(QUESTION)] });
    const [asked, answered] = chats();
    expect(filmsIn(asked.text)).toEqual([]);
    expect(filmsIn(answered.text)).toEqual(PATH);
    const result = messages.find((message) => ToolMessage.isInstance(message))!;
    expect(idsOf(result.artifact as Document[])).toEqual(PATH);
    expect(messages.at(-1)!.content).toContain("Ada Lindqvist");

    const empty = createTriGraphTool(new TriGraphRetriever({ vectorStore: new TriGraphStore() }));
    const knowing = createAgent({ model: openAi(server).model, tools: [empty] });
    await knowing.invoke({ messages: [new HumanMessage(QUESTION)] });
    expect(lastPrompt()).toContain("No passage was found.");
    expect(filmsIn(lastPrompt())).toEqual([]);
  });

  test("LangChain's own createRetrieverTool takes the retriever, and traces it", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
    const tool = createRetrieverTool(retriever, { name: "films", description: "Films." });
    const recorder = new RunRecorder();
    const text: unknown = await tool.invoke({ query: QUESTION }, { callbacks: [recorder] });
    expect(filmsIn(String(text))).toEqual(PATH);
    expect(recorder.list).toMatchObject([{ name: "TriGraphRetriever", documents: 3 }]);
    expect(recorder.list[0].parent).toBeDefined();
  });

  test("its name and what the model reads can be set; nothing found is said", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 1 });
    const format = (documents: readonly Document[]) => documents.map(({ id }) => id).join();
    const tool = createTriGraphTool(retriever, { name: "films", format });
    expect(tool.name).toBe("films");
    expect(await tool.invoke({ question: "rye" })).toBe("bread");
    await expect(tool.invoke({ query: "rye" } as never)).rejects.toThrow();
    const empty = createTriGraphTool(new TriGraphRetriever({ vectorStore: new TriGraphStore() }));
    expect(await empty.invoke({ question: "rye" })).toBe("No passage was found.");
  });
});

describe("when OpenAI fails", () => {
  const retrieverWith = (options = {}) =>
    TriGraphRetriever.fromDocuments(films(), openAi(server, options).embeddings, { dimensions: 256 });

  test.each([
    ["429", { status: 429, retryAfter: 0 }, /429/],
    ["500", { status: 500 }, /500/],
    ["a cut connection", { cut: true }, /./],
    ["no answer in time", { timeout: true }, /time/i],
  ] as const)(
    "%s while embedding a question is an error of type EMBEDDING with its cause",
    async (_, failure, message) => {
      const retriever = await retrieverWith({ timeout: 300 });
      server.failNext(failure);
      const error: unknown = await retriever.invoke(QUESTION).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "EMBEDDING", message: expect.stringMatching(message) as string });
      expect((error as Error).cause).toBeInstanceOf(Error);
      expect(await retriever.invoke(QUESTION)).toHaveLength(5);
    },
  );

  test("documents that could not be embedded are not added, and can be added again", async () => {
    const retriever = await retrieverWith();
    server.failNext({ status: 500 });
    const more = [new Document({ id: "more", pageContent: "Bees make honey." })];
    await expect(retriever.addDocuments(more)).rejects.toMatchObject({ code: "EMBEDDING" });
    expect((await retriever.vectorStore.index()).size).toBe(5);
    await retriever.addDocuments(more);
    expect((await retriever.invoke("honey", { k: 1 }))[0].id).toBe("more");
  });

  test("LangChain's retries are its own: a 429 that passes is not noticed", async () => {
    const retriever = await retrieverWith({ maxRetries: 2 });
    server.failNext({ status: 429, retryAfter: 0 });
    expect(await retriever.invoke(QUESTION)).toHaveLength(5);
  });

  test("the model's failures are the chain's, also in the midst of a stream", async () => {
    const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
    const chain = await chainOver(retriever, { timeout: 300 });
    for (const [failure, message] of [
      [{ status: 429, retryAfter: 0 }, /429/],
      [{ status: 500 }, /500/],
      [{ timeout: true }, /time/i],
      [{ cut: true }, /./],
    ] as const) {
      server.failNext(failure);
      await expect(chain.invoke({ input: QUESTION })).rejects.toThrow(message);
    }
    // What failed works the next time.
    expect((await chain.invoke({ input: QUESTION })).answer).toContain("Ada Lindqvist");
    server.failNext({ cut: true });
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const { answer } of await chain.stream({ input: QUESTION })) if (answer) pieces.push(answer);
    })();
    await expect(reading).rejects.toThrow();
    expect(pieces).toEqual(["The "]);
  });
});
