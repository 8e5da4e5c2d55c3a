// What goes in as a node comes out as the same node.
import {
  type BaseNode,
  Document,
  ImageNode,
  IndexNode,
  MetadataMode,
  NodeRelationship,
  ObjectType,
  TextNode,
  type TextNodeParams,
} from "@llamaindex/core/schema";
import { InvalidArgumentError, TriGraph } from "@trigraph/core";
import { describe, expect, test } from "vitest";
import { TriGraphRetriever } from "../src/index.js";

async function roundTrip(node: BaseNode): Promise<BaseNode> {
  const retriever = await TriGraphRetriever.fromNodes([node]);
  const [found] = await retriever.retrieve("anything");
  return found.node;
}

const related = (nodeId: string) => ({ nodeId, nodeType: ObjectType.TEXT, metadata: { page: 1 }, hash: "h" });

const full: TextNodeParams = {
  id_: "n",
  text: "  Ada Lindqvist was a director.\n",
  metadata: { title: "Ada", tags: ["a", "b"], nested: { deep: [1, null] }, year: 1921, flag: true },
  excludedEmbedMetadataKeys: ["year"],
  excludedLlmMetadataKeys: ["tags"],
  textTemplate: "{content}",
  metadataSeparator: " | ",
  startCharIdx: 4,
  endCharIdx: 40,
  relationships: {
    [NodeRelationship.SOURCE]: related("doc"),
    [NodeRelationship.PREVIOUS]: related("before"),
    [NodeRelationship.NEXT]: related("after"),
    [NodeRelationship.PARENT]: related("parent"),
    [NodeRelationship.CHILD]: [related("c1"), related("c2")],
  },
};

describe("nodes come back as they were", () => {
  test.each([
    ["text", new TextNode(full)],
    ["text of defaults", new TextNode({ id_: "n", text: "x" })],
    ["index", new IndexNode({ ...full, indexId: "other" })],
    ["document", new Document(full)],
  ])("%s", async (_, node) => {
    const back = await roundTrip(node);
    expect(back.constructor).toBe(node.constructor);
    expect(back.toJSON()).toEqual(node.toJSON());
  });

  test("an index of 0 too, which the constructors lose", async () => {
    const node = new TextNode({ id_: "n", text: "At the start." });
    node.startCharIdx = 0;
    node.endCharIdx = 13;
    expect(await roundTrip(node)).toMatchObject({ startCharIdx: 0, endCharIdx: 13 });
  });

  test("without what is undefined in the metadata", async () => {
    const back = await roundTrip(new TextNode({ text: "x", metadata: { a: undefined, b: { c: undefined, d: 1 } } }));
    expect(Object.keys(back.metadata)).toEqual(["b"]);
    expect(back.metadata).toEqual({ b: { d: 1 } });
  });

  test("each time a new object, which its holder may change", async () => {
    const retriever = await TriGraphRetriever.fromNodes([new TextNode(full)]);
    const [first] = await retriever.retrieve("Ada Lindqvist");
    first.node.metadata.title = "changed";
    first.node.setContent("changed");
    const [second] = await retriever.retrieve("Ada Lindqvist");
    expect((second.node as TextNode).text).toBe(full.text);
    expect(second.node.metadata).toEqual(full.metadata);
  });
});

test("inserting leaves the node as it was, and its hash to be computed later", async () => {
  const node = new TextNode(full);
  const before = structuredClone({ ...node });
  await TriGraphRetriever.fromNodes([node]);
  expect({ ...node }).toEqual(before);
  // LlamaIndex caches a hash at its first use: had it been used, it would not see this change.
  node.metadata = { title: "other" };
  expect(node.hash).toBe(new TextNode({ ...full, metadata: { title: "other" } }).hash);
});

describe("titles", () => {
  const question = "Where does the Glass Tower stand?";
  const node = (metadata: object) => new TextNode({ id_: "n", text: "It stands in Delmar.", metadata });
  const titleIn = async (metadata: object, titleKey?: string | false) =>
    (await TriGraphRetriever.fromNodes([node(metadata)], { titleKey })).index.get("n")?.title;

  test("are the metadata's title, another key's value, or none", async () => {
    expect(await titleIn({ title: "Glass Tower" })).toBe("Glass Tower");
    expect(await titleIn({ title: "A", heading: "Glass Tower" }, "heading")).toBe("Glass Tower");
    expect(await titleIn({ title: "Glass Tower" }, false)).toBeUndefined();
    expect(await titleIn({ title: " " })).toBeUndefined();
    expect(await titleIn({})).toBeUndefined();
  });

  test("are entities that lead to the passage", async () => {
    const others = [1, 2, 3].map((i) => new TextNode({ id_: `o${i}`, text: "Where does it stand? It does." }));
    const retriever = await TriGraphRetriever.fromNodes([...others, node({ title: "Glass Tower" })], { topK: 1 });
    expect((await retriever.retrieve(question))[0].node.id_).toBe("n");
  });

  test("are not in the text, which is the node's alone", async () => {
    const retriever = await TriGraphRetriever.fromNodes([node({ title: "Glass Tower" })]);
    expect(retriever.index.get("n")?.text).toBe("It stands in Delmar.");
    const [found] = await retriever.retrieve(question);
    expect(found.node.getContent(MetadataMode.LLM)).toBe("title: Glass Tower\n\nIt stands in Delmar.");
  });

  test("must be strings", async () => {
    await expect(titleIn({ title: 1984 })).rejects.toThrow(
      'insertNodes: node "n": expected the metadata "title", its title, to be a string, got 1984.',
    );
  });
});

describe("no node is left out silently", () => {
  const insert = (node: BaseNode) => TriGraphRetriever.fromNodes([new TextNode({ text: "x" }), node]);

  test("an image", async () => {
    await expect(insert(new ImageNode({ id_: "i", image: "a.png" }))).rejects.toThrow(
      'insertNodes: node "i": expected a node of type TEXT, INDEX, DOCUMENT, got "IMAGE"',
    );
  });

  test("a blank text", async () => {
    await expect(insert(new TextNode({ id_: "b", text: " " }))).rejects.toThrow(/passage "b": expected a text that/);
  });

  test("metadata that JSON would change", async () => {
    const node = new TextNode({ id_: "d", text: "x", metadata: { when: new Date(0) } });
    await expect(insert(node)).rejects.toThrow(/passage "d": metadata\["when"\]: expected JSON/);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await expect(insert(new TextNode({ text: "x", metadata: cyclic }))).rejects.toThrow(/without cycles/);
  });

  test("metadata under the key that is used here", async () => {
    const node = new TextNode({ text: "x", metadata: { _node: 1 } });
    await expect(insert(node)).rejects.toThrow(InvalidArgumentError);
  });
});

test("a node of another copy of LlamaIndex is read by its type", async () => {
  const foreign = Object.create(
    null,
    Object.getOwnPropertyDescriptors(new TextNode({ id_: "f", text: "Foreign." })),
  ) as {
    type: string;
    getContent: () => string;
  };
  Object.defineProperties(foreign, {
    type: { value: "TEXT" },
    getContent: { value: () => "Foreign." },
  });
  expect(foreign).not.toBeInstanceOf(TextNode);
  const retriever = await TriGraphRetriever.fromNodes([foreign as unknown as BaseNode]);
  const [{ node }] = await retriever.retrieve("Foreign");
  expect(node).toBeInstanceOf(TextNode);
  expect(node.getContent(MetadataMode.NONE)).toBe("Foreign.");
});

test("passages that the core wrote become text nodes", async () => {
  const index = await TriGraph.create();
  await index.upsert([
    { id: "a", title: "Glass Tower", text: "It stands in Delmar.", metadata: { lang: "en" } },
    { id: "b", text: "No metadata.", metadata: { _node: "not ours" } },
  ]);
  const retriever = await TriGraphRetriever.fromExistingIndex(index, { topK: 2 });
  const found = new Map((await retriever.retrieve("Glass Tower")).map(({ node }) => [node.id_, node]));
  expect(found.get("a")).toBeInstanceOf(TextNode);
  expect(found.get("a")?.metadata).toEqual({ title: "Glass Tower", lang: "en" });
  expect(found.get("b")?.metadata).toEqual({ _node: "not ours" });
  expect(await retriever.deleteRefDoc("a")).toMatchObject({ deleted: 1 });
});
