// The retriever by itself: what it ranks, what it embeds, what it refuses.
import { Settings } from "@llamaindex/core/global";
import type { MessageContentDetail } from "@llamaindex/core/llms";
import { Document, TextNode } from "@llamaindex/core/schema";
import type { BaseSynthesizer } from "@llamaindex/core/response-synthesizers";
import type { BaseRetriever } from "@llamaindex/core/retriever";
import type { BaseVectorStore } from "@llamaindex/core/vector-store";
import {
  EmbeddingError,
  estimateTokens,
  InvalidArgumentError,
  MemoryDirectory,
  type Progress,
  TriGraph,
} from "@trigraph/core";
import { type LocalOpenAi, startLocalOpenAi } from "@trigraph/local-openai";
import { VectorStoreIndex } from "llamaindex";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { llamaIndexEmbedder, nodesFromDocuments, TriGraphRetriever } from "../src/index.js";
import { emptyLogger } from "@llamaindex/env";
import { LineParser } from "./support/line-parser.js";
import { NoEmbedding } from "./support/embeddings.js";
import { CHAIN, documents, embedded, embeddingModel, idsOf, nodes, QUESTION, textOf } from "./support/world.js";

let server: LocalOpenAi;
beforeAll(async () => {
  server = await startLocalOpenAi();
});
afterAll(() => server.close());

describe("without any model", () => {
  test("the answer is found where it shares no word with the question", async () => {
    const retriever = await TriGraphRetriever.fromNodes(nodes(), { topK: 3 });
    const found = await retriever.retrieve(QUESTION);
    expect(idsOf(found)).toEqual(CHAIN);
    const scores = found.map(({ score }) => score!);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));

    // Vectors find what is worded like the question.
    const dense = await Settings.withEmbedModel(embeddingModel(server), async () =>
      (await VectorStoreIndex.init({ nodes: nodes() })).asRetriever({ similarityTopK: 3 }),
    );
    expect(idsOf(await dense.retrieve(QUESTION))).not.toEqual(expect.arrayContaining(CHAIN));
  });

  test("a question may be a message of several parts", async () => {
    const retriever = await TriGraphRetriever.fromNodes(nodes(), { topK: 3 });
    const query: MessageContentDetail[] = [
      { type: "text", text: QUESTION },
      { type: "image_url", image_url: { url: "https://example.org/a.png" } },
    ];
    expect(idsOf(await retriever.retrieve({ query }))).toEqual(CHAIN);
  });

  test("LlamaIndex's events tell of it", async () => {
    const retriever = await TriGraphRetriever.fromNodes(nodes(), { topK: 1 });
    const events: [string, unknown][] = [];
    const note = (event: CustomEvent) => events.push([event.type, event.detail]);
    Settings.callbackManager.on("retrieve-start", note);
    Settings.callbackManager.on("retrieve-end", note);
    const found = await retriever.retrieve(QUESTION);
    Settings.callbackManager.off("retrieve-start", note);
    Settings.callbackManager.off("retrieve-end", note);
    await vi.waitFor(() => expect(events).toHaveLength(2));
    const id = expect.any(String) as string;
    expect(events).toEqual([
      ["retrieve-start", { id, query: { query: QUESTION } }],
      ["retrieve-end", { id, query: { query: QUESTION }, nodes: found }],
    ]);
  });

  test("topK, minScore and maxTokens limit it", async () => {
    const retriever = await TriGraphRetriever.fromNodes(nodes());
    const all = await retriever.retrieve(QUESTION);
    expect(all).toHaveLength(5);
    const limited = async (options: Parameters<typeof retriever.asRetriever>[0]) =>
      idsOf(await retriever.asRetriever(options).retrieve(QUESTION));
    expect(await limited({ topK: 2 })).toEqual(CHAIN.slice(0, 2));
    expect(await limited({ minScore: all[1].score })).toEqual(CHAIN.slice(0, 2));
    expect(await limited({ maxTokens: estimateTokens(textOf("film")) })).toEqual(["film"]);
    expect(await limited({ maxTokens: 3, countTokens: () => 1 })).toEqual(CHAIN);
  });
});

describe("with neighbours", () => {
  const sentences = ["One met two.", "Two met three.", "Ada Lindqvist met four.", "Four met five.", "Five met six."];
  const options = { nodeParser: new LineParser(), topK: 1 };
  const document = new Document({ id_: "d", text: sentences.join("\n"), metadata: {} });
  const textsOf = async (retriever: TriGraphRetriever, question = "Whom did Ada Lindqvist meet?") =>
    (await retriever.retrieve(question)).map(({ node }) => (node as TextNode).text);

  test("hits bring those before and after them, in reading order, with the hit's score", async () => {
    const retriever = await TriGraphRetriever.fromDocuments([document], options);
    expect(await textsOf(retriever)).toEqual([sentences[2]]);
    expect(await textsOf(retriever.asRetriever({ withNeighbours: 1 }))).toEqual(sentences.slice(1, 4));
    const wide = retriever.asRetriever({ withNeighbours: 9 });
    expect(await textsOf(wide)).toEqual(sentences);
    expect(new Set((await wide.retrieve("Ada Lindqvist")).map(({ score }) => score)).size).toBe(1);
  });

  test("each node comes once", async () => {
    const retriever = await TriGraphRetriever.fromDocuments([document], { ...options, topK: 3, withNeighbours: 2 });
    const texts = await textsOf(retriever);
    expect([...texts].sort()).toEqual([...sentences].sort());
  });

  test("they are filtered and counted as hits are", async () => {
    const cut = await nodesFromDocuments([document], options);
    cut[1].metadata = { secret: 1 };
    const retriever = await TriGraphRetriever.fromNodes(cut, {
      topK: 1,
      withNeighbours: 2,
      filters: { filters: [{ key: "secret", operator: "is_empty" }] },
    });
    expect(await textsOf(retriever)).toEqual(sentences.slice(2));
    const counted = (maxTokens: number) => textsOf(retriever.asRetriever({ maxTokens, countTokens: () => 1 }));
    expect(await counted(2)).toEqual(sentences.slice(2, 4));
    expect(await counted(1)).toEqual(sentences.slice(2, 3));
    expect(await counted(0)).toEqual([]);
    await expect(counted(-1)).rejects.toThrow(InvalidArgumentError);
  });
});

describe("with an embedding model", () => {
  test("nodes are embedded as title and text, as the core does, and only once", async () => {
    const embedModel = embeddingModel(server);
    const before = embedded(server).length;
    const retriever = await TriGraphRetriever.fromNodes(nodes(), { embedModel });
    const [request, ...more] = embedded(server).slice(before);
    expect(more).toEqual([]);
    expect((request.body as { input: string[] }).input[0]).toBe(`The Silent Harbour\n${textOf("film")}`);
    const changed = nodes()[0];
    changed.metadata = { ...changed.metadata, year: 1963 };
    expect(await retriever.insertNodes([changed])).toMatchObject({ replaced: 1 });
    expect(embedded(server)).toHaveLength(before + 1);

    const index = await TriGraph.create({ embedder: await llamaIndexEmbedder(embedModel) });
    await index.upsert([{ id: "film", title: "The Silent Harbour", text: textOf("film") }]);
    expect(retriever.index.vectorOf("film")).toEqual(index.vectorOf("film"));
  });

  test("or with all metadata that they do not exclude, as LlamaIndex does", async () => {
    const embedModel = embeddingModel(server);
    const [node] = nodes();
    node.excludedEmbedMetadataKeys = ["year"];
    const before = embedded(server).length;
    const retriever = await TriGraphRetriever.fromNodes([node, ...nodes().slice(1)], { embedModel, embedText: "node" });
    const [request, ...more] = embedded(server).slice(before);
    expect(more).toEqual([]);
    expect((request.body as { input: string[] }).input[0]).toBe(`title: The Silent Harbour\n\n${textOf("film")}`);
    expect((request.body as { model: string }).model).toBe("text-embedding-3-small");
    expect(retriever.index.stats().dimensions).toBe(256);

    await retriever.insertNodes([node, ...nodes().slice(1)]);
    expect(embedded(server)).toHaveLength(before + 1);
    // A change that the model does not see leaves the vector; one that it sees does not.
    node.metadata = { ...node.metadata, year: 1963 };
    expect(await retriever.insertNodes([node])).toMatchObject({ replaced: 1 });
    expect(embedded(server)).toHaveLength(before + 1);
    const vector = retriever.index.vectorOf("film");
    node.text = "The Silent Harbour was shot in Norwick.";
    await retriever.insertNodes([node]);
    expect(
      embedded(server)
        .slice(before + 1)
        .map(({ text }) => text),
    ).toEqual([`title: The Silent Harbour\n\n${node.text}`]);
    expect(retriever.index.vectorOf("film")).not.toEqual(vector);
  });

  test("questions are embedded, unless they bring a vector or other texts", async () => {
    const embedModel = embeddingModel(server);
    const retriever = await TriGraphRetriever.fromNodes(nodes(), {
      embedModel,
      preset: "default",
      ranking: { similarity: "dense", seeds: "none" },
      topK: 1,
    });
    const asked = async (bundle: Parameters<typeof retriever.retrieve>[0]) => {
      const before = embedded(server).length;
      const found = idsOf(await retriever.retrieve(bundle));
      return {
        found,
        texts: embedded(server)
          .slice(before)
          .map(({ text }) => text),
      };
    };
    expect(await asked(textOf("other"))).toEqual({ found: ["other"], texts: [textOf("other")] });
    const embeddings = await embedModel.getTextEmbedding(textOf("mother"));
    expect(await asked({ query: textOf("other"), embeddings })).toEqual({ found: ["mother"], texts: [] });
    const custom = [textOf("director"), "Swedish director"];
    expect(await asked({ query: textOf("other"), customEmbeddings: custom })).toEqual({
      found: ["director"],
      texts: custom,
    });
    expect(await asked({ query: textOf("other"), customEmbeddings: [] })).toMatchObject({ texts: [textOf("other")] });
  });

  test("custom texts need one, a vector needs vectors", async () => {
    const retriever = await TriGraphRetriever.fromNodes(nodes());
    await expect(retriever.retrieve({ query: "x", customEmbeddings: ["y"] })).rejects.toThrow(
      /an embedModel for the query's/,
    );
    await expect(retriever.retrieve({ query: "x", embeddings: [1] })).rejects.toThrow(/expected no vector/);
  });

  test("nodes that bring an embedding keep it, and it is not the index's to change", async () => {
    const embedding = [3, 4];
    const node = new TextNode({ id_: "n", text: "x", embedding });
    const retriever = await TriGraphRetriever.fromNodes([node], {
      embedModel: new NoEmbedding(),
      embedModelId: "none",
      embedDimensions: 2,
    });
    expect(embedding).toEqual([3, 4]);
    embedding.fill(0);
    expect([...retriever.index.vectorOf("n")!].map((x) => x.toFixed(1))).toEqual(["0.6", "0.8"]);
    expect(idsOf(await retriever.retrieve({ query: "x", embeddings: [1, 1] }))).toEqual(["n"]);
    expect(await retriever.insertNodes([new TextNode({ id_: "n", text: "x", embedding: [4, 3] })])).toMatchObject({
      replaced: 1,
    });
  });

  test("an index is opened with the model and the length it was made with", async () => {
    const directory = new MemoryDirectory();
    const retriever = await TriGraphRetriever.fromNodes(nodes(), { embedModel: embeddingModel(server) });
    await retriever.persist(directory);
    const open = async (options: Parameters<typeof TriGraphRetriever.fromPersistDir>[1]) => {
      const opened = await TriGraphRetriever.fromPersistDir(directory, options);
      await opened.close();
    };
    await open({ embedModel: embeddingModel(server) });
    await expect(open({ embedModel: embeddingModel(server, { dimensions: 128 }) })).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
    });
    await expect(
      open({ embedModel: embeddingModel(server, { model: "text-embedding-3-large" }) }),
    ).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
    });
  });

  test("Settings are asked only when wanted, and an unset model is named", async () => {
    await TriGraphRetriever.fromNodes(nodes());
    await expect(TriGraphRetriever.fromNodes(nodes(), { embedModel: "settings" })).rejects.toThrow(
      /^fromNodes: embedModel "settings": expected Settings.embedModel to be set/,
    );
    await Settings.withEmbedModel(embeddingModel(server), async () => {
      const retriever = await TriGraphRetriever.fromNodes(nodes(), { embedModel: "settings" });
      expect(retriever.index.stats().dimensions).toBe(256);
    });
  });

  test("an existing index answers through the model that it is given", async () => {
    const embedModel = embeddingModel(server);
    const index = await TriGraph.create();
    const retriever = await TriGraphRetriever.fromExistingIndex(index, { embedModel, topK: 3 });
    await retriever.insertNodes(nodes());
    expect(index.stats().dimensions).toBe(256);
    const before = embedded(server).length;
    expect(idsOf(await retriever.retrieve(QUESTION))).toEqual(CHAIN);
    expect(
      embedded(server)
        .slice(before)
        .map(({ text }) => text),
    ).toEqual([QUESTION]);
  });
});

describe("llamaIndexEmbedder", () => {
  test("takes name and length from the model, or from a first vector", async () => {
    const before = embedded(server).length;
    expect(await llamaIndexEmbedder(embeddingModel(server))).toMatchObject({
      id: "text-embedding-3-small",
      dimensions: 256,
    });
    const plain = embeddingModel(server, { model: "text-embedding-3-large", dimensions: undefined });
    expect(await llamaIndexEmbedder(plain)).toMatchObject({ dimensions: 3072 });
    expect(await llamaIndexEmbedder(plain, { id: "mine", dimensions: 7 })).toMatchObject({ id: "mine", dimensions: 7 });
    expect(embedded(server)).toHaveLength(before);
    const unknown = embeddingModel(server, { model: "unheard-of", dimensions: undefined });
    expect(await llamaIndexEmbedder(unknown)).toMatchObject({ id: "unheard-of", dimensions: 256 });
    expect(embedded(server)).toHaveLength(before + 1);
  });

  test("is the core's embedder", async () => {
    const embedder = await llamaIndexEmbedder(embeddingModel(server));
    const index = await TriGraph.create({ embedder });
    await index.upsert(CHAIN.map((id) => ({ id, text: textOf(id) })));
    const [hit] = await index.nearest(await embedder.embedQuery(textOf("mother")), { k: 1 });
    expect(hit).toMatchObject({ passage: { id: "mother" }, score: expect.closeTo(1, 5) as number });
  });

  test("refuses a model without a name", async () => {
    await expect(llamaIndexEmbedder(new NoEmbedding())).rejects.toThrow(/^llamaIndexEmbedder: expected an id/);
    await expect(TriGraphRetriever.fromNodes([], { embedModelId: "x" })).rejects.toThrow(/expected an embedModel for/);
  });

  test("says what failed", async () => {
    const failed = llamaIndexEmbedder(new NoEmbedding(), { id: "none" });
    await expect(failed).rejects.toThrow(EmbeddingError);
    await expect(failed).rejects.toThrow(/^llamaIndexEmbedder: the embedding model failed: nothing should be embedded/);
  });
});

describe("with a dense source", () => {
  const dense = async () => {
    const embedModel = embeddingModel(server);
    return Settings.withEmbedModel(embedModel, () => VectorStoreIndex.init({ nodes: nodes() }));
  };
  /** Names no entity: words alone find nothing, vectors find the harbour. */
  const question = "ships sheltered from the sea";

  test("a retriever's hits lead on, and nothing is embedded or stored twice", async () => {
    const index = await dense();
    const retriever = await TriGraphRetriever.fromNodes(nodes(), {
      denseRetriever: index.asRetriever({ similarityTopK: 1 }),
      topK: 1,
    });
    expect(retriever.index.stats().dimensions).toBe(0);
    const before = embedded(server).length;
    expect(idsOf(await retriever.retrieve(question))).toEqual(["other"]);
    expect(
      embedded(server)
        .slice(before)
        .map(({ text }) => text),
    ).toEqual([question]);
  });

  test("a vector store's hits do, filtered as the graph is", async () => {
    const index = await dense();
    const store = index.vectorStores.TEXT!;
    const asked = vi.spyOn(store, "query");
    const filters = { filters: [{ key: "year", operator: "<" as const, value: 2000 }] };
    const embeddings = await embeddingModel(server).getTextEmbedding(textOf("mother"));
    const retriever = await TriGraphRetriever.fromNodes(nodes(), {
      denseRetriever: store,
      denseTopK: 2,
      filters,
      topK: 5,
    });
    const plain = await TriGraphRetriever.fromNodes(nodes(), { filters, topK: 5 });
    const scoreOfMother = async (from: TriGraphRetriever) =>
      (await from.retrieve({ query: QUESTION, ...(from === retriever && { embeddings }) })).find(
        ({ node }) => node.id_ === "mother",
      )!.score!;
    expect(await scoreOfMother(retriever)).toBeGreaterThan(await scoreOfMother(plain));
    expect(asked.mock.calls[0][0]).toMatchObject({
      similarityTopK: 2,
      filters,
      queryEmbedding: embeddings,
      queryStr: QUESTION,
    });
    const before = embedded(server).length;
    expect(idsOf(await retriever.retrieve(QUESTION))).toEqual(expect.arrayContaining(CHAIN));
    expect(
      embedded(server)
        .slice(before)
        .map(({ text }) => text),
    ).toEqual([QUESTION]);
  });

  test("what the filters hide takes no place of what they let through", async () => {
    const index = await dense();
    const filters = { filters: [{ key: "year", operator: "<" as const, value: 2000 }] };
    /** Every node that passes but one is out of reach of the single hit, unless the source filters as well. */
    const found = async (denseRetriever: BaseRetriever | BaseVectorStore, ask = question) => {
      const retriever = await TriGraphRetriever.fromNodes(nodes(), { denseRetriever, denseTopK: 1, filters, topK: 4 });
      return (await retriever.retrieve(ask)).map(({ node, score }) => [node.id_, score]);
    };
    const unaided = (await (await TriGraphRetriever.fromNodes(nodes(), { filters, topK: 4 })).retrieve(question)).map(
      ({ node, score }) => [node.id_, score],
    );
    // "other", the nearest of all, is hidden.
    expect(await found(index.asRetriever({ similarityTopK: 1 }))).toEqual(unaided);
    const filtered = await found(index.vectorStores.TEXT!);
    expect(filtered).not.toEqual(unaided);
    expect(filtered).toEqual(await found(index.asRetriever({ similarityTopK: 1, filters })));
    expect(filtered.map(([id]) => id).sort()).toEqual([...CHAIN].sort());
  });

  test("of other nodes is told of, once", async () => {
    const warn = vi.fn();
    const logger = { ...emptyLogger, warn };
    const index = await dense();
    const others = await TriGraphRetriever.fromDocuments(documents(), { denseRetriever: index.asRetriever(), logger });
    expect(await others.retrieve(QUESTION)).toHaveLength(5);
    await others.retrieve(QUESTION);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^retrieve: the denseRetriever brought 2 nodes and/)]]);
  });

  test("takes the place of a model", async () => {
    const index = await dense();
    const both = TriGraphRetriever.fromNodes(nodes(), {
      embedModel: embeddingModel(server),
      denseRetriever: index.asRetriever(),
    });
    await expect(both).rejects.toThrow(/^fromNodes: expected an embedModel or a denseRetriever, got both/);
  });
});

describe("cancellation and progress", () => {
  /** A model that never answers. */
  class SilentEmbedding extends NoEmbedding {
    override getTextEmbedding(): Promise<number[]> {
      return new Promise(() => {});
    }
  }
  const silent = { embedModel: new SilentEmbedding(), embedModelId: "silent", embedDimensions: 2 };

  test("adding tells how far it is", async () => {
    const phases: string[] = [];
    const onProgress = ({ phase, done, total }: Progress) => phases.push(`${phase} ${done}/${total}`);
    const many = Array.from({ length: 70 }, (_, i) => new TextNode({ id_: `n${i}`, text: `Text number ${i}.` }));
    await TriGraphRetriever.fromNodes(many, { embedModel: embeddingModel(server) }, { onProgress });
    // How often it tells of the analysis depends on the time that takes.
    expect(phases.slice(0, 2)).toEqual(["embed 64/70", "embed 70/70"]);
    expect(phases.at(-1)).toBe("analyze 70/70");
  });

  test("a signal ends it while the model is waited for, and whatever waits behind it", async () => {
    const retriever = await TriGraphRetriever.fromNodes([], silent);
    const [first, second] = [new AbortController(), new AbortController()];
    const adding = retriever.insertNodes(nodes(), { signal: first.signal });
    const waiting = retriever.insertDocuments(documents(), { signal: second.signal });
    second.abort(new Error("not waiting"));
    await expect(waiting).rejects.toThrow("not waiting");
    first.abort(new Error("enough"));
    await expect(adding).rejects.toThrow("enough");
    expect(retriever.index.size).toBe(0);
    const ready = new TextNode({ id_: "n", text: "x", embedding: [1, 0] });
    expect(await retriever.insertNodes([ready])).toMatchObject({ added: 1 });

    const aborted = { signal: AbortSignal.abort(new Error("no")) };
    await expect(retriever.deleteRefDoc("n", aborted)).rejects.toThrow("no");
    await expect(retriever.persist(new MemoryDirectory(), aborted)).rejects.toThrow("no");
    await expect(TriGraphRetriever.fromDocuments(documents(), {}, aborted)).rejects.toThrow("no");
    expect(retriever.index.size).toBe(1);
  });

  test("a retriever with a signal ends its retrievals, also while a dense source is waited for", async () => {
    const signal = () => AbortSignal.timeout(20);
    const timeout = expect.objectContaining({ name: "TimeoutError" }) as Error;
    const embedding = await TriGraphRetriever.fromNodes([], silent);
    await expect(embedding.asRetriever({ signal: signal() }).retrieve(QUESTION)).rejects.toThrow(timeout);
    const never = { retrieve: () => new Promise(() => {}) } as unknown as BaseRetriever;
    const dense = await TriGraphRetriever.fromNodes(nodes(), { denseRetriever: never });
    await expect(dense.asRetriever({ signal: signal() }).retrieve(QUESTION)).rejects.toThrow(timeout);
    const query = (end: AbortSignal) => ({ query: QUESTION, signal: end });
    await expect(embedding.retrieve(query(signal()))).rejects.toThrow(timeout);
    await expect(dense.retrieve(query(signal()))).rejects.toThrow(timeout);
    const plain = await TriGraphRetriever.fromNodes(nodes());
    const aborted = AbortSignal.abort(new Error("no"));
    await expect(
      plain.asQueryEngine({ signal: aborted, responseSynthesizer: {} as BaseSynthesizer }).query({ query: QUESTION }),
    ).rejects.toThrow("no");
    await expect(TriGraphRetriever.fromNodes([], { signal: aborted } as object)).rejects.toThrow(/got "signal"/);
    await expect(plain.retrieve(query(aborted))).rejects.toThrow("no");
    const engine = plain.asQueryEngine({ responseSynthesizer: {} as BaseSynthesizer });
    await expect(engine.retrieve(query(aborted))).rejects.toThrow("no");
    // The nearer one counts.
    const ended = plain.asRetriever({ signal: aborted });
    expect(await ended.retrieve(query(new AbortController().signal))).toHaveLength(5);
  });

  test("a model that returns too few vectors is named, and nothing is added", async () => {
    class Forgetful extends NoEmbedding {
      constructor() {
        super();
        this.getTextEmbeddings = async () => [[1, 0]];
      }
    }
    const embedModel = new Forgetful();
    const retriever = await TriGraphRetriever.fromNodes([], { ...silent, embedModel });
    await expect(retriever.insertNodes(nodes())).rejects.toThrow(
      /^insertNodes: expected the embedding model to return 5 vectors, got 1/,
    );
    expect(retriever.index.size).toBe(0);
  });
});

describe("options", () => {
  test.each([
    [
      () => TriGraphRetriever.fromNodes([], { topk: 3 } as object),
      /^fromNodes: expected options of titleKey, .*got "topk"/,
    ],
    [() => TriGraphRetriever.fromNodes([], { nodeParser: 1 } as object), /^fromNodes: .* got "nodeParser"/],
    [() => TriGraphRetriever.fromDocuments([], { readOnly: true } as object), /^fromDocuments: .* got "readOnly"/],
    [
      () => TriGraphRetriever.fromDocuments([], null as never),
      /^fromDocuments: expected options to be an object, got null/,
    ],
    [
      () => TriGraphRetriever.fromNodes([], { topK: 1.5 }),
      /^fromNodes: topK: expected an integer of at least 1, got 1.5/,
    ],
    [
      () => TriGraphRetriever.fromNodes([], { embedText: "node" }),
      /^fromNodes: expected an embedModel for embedModelId, embedDimensions and embedText/,
    ],
    [
      () => TriGraphRetriever.fromNodes([], { embedText: "title" as "node" }),
      /^fromNodes: expected embedText to be "passage" or "node", got "title"/,
    ],
    [() => TriGraphRetriever.fromNodes([], { withNeighbours: -1 }), /^fromNodes: withNeighbours: expected an integer/],
    [() => TriGraphRetriever.fromNodes([], { denseTopK: 0 }), /^fromNodes: denseTopK: expected an integer/],
  ])("%# are checked by name", async (make, message) => {
    await expect(make()).rejects.toThrow(InvalidArgumentError);
    await expect(make()).rejects.toThrow(message);
  });

  test("of another retriever differ in those given", async () => {
    const retriever = await TriGraphRetriever.fromNodes(nodes(), { topK: 2 });
    const other = retriever.asRetriever({ minScore: 0 });
    expect(other.index).toBe(retriever.index);
    expect(await other.retrieve(QUESTION)).toHaveLength(2);
    expect(() => retriever.asRetriever({ preset: "default" } as object)).toThrow(
      /^asRetriever: expected options of topK/,
    );
  });
});

test("a blank question is refused", async () => {
  const retriever = await TriGraphRetriever.fromNodes(nodes());
  await expect(retriever.retrieve(" ")).rejects.toThrow(InvalidArgumentError);
});
