// Documents keep their identity: through cutting, replacement, deletion and a reload.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SentenceSplitter } from "@llamaindex/core/node-parser";
import { Document, MetadataMode, NodeRelationship, ObjectType, TextNode } from "@llamaindex/core/schema";
import { IndexError, InvalidArgumentError, MemoryDirectory, TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contentId, nodesFromDocuments, TriGraphRetriever } from "../src/index.js";
import { LineParser } from "./support/line-parser.js";
import { documents, idsOf, nodes, QUESTION, titlesOf } from "./support/world.js";

const PARAGRAPHS = [
  "Ada Lindqvist was born in Uppsala in 1921.",
  "She directed The Silent Harbour in 1962.",
  "Greta Holm was her mother and a painter.",
  "The film was shot in Gothenburg by night.",
];
const nodeParser = new LineParser();
const long = (paragraphs = PARAGRAPHS, id_ = "long") => new Document({ id_, text: paragraphs.join("\n") });

const stored = (retriever: TriGraphRetriever) => [...retriever.index.passages()].map(({ id }) => id).sort();
const texts = (retriever: TriGraphRetriever) => [...retriever.index.passages()].map(({ text }) => text).sort();

describe("a document", () => {
  const book = () =>
    new Document({
      id_: "book",
      text: `${"A long sentence stands here. ".repeat(2000)}The end is about bees.`,
      metadata: { title: "Bees" },
      excludedEmbedMetadataKeys: ["title"],
    });

  test("is never split unless a parser is given", async () => {
    const retriever = await TriGraphRetriever.fromDocuments([book(), ...documents()], { topK: 1 });
    expect(retriever.index.size).toBe(6);
    const [{ node }] = await retriever.retrieve("What is about bees?");
    expect(node).toMatchObject({
      text: book().text,
      metadata: { title: "Bees" },
      excludedEmbedMetadataKeys: ["title"],
    });
    expect(node.sourceNode?.nodeId).toBe("book");
    expect(await retriever.deleteRefDoc("book")).toMatchObject({ deleted: 1 });
    const cut = await TriGraphRetriever.fromDocuments([book()], { nodeParser: new SentenceSplitter() });
    expect(cut.index.size).toBeGreaterThan(10);
  });
});

describe("node ids", () => {
  test("are the same each time, and LlamaIndex's are not", async () => {
    const [first, second] = [
      await nodesFromDocuments([long()], { nodeParser }),
      await nodesFromDocuments([long()], { nodeParser }),
    ];
    expect(first).toHaveLength(4);
    expect(first.map(({ id_ }) => id_)).toEqual(second.map(({ id_ }) => id_));
    expect(first.every(({ id_ }) => id_.startsWith("long:"))).toBe(true);
    expect(nodeParser.getNodesFromDocuments([long()])[0].id_).not.toBe(
      nodeParser.getNodesFromDocuments([long()])[0].id_,
    );
  });

  test("stay when other paragraphs of the document change", async () => {
    const before = await nodesFromDocuments([long()], { nodeParser });
    const after = await nodesFromDocuments([long(["A new beginning was written here.", ...PARAGRAPHS.slice(1)])], {
      nodeParser,
    });
    expect(after.slice(1).map(({ id_ }) => id_)).toEqual(before.slice(1).map(({ id_ }) => id_));
    expect(after[0].id_).not.toBe(before[0].id_);
  });

  test("tell equal paragraphs apart", async () => {
    const twice = await nodesFromDocuments([long([PARAGRAPHS[0], PARAGRAPHS[0]]), long([PARAGRAPHS[0]], "b")], {
      nodeParser,
    });
    expect(new Set(twice.map(({ id_ }) => id_)).size).toBe(3);
  });

  test("are those that relationships name", async () => {
    const cut = await nodesFromDocuments([long()], { nodeParser });
    const ids = cut.map(({ id_ }) => id_);
    expect(cut.map(({ prevNode }) => prevNode?.nodeId)).toEqual([undefined, ...ids.slice(0, -1)]);
    expect(cut.map(({ nextNode }) => nextNode?.nodeId)).toEqual([...ids.slice(1), undefined]);
    expect(cut.map(({ sourceNode }) => sourceNode?.nodeId)).toEqual(ids.map(() => "long"));
    expect(cut[0].startCharIdx).toBe(0);
  });

  test("can be made of the content, for documents whose ids are random", async () => {
    const load = () => [new Document({ text: PARAGRAPHS.join("\n"), metadata: { page: { of: 1 } } })];
    expect(load()[0].id_).not.toBe(load()[0].id_);
    const retriever = await TriGraphRetriever.fromDocuments(load(), { nodeParser, documentId: contentId });
    expect(await retriever.insertDocuments(load())).toMatchObject({ added: 0, unchanged: 4 });
    const [{ node }] = await retriever.retrieve("Who was Greta Holm?");
    expect(node.sourceNode?.nodeId).toBe(contentId(load()[0]));
    expect(contentId(new Document({ text: "x", metadata: { a: { b: 1 } } }))).not.toBe(
      contentId(new Document({ text: "x", metadata: { a: { b: 2 } } })),
    );
    await expect(TriGraphRetriever.fromDocuments(load(), { documentId: () => "" })).rejects.toThrow(
      /^documentId: expected/,
    );
  });
});

test("a document is replaced as a whole, and nothing of the old one stays", async () => {
  const retriever = await TriGraphRetriever.fromDocuments([long(), ...documents()], { nodeParser });
  const others = stored(retriever).filter((id) => !id.startsWith("long:"));
  const report = await retriever.insertDocuments([long([PARAGRAPHS[0], "She made The Loud Harbour in 1970 as well."])]);
  expect(report.added).toBe(1);
  expect(texts(retriever).filter((text) => PARAGRAPHS.includes(text))).toEqual([PARAGRAPHS[0]]);
  expect(stored(retriever)).toEqual(expect.arrayContaining(others));
  // A document that became empty is gone.
  await retriever.insertDocuments([long([" "])]);
  expect(stored(retriever)).toEqual(others);
});

test("the same documents again change nothing", async () => {
  const retriever = await TriGraphRetriever.fromDocuments(documents());
  const { commits } = retriever.index;
  expect(await retriever.insertDocuments(documents())).toMatchObject({ added: 0, replaced: 0, unchanged: 5 });
  expect(await retriever.insertNodes(await nodesFromDocuments(documents()))).toMatchObject({ unchanged: 5 });
  expect(retriever.index.commits).toBe(commits);
});

test("of several nodes with one id the last one counts", async () => {
  const retriever = await TriGraphRetriever.fromNodes([new TextNode({ id_: "a", text: "First." })]);
  const report = await retriever.insertNodes([
    new TextNode({ id_: "a", text: "Second." }),
    new TextNode({ id_: "a", text: "First." }),
  ]);
  expect(report).toEqual({ added: 0, replaced: 0, unchanged: 1, duplicates: ["a"] });
  expect(retriever.index.get("a")?.text).toBe("First.");
});

describe("deletion", () => {
  test("is by document, and complete", async () => {
    const retriever = await TriGraphRetriever.fromDocuments([long(), ...documents()], { nodeParser });
    expect(await retriever.deleteRefDoc("long")).toMatchObject({ deleted: 4 });
    expect(stored(retriever).some((id) => id.startsWith("long:"))).toBe(false);
    expect(await retriever.deleteRefDoc("long")).toMatchObject({ deleted: 0 });
    const fresh = await TriGraphRetriever.fromDocuments(documents(), { nodeParser });
    expect(await retriever.retrieve(QUESTION)).toEqual(await fresh.retrieve(QUESTION));
  });

  test.each([
    [
      "its source",
      { relationships: { [NodeRelationship.SOURCE]: { nodeId: "d", nodeType: ObjectType.DOCUMENT, metadata: {} } } },
    ],
    ["the metadata ref_doc_id", { metadata: { ref_doc_id: "d" } }],
    ["the metadata doc_id", { metadata: { ref_doc_id: "None", doc_id: "d" } }],
    ["its own id", { id_: "d" }],
  ])("finds a node by %s", async (_, init) => {
    const retriever = await TriGraphRetriever.fromNodes([
      new TextNode({ text: "x", ...init }),
      new TextNode({ text: "y" }),
    ]);
    expect(await retriever.deleteRefDoc("d")).toMatchObject({ deleted: 1 });
    expect(texts(retriever)).toEqual(["y"]);
  });

  test("knows of nodes that moved to another document, and of writes by others", async () => {
    const retriever = await TriGraphRetriever.fromNodes(nodes());
    const moved = nodes()[0];
    moved.relationships = { [NodeRelationship.SOURCE]: { nodeId: "doc-new", metadata: {} } };
    await retriever.deleteRefDoc("nothing");
    await retriever.insertNodes([moved]);
    expect(await retriever.deleteRefDoc("doc-film")).toMatchObject({ deleted: 0 });
    // Written with the core, unseen by the retriever.
    const copy = retriever.index.get("director")!;
    await retriever.index.upsert([{ ...copy, id: "copy" }]);
    await retriever.index.delete(["mother"]);
    expect(await retriever.deleteRefDoc("doc-director")).toMatchObject({ deleted: 2 });
    expect(await retriever.deleteRefDoc("doc-mother")).toMatchObject({ deleted: 0 });
    expect(await retriever.deleteRefDoc("doc-new")).toMatchObject({ deleted: 1 });
    expect(stored(retriever)).toEqual(["decoy", "other"]);
  });

  test("keeps its order with writes that were not awaited", async () => {
    const retriever = await TriGraphRetriever.fromDocuments([long()], { nodeParser });
    await Promise.all([
      retriever.insertDocuments([long(PARAGRAPHS.slice(2))]),
      retriever.deleteRefDoc("long"),
      retriever.insertDocuments([long(PARAGRAPHS.slice(0, 1))]),
      retriever.insertNodes([new TextNode({ id_: "n", text: "Another." })]),
      expect(retriever.insertNodes([new TextNode({ text: "" })])).rejects.toThrow(InvalidArgumentError),
    ]);
    expect(texts(retriever)).toEqual([PARAGRAPHS[0], "Another."]);
  });
});

describe("on disk", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trigraph-llamaindex-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test("an index comes back with all its nodes, and goes on", async () => {
    const before = await TriGraphRetriever.fromDocuments([long(), ...documents()], { nodeParser });
    await before.persist(new FileDirectory(folder));
    const after = await TriGraphRetriever.fromPersistDir(new FileDirectory(folder), { nodeParser });
    expect(await after.retrieve(QUESTION)).toEqual(await before.retrieve(QUESTION));

    // Each write is durable when it resolves.
    await after.deleteRefDoc("long");
    await after.insertDocuments([new Document({ id_: "added", text: "Greta Holm taught Elva Marsh." })]);
    await after.persist();
    await after.close();
    const again = await TriGraphRetriever.fromPersistDir(new FileDirectory(folder), { readOnly: true });
    const ids = stored(again);
    expect(ids).toHaveLength(6);
    expect(ids.some((id) => id.startsWith("long:"))).toBe(false);
    expect(ids.some((id) => id.startsWith("added:"))).toBe(true);
    expect(await again.index.check()).toEqual([]);
    await expect(again.deleteRefDoc("added")).rejects.toThrow(/opened with readOnly/);
    await again.close();
  });

  test("nothing is begun where nothing is", async () => {
    const opened = TriGraphRetriever.fromPersistDir(new FileDirectory(join(folder, "mistyped")));
    await expect(opened).rejects.toThrow(IndexError);
    await expect(opened).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(rm(join(folder, "mistyped"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("an index that could not become a retriever is given up", async () => {
    await (await TriGraphRetriever.fromDocuments(documents())).persist(new FileDirectory(folder));
    await expect(TriGraphRetriever.fromPersistDir(new FileDirectory(folder), { topK: 0 })).rejects.toThrow(
      "fromPersistDir: topK: expected an integer of at least 1, got 0.",
    );
    const index = await TriGraph.open(new FileDirectory(folder));
    expect(index.size).toBe(5);
    await index.close();
  });
});

test("persist needs a directory where there is none", async () => {
  const retriever = await TriGraphRetriever.fromDocuments(documents());
  await expect(retriever.persist()).rejects.toThrow(/^persist: expected a directory, .* FileDirectory/);
  await expect(retriever.persist("./storage" as never)).rejects.toThrow(/Wrap a path: new FileDirectory\(path\)/);
  const directory = new MemoryDirectory();
  await retriever.persist(directory);
  expect(titlesOf(await (await TriGraphRetriever.fromPersistDir(directory)).retrieve(QUESTION))).toEqual(
    titlesOf(await retriever.retrieve(QUESTION)),
  );
});

test("what a node looks like to a language model survives", async () => {
  const document = documents()[0];
  document.excludedLlmMetadataKeys = ["year"];
  const retriever = await TriGraphRetriever.fromDocuments([document], { topK: 1 });
  const [{ node }] = await retriever.retrieve(QUESTION);
  expect(node.getContent(MetadataMode.LLM)).toBe(
    "title: The Silent Harbour\n\nThe Silent Harbour is a 1962 drama film by the director Ada Lindqvist.",
  );
  expect(idsOf([{ node }])[0]).toMatch(/^film:/);
});
