// Metadata filters mean what they mean in LlamaIndex's own vector store.
import { NodeRelationship, TextNode } from "@llamaindex/core/schema";
import { type MetadataFilter, type MetadataFilters, VectorStoreQueryMode } from "@llamaindex/core/vector-store";
import { InvalidArgumentError, TriGraph } from "@trigraph/core";
import { SimpleVectorStore } from "llamaindex";
import { describe, expect, test } from "vitest";
import { TriGraphRetriever, TriGraphVectorStore } from "../src/index.js";
import { documents, idsOf, QUESTION, titlesOf } from "./support/world.js";
import { NoEmbedding } from "./support/embeddings.js";

const METADATA: Record<string, unknown>[] = [
  { city: "Oslo", year: 1962, tags: ["a", "b"], sizes: [1, 2] },
  { city: "Uppsala", year: 1921, tags: ["b"], sizes: [] },
  { city: "Oslo", year: 1890, tags: [], note: "" },
  { city: "oslo", year: "1962", note: null },
  { year: 0 },
  { toString: "own", constructor: "own" },
];

const nodes = METADATA.map(
  (metadata, i) =>
    new TextNode({
      id_: `n${i}`,
      text: "A text.",
      metadata,
      embedding: [1, i],
      relationships: { [NodeRelationship.SOURCE]: { nodeId: `d${i % 2}`, metadata: {} } },
    }),
);

const query = (filters: MetadataFilters) => ({
  queryEmbedding: [1, 0],
  similarityTopK: nodes.length,
  mode: VectorStoreQueryMode.DEFAULT,
  filters,
});

async function ours(filters: MetadataFilters): Promise<string[]> {
  const index = await TriGraph.create();
  const store = new TriGraphVectorStore({ index });
  await store.add(nodes);
  return (await store.query(query(filters))).ids.sort();
}

async function theirs(filters: MetadataFilters): Promise<string[]> {
  const store = new SimpleVectorStore({ embedModel: new NoEmbedding() });
  await store.add(nodes);
  return (await store.query(query(filters))).ids.sort();
}

const FILTERS: MetadataFilter[] = [
  { key: "city", operator: "==", value: "Oslo" },
  { key: "year", operator: "==", value: 1962 },
  { key: "year", operator: "==", value: 0 },
  { key: "city", operator: "!=", value: "Oslo" },
  { key: "missing", operator: "!=", value: "Oslo" },
  { key: "city", operator: "in", value: ["Oslo", "Bergen"] },
  { key: "year", operator: "in", value: [1890, 1921] },
  { key: "city", operator: "nin", value: ["Oslo"] },
  { key: "missing", operator: "nin", value: ["Oslo"] },
  { key: "city", operator: ">", value: "P" },
  { key: "city", operator: "<=", value: "Oslo" },
  { key: "tags", operator: "any", value: ["a", "c"] },
  { key: "sizes", operator: "any", value: [2] },
  { key: "tags", operator: "all", value: ["a", "b"] },
  { key: "tags", operator: "all", value: [] },
  { key: "city", operator: "any", value: ["Oslo"] },
  { key: "tags", operator: "contains", value: "b" },
  { key: "sizes", operator: "contains", value: 1 },
  { key: "city", operator: "contains", value: "Oslo" },
  { key: "city", operator: "text_match", value: "sl" },
  { key: "tags", operator: "is_empty" },
  { key: "note", operator: "is_empty" },
  { key: "ref_doc_id", operator: "==", value: "d1" },
  { key: "doc_id", operator: "in", value: ["d0"] },
  { key: "document_id", operator: "!=", value: "d0" },
  { key: "toString", operator: "==", value: "own" },
];

describe("each operator", () => {
  test.each<[string, MetadataFilter]>(
    FILTERS.map((filter) => [`${filter.key} ${filter.operator} ${JSON.stringify(filter.value)}`, filter]),
  )("%s", async (_, filter) => {
    const filters = { filters: [filter] };
    expect(await ours(filters)).toEqual(await theirs(filters));
  });

  test.each([
    [">", 1890, ["n0", "n1"]],
    [">=", 1921, ["n0", "n1"]],
    ["<", 1921, ["n2", "n4"]],
    ["<=", 1921, ["n1", "n2", "n4"]],
    ["in", [0], ["n4"]],
    ["nin", [0, 1890, 1921, 1962], ["n3"]],
  ] as const)("year %s %j, by type: a number is no string", async (operator, value, expected) => {
    expect(await ours({ filters: [{ key: "year", operator, value: value as number }] })).toEqual(expected);
  });
});

describe("conditions", () => {
  const pair: MetadataFilter[] = [
    { key: "city", operator: "==", value: "Oslo" },
    { key: "year", operator: "==", value: 1962 },
  ];

  test.each([undefined, "and", "or"] as const)("%s", async (condition) => {
    const filters = { filters: pair, ...(condition && { condition }) };
    expect(await ours(filters)).toEqual(await theirs(filters));
    expect(await ours(filters)).toHaveLength(condition === "or" ? 2 : 1);
  });
});

describe("what is not supported is refused, whether a node has the key or not", () => {
  test.each([
    [{ filters: [{ key: "missing", operator: "like", value: "x" }] }, "expected an operator of LlamaIndex's"],
    [{ filters: [{ key: "missing", operator: "==", value: true }] }, "expected a string or a number, got true"],
    [{ filters: [{ key: "missing", operator: "==" }] }, "expected a string or a number, got undefined"],
    [{ filters: [{ key: "missing", operator: "in", value: "x" }] }, "expected an array of strings or numbers"],
    [{ filters: [{ key: "missing", operator: "text_match", value: 1 }] }, "expected a string, got 1"],
    [{ filters: [], condition: "not" }, 'expected the condition "and" or "or", got "not"'],
    [{ filters: [{ filters: [] }] }, "expected filters { key, operator, value }"],
    [{ year: 1962 }, "expected filters { filters:"],
    [[], "expected filters { filters:"],
  ])("%j", async (filters, message) => {
    const refused = TriGraphRetriever.fromNodes(nodes, { filters: filters as MetadataFilters });
    await expect(refused).rejects.toThrow(InvalidArgumentError);
    await expect(refused).rejects.toThrow(message);
  });
});

test("a filter hides passages before anything is ranked", async () => {
  const recent: MetadataFilters = { filters: [{ key: "year", operator: "<", value: 1970 }] };
  const retriever = await TriGraphRetriever.fromDocuments(documents(), { topK: 5, filters: recent });
  const found = await retriever.retrieve(QUESTION);
  expect(found.map(({ node }) => node.metadata.year as number)).toEqual([1962, 1921, 1890]);
  // What leads on from the film is hidden: the passage behind it is no longer reached.
  const broken = retriever.asRetriever({
    topK: 2,
    filters: { filters: [{ key: "year", operator: "nin", value: [1921] }] },
  });
  expect(titlesOf(await broken.retrieve(QUESTION))).not.toContain("Greta Holm");
  expect(idsOf(await retriever.asRetriever({ filters: { filters: [], condition: "or" } }).retrieve(QUESTION))).toEqual(
    [],
  );
});
