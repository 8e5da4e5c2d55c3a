// The models in the frameworks' own terms, beside trigraph's adapters.
import { ContextualCompressionRetriever } from "@langchain/classic/retrievers/contextual_compression";
import { MemoryVectorStore } from "@langchain/classic/vectorstores/memory";
import { Document } from "@langchain/core/documents";
import { TextNode } from "@llamaindex/core/schema";
import { TriGraphStore } from "@trigraph/langchain";
import { TriGraphRetriever } from "@trigraph/llamaindex";
import { describe, expect, test } from "vitest";
import { TransformersEmbedder } from "../src/index.js";
import { CrossEncoderCompressor, TransformersEmbeddings } from "../src/langchain.js";
import { CrossEncoderPostprocessor, TransformersEmbedding } from "../src/llamaindex.js";
import { ENCODER, PAIRS } from "./support/models.js";

const TEXTS = {
  bees: "Honey is made by bees.",
  sea: "Greta Holm painted the sea.",
  bread: "Rye bread is baked of rye flour.",
};
const QUESTION = "Who painted the sea?";
const vectorOf = async (text: string) => Array.from(await new TransformersEmbedder(ENCODER).embedQuery(text));

describe("LangChain", () => {
  const documents = Object.entries(TEXTS).map(
    ([id, pageContent]) => new Document({ id, pageContent, metadata: { id } }),
  );

  test("embeddings are the embedder's", async () => {
    const embeddings = new TransformersEmbeddings(ENCODER);
    expect(await embeddings.embedQuery(QUESTION)).toEqual(await vectorOf(QUESTION));
    expect(await embeddings.embedDocuments([TEXTS.sea, TEXTS.bees])).toEqual([
      await vectorOf(TEXTS.sea),
      await vectorOf(TEXTS.bees),
    ]);
    const store = await MemoryVectorStore.fromDocuments(documents, embeddings);
    const [[best, score]] = await store.similaritySearchWithScore(TEXTS.bread, 1);
    expect(best.metadata).toEqual({ id: "bread" });
    expect(score).toBeCloseTo(1, 5);
  });

  test("embeddings make the vectors of trigraph's store, which knows the model again", async () => {
    const embeddings = new TransformersEmbeddings(ENCODER);
    const store = await TriGraphStore.fromDocuments(documents, embeddings);
    const index = await store.index();
    expect(index.stats().dimensions).toBe(32);
    expect(Array.from(index.vectorOf("sea")!)).toEqual(
      Array.from(Float32Array.from(await vectorOf(TEXTS.sea)), (value) => expect.closeTo(value, 5) as number),
    );
    expect(embeddings.model).toContain("transformers:encoder@main");
  });

  test("the compressor orders what a retriever found", async () => {
    const store = await TriGraphStore.fromDocuments(documents, undefined);
    const retriever = new ContextualCompressionRetriever({
      baseRetriever: store.asRetriever(3),
      baseCompressor: new CrossEncoderCompressor({ ...PAIRS, topN: 2 }),
    });
    const found = await retriever.invoke(QUESTION);
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({ id: "sea", pageContent: TEXTS.sea });
    const scores = found.map(({ metadata }) => metadata.relevanceScore as number);
    expect(scores[0]).toBeGreaterThan(scores[1]);
    expect(documents[0].metadata).toEqual({ id: "bees" });
  });

  test("the compressor reads titles, or not", async () => {
    const titled = [
      new Document({ pageContent: TEXTS.bees, metadata: {} }),
      new Document({ pageContent: TEXTS.bees, metadata: { title: "painted the sea" } }),
    ];
    const first = async (titleKey?: string | null) => {
      const compressor = new CrossEncoderCompressor({ ...PAIRS, titleKey, scoreKey: "s" });
      return (await compressor.compressDocuments(titled, QUESTION))[0].metadata;
    };
    expect(await first()).toMatchObject({ title: "painted the sea", s: expect.any(Number) as number });
    expect(await first(null)).not.toHaveProperty("title");
  });

  test("wrong options", () => {
    expect(() => new CrossEncoderCompressor({ ...PAIRS, topN: 0 })).toThrow(/topN/);
    expect(() => new CrossEncoderCompressor({ ...PAIRS, k: 1 } as never)).toThrow(/CrossEncoderCompressor.*"?k"?/);
    expect(() => new TransformersEmbeddings({} as never)).toThrow(/expected the name of a model/);
  });
});

describe("LlamaIndex", () => {
  const nodes = () => Object.entries(TEXTS).map(([id_, text]) => new TextNode({ id_, text }));

  test("the embedding is the embedder's", async () => {
    const embedding = new TransformersEmbedding(ENCODER);
    expect(await embedding.getTextEmbedding(TEXTS.sea)).toEqual(await vectorOf(TEXTS.sea));
    expect(await embedding.getTextEmbeddingsBatch([TEXTS.sea, TEXTS.bees])).toEqual([
      await vectorOf(TEXTS.sea),
      await vectorOf(TEXTS.bees),
    ]);
    expect(await embedding.getQueryEmbedding({ type: "text", text: QUESTION })).toEqual(await vectorOf(QUESTION));
    const image = { type: "image_url", image_url: { url: "data:," } } as const;
    expect(await embedding.getQueryEmbedding(image)).toBeNull();
    // As a step of an ingestion pipeline.
    const [embedded] = await embedding(nodes().slice(0, 1));
    expect(embedded.embedding).toHaveLength(32);
  });

  test("the embedding makes the vectors of trigraph's retriever", async () => {
    const embedModel = new TransformersEmbedding(ENCODER);
    const retriever = await TriGraphRetriever.fromNodes(nodes(), { embedModel });
    expect(retriever.index.stats().dimensions).toBe(32);
  });

  test("the postprocessor orders what a retriever found, and keeps its scores", async () => {
    const postprocessor = new CrossEncoderPostprocessor({ ...PAIRS, topN: 2 });
    const came = nodes().map((node, i) => (i === 1 ? { node } : { node, score: 0.5 }));
    const ordered = await postprocessor.postprocessNodes(came, QUESTION);
    expect(ordered.map(({ node }) => node.id_)[0]).toBe("sea");
    expect(ordered).toHaveLength(2);
    expect(ordered[0]).not.toHaveProperty("priorScore");
    expect(ordered[1].priorScore).toBe(0.5);
    expect(ordered[0].score).toBeGreaterThan(ordered[1].score!);
    expect(await postprocessor.postprocessNodes([], QUESTION)).toEqual([]);
    await expect(postprocessor.postprocessNodes(came)).rejects.toThrow(/expected the query, got none/);
  });

  test("the postprocessor reads titles, or not", async () => {
    const titled = [
      { node: new TextNode({ id_: "plain", text: TEXTS.bees }) },
      { node: new TextNode({ id_: "titled", text: TEXTS.bees, metadata: { title: "painted the sea" } }) },
    ];
    const first = async (titleKey?: string | false) => {
      const [{ node }] = await new CrossEncoderPostprocessor({ ...PAIRS, titleKey }).postprocessNodes(titled, QUESTION);
      return node.id_;
    };
    expect([await first(), await first(false)]).toEqual(["titled", "plain"]);
  });

  test("wrong options", () => {
    expect(() => new CrossEncoderPostprocessor({ ...PAIRS, topN: 1.5 })).toThrow(/topN/);
    expect(() => new CrossEncoderPostprocessor({ ...PAIRS, scoreKey: "s" } as never)).toThrow(/scoreKey/);
  });
});
