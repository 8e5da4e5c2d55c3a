// Mistakes that the compiler finds, and that everything is what LlamaIndex takes.
import { join } from "node:path";
import type { BaseNodePostprocessor } from "@llamaindex/core/postprocessor";
import type { BaseRetriever } from "@llamaindex/core/retriever";
import { Document } from "@llamaindex/core/schema";
import type { BaseVectorStore } from "@llamaindex/core/vector-store";
import type { TriGraph } from "@trigraph/core";
import ts from "typescript";
import { beforeAll, expect, expectTypeOf, test } from "vitest";
import { TriGraphPostprocessor, TriGraphRetriever, TriGraphVectorStore } from "../src/index.js";

const PRELUDE = `
import { createTriGraphTool, TriGraphPostprocessor, TriGraphRetriever, TriGraphVectorStore } from "../src/index.js";
import type { TriGraph } from "@trigraph/core";
declare const index: TriGraph, retriever: TriGraphRetriever;
`;

/** Statements that must not compile, with what the compiler says; and right ones, which show that only the mistake is wrong. */
const STATEMENTS: [statement: string, error: string | undefined][] = [
  ["TriGraphRetriever.fromDocuments([], { topK: 3 })", undefined],
  ["TriGraphRetriever.fromDocuments([], { topk: 3 })", "'topk' does not exist"],
  ['TriGraphRetriever.fromDocuments([], { topK: "3" })', "'string' is not assignable to type 'number"],
  ["TriGraphRetriever.fromNodes([], { documentId: () => '' })", "'documentId' does not exist"],
  ['TriGraphRetriever.fromDocuments(["text"])', "'string' is not assignable to type 'Document"],
  ['TriGraphRetriever.fromPersistDir("./storage")', "'string' is not assignable to parameter of type 'Directory'"],
  ['TriGraphRetriever.fromExistingIndex(index, { preset: "default" })', "'preset' does not exist"],
  ["new TriGraphRetriever()", "Constructor of class 'TriGraphRetriever' is private"],
  [
    'retriever.asRetriever({ filters: { filters: [{ key: "year", operator: ">", value: 1 }], condition: "or" } })',
    undefined,
  ],
  ["retriever.asRetriever({ filters: { year: 1962 } })", "'year' does not exist in type 'MetadataFilters'"],
  ['retriever.asRetriever({ filters: { filters: [{ key: "a", operator: "=", value: 1 }] } })', "'\"=\"' is not"],
  ['retriever.asRetriever({ filters: { filters: [], condition: "not" } })', "'\"not\"' is not assignable"],
  [
    'retriever.asRetriever({ filters: { filters: [{ key: "a", operator: "==", value: true }] } })',
    "'boolean' is not assignable",
  ],
  ['TriGraphRetriever.fromNodes([], { embedText: "node" }, { signal: AbortSignal.timeout(9) })', undefined],
  ['TriGraphRetriever.fromNodes([], { embedText: "title" })', "'\"title\"' is not assignable"],
  ["TriGraphRetriever.fromNodes([], { signal: AbortSignal.timeout(9) })", "'signal' does not exist"],
  ["retriever.asRetriever({ signal: AbortSignal.timeout(9) })", undefined],
  ['retriever.retrieve({ query: "q", signal: AbortSignal.timeout(9) })', undefined],
  ['retriever.retrieve({ query: "q", topK: 3 })', "'topK' does not exist"],
  ['retriever.retrieve({ query: "q", signal: 9 })', "'number' is not assignable to type 'AbortSignal"],
  ['new TriGraphPostprocessor({ index, mode: "extend", append: 3 })', undefined],
  ["new TriGraphPostprocessor({ index })", "Property 'mode' is missing"],
  ['new TriGraphPostprocessor({ index, mode: "rerank", append: 3 })', "'append' does not exist"],
  ["new TriGraphVectorStore({})", "Property 'index' is missing"],
  ['createTriGraphTool({ name: "search" })', "Property 'retriever' is missing"],
];

/** The compiler's messages by statement. */
let errors: string[][];

beforeAll(() => {
  const root = join(import.meta.dirname, "..");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const names = STATEMENTS.map((_, i) => join(root, "test", `statement-${i}.ts`));
  const sources = new Map(names.map((name, i) => [name, `${PRELUDE}\nvoid (${STATEMENTS[i][0]});\n`]));
  const host = ts.createCompilerHost(options);
  host.readFile = (name) => sources.get(name) ?? ts.sys.readFile(name);
  host.fileExists = (name) => sources.has(name) || ts.sys.fileExists(name);
  const program = ts.createProgram(names, { ...options, noUnusedLocals: false }, host);
  errors = names.map((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  );
});

test.each(STATEMENTS.map(([statement, error], i) => ({ statement, error, i })))("$statement", ({ error, i }) => {
  if (error === undefined) expect(errors[i]).toEqual([]);
  else expect(errors[i].join("\n")).toContain(error);
});

test("everything is what LlamaIndex takes", async () => {
  expectTypeOf<TriGraphRetriever>().toExtend<BaseRetriever>();
  expectTypeOf<TriGraphPostprocessor>().toExtend<BaseNodePostprocessor>();
  expectTypeOf<TriGraphVectorStore>().toExtend<BaseVectorStore<TriGraph>>();
  const made = TriGraphRetriever.fromDocuments([new Document({ text: "x" })]);
  expectTypeOf(made).resolves.toEqualTypeOf<TriGraphRetriever>();
  expect((await made).index.size).toBe(1);
});
