// What a user installs: the tarballs, in an empty project, through both module systems.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pnpm } from "../scripts/lib/pnpm.mjs";
import { run, runOrThrow } from "./support/processes.js";
import { publishedPackages, root } from "./support/workspace.js";

/** Some of what each entry of a package must export: what its users import first. */
const EXPORTS: Record<string, Record<string, string[]>> = {
  // A command, and no library.
  "@trigraph/cli": {},
  "@trigraph/core": {
    ".": ["TriGraph"],
    "./node": ["FileDirectory", "WorkerPool", "serveAnalyzer"],
    "./web": ["BrowserDirectory"],
  },
  "@trigraph/evaluation": {
    ".": ["evaluate", "compareMethods", "recallAt", "renderHtml", "openAiChat"],
    "./node": ["readData", "METHODS", "writeReport"],
  },
  "@trigraph/explorer": {
    ".": ["explore", "toHtml"],
  },
  "@trigraph/langchain": {
    ".": ["TriGraphRetriever", "TriGraphStore", "createTriGraphTool", "langChainEmbedder"],
  },
  "@trigraph/llamaindex": {
    ".": ["TriGraphRetriever", "TriGraphVectorStore", "TriGraphPostprocessor", "createTriGraphTool"],
  },
  "@trigraph/transformers": {
    ".": ["TransformersEmbedder", "TransformersAnalyzer", "CrossEncoderReranker", "ModelError"],
    "./langchain": ["TransformersEmbeddings", "CrossEncoderCompressor"],
    "./llamaindex": ["TransformersEmbedding", "CrossEncoderPostprocessor"],
  },
};

/**
 * A program for each package that uses it as a reader of its README would. It gets the entries as `entries`, by name,
 * and prints one line.
 */
const PROGRAMS: Record<string, { program: string; prints: string }> = {
  "@trigraph/cli": {
    program: `
      const { writeFileSync, rmSync } = await import("node:fs");
      const { spawnSync } = await import("node:child_process");
      // What npm made of the package's bin.
      const trigraph = (...args) => spawnSync("node_modules/.bin/trigraph", args, { encoding: "utf8" });
      writeFileSync("film.md", "# Harbour\\n\\nHarbour is a film by Ada Lindqvist.\\n");
      const indexed = trigraph("index", "film.md", "--into", "films", "--json");
      const found = JSON.parse(trigraph("search", "Who made Harbour?", "--in", "films", "--json").stdout);
      // The package is found, and says that the library of its models is not installed.
      const without = trigraph("search", "Harbour", "--in", "films", "--embedder", "transformers:any");
      console.log(indexed.status, found.hits[0].id, without.status, without.stderr.includes("npm install @xenova"));
      for (const name of ["film.md", "films"]) rmSync(name, { recursive: true });`,
    prints: "0 film.md#1 3 true",
  },
  "@trigraph/core": {
    program: `
      const { TriGraph } = entries["."];
      const directory = new entries["./node"].FileDirectory("index");
      const index = await TriGraph.open(directory, { create: true });
      const workers = new entries["./node"].WorkerPool({ threads: 1 });
      await index.upsert([
        { id: "film", title: "Harbour", text: "Harbour is a film by Ada Lindqvist." },
        { id: "director", title: "Ada Lindqvist", text: "She was born in Uppsala." },
        { id: "other", text: "The director was born." },
      ], { workers });
      await index.close();
      const again = await TriGraph.open(directory, { readOnly: true });
      const hits = await again.retrieve("Where was the director of Harbour born?", { k: 2 });
      console.log(hits.map(({ passage }) => passage.id).join(" "));
      await again.close();
      const { rm } = await import("node:fs/promises");
      await rm("index", { recursive: true });`,
    prints: "film director",
  },
  "@trigraph/evaluation": {
    program: `
      const { writeFileSync } = await import("node:fs");
      const { execFileSync } = await import("node:child_process");
      const rows = [["film", "Harbour is a film by Ada Lindqvist."], ["director", "Ada Lindqvist is a director."]];
      const lines = (all) => all.map((row) => JSON.stringify(row) + "\\n").join("");
      writeFileSync("corpus.jsonl", lines(rows.map(([id, text]) => ({ id, text }))));
      writeFileSync("questions.jsonl", lines([{ id: "q", question: "Who made Harbour?", gold: ["film"] }]));
      const data = ["--corpus", "corpus.jsonl", "--questions", "questions.jsonl"];
      // What npm made of the package's bin.
      const eval_ = (...args) => execFileSync("node_modules/.bin/trigraph-eval", args, { stdio: "pipe", encoding: "utf8" });
      const report = JSON.parse(eval_("run", ...data, "--methods", "words", "--json", "--out", "report"));
      const { questions } = await entries["./node"].readReport("report");
      const page = await entries["."].renderHtml(report, { embedding: null, methods: [
        { method: "words", index: 1, query: { p50: 1, p95: 1 }, queryWithoutEmbedding: null },
      ] });
      let missing;
      // This project has LangChain's core alone.
      const [langchain] = entries["./node"].methodsNamed(["langchain-bm25"]);
      await langchain.build([]).catch((error) => (missing = error.code));
      console.log(questions.length, report.questions[0].methods[0].ranking[0], page.length > 5000, missing);
      const { rmSync } = await import("node:fs");
      for (const name of ["corpus.jsonl", "questions.jsonl", "report"]) rmSync(name, { recursive: true });`,
    prints: "1 film true MISSING_PACKAGE",
  },
  "@trigraph/explorer": {
    program: `
      const core = "@trigraph/core";
      const { TriGraph } = typeof require === "function" ? require(core) : await import(core);
      const index = await TriGraph.create();
      await index.upsert([
        { id: "film", title: "Harbour", text: "Harbour is a film by Ada Lindqvist." },
        { id: "director", title: "Ada Lindqvist", text: "She was born in Uppsala." },
      ]);
      const { explore, toHtml } = entries["."];
      const view = await explore(index, "Where was the director of Harbour born?");
      const page = toHtml(view);
      console.log(view.passages.map(({ passageId }) => passageId).join(" "), page.endsWith("</html>"));`,
    prints: "film director true",
  },
  "@trigraph/langchain": {
    program: `
      const retriever = await entries["."].TriGraphRetriever.fromTexts(
        ["Harbour is a film by Ada Lindqvist.", "Ada Lindqvist was born in Uppsala.", "The director was born."],
        [{ n: 1 }, { n: 2 }, { n: 3 }],
      );
      const found = await retriever.invoke("Where was the director of Harbour born?", { k: 2 });
      console.log(found.map(({ metadata }) => metadata.n).join(" "));`,
    prints: "1 2",
  },
  "@trigraph/llamaindex": {
    program: `
      const schema = "@llamaindex/core/schema";
      // Of the same kind as the package: two kinds are two copies of LlamaIndex, which warns of that.
      const { TextNode } = typeof require === "function" ? require(schema) : await import(schema);
      const nodes = [
        new TextNode({ id_: "film", text: "Harbour is a film by Ada Lindqvist.", metadata: { title: "Harbour" } }),
        new TextNode({ id_: "director", text: "She was born in Uppsala.", metadata: { title: "Ada Lindqvist" } }),
        new TextNode({ id_: "other", text: "The director was born." }),
      ];
      const retriever = await entries["."].TriGraphRetriever.fromNodes(nodes, { topK: 2 });
      const found = await retriever.retrieve("Where was the director of Harbour born?");
      console.log(found.map(({ node }) => node.id_).join(" "));`,
    prints: "film director",
  },
  "@trigraph/transformers": {
    program: `
      const { TransformersEmbedder, ModelError } = entries["."];
      // This project has no @xenova/transformers: it is installed by who wants it.
      const error = await new TransformersEmbedder({ model: "any" }).load().catch((error) => error);
      const embeddings = new entries["./langchain"].TransformersEmbeddings({ model: "any" });
      const embedding = new entries["./llamaindex"].TransformersEmbedding({ model: "any" });
      console.log(error instanceof ModelError, error.code, embeddings.model === embedding.model);`,
    prints: "true MISSING_PACKAGE true",
  },
};

const packages = publishedPackages().map(({ dir, manifest }) => ({ name: manifest.name, dir, manifest }));
const folder = mkdtempSync(join(tmpdir(), "trigraph packed "));
const project = join(folder, "project");
const tarballs = new Map<string, string>();

beforeAll(async () => {
  for (const { name, dir } of packages) {
    const target = join(folder, name.replace("/", "-"));
    const [command, args] = pnpm(["pack", "--pack-destination", target]);
    await runOrThrow(command, args, join(root, dir));
    tarballs.set(
      name,
      join(
        target,
        readdirSync(target).find((file) => file.endsWith(".tgz"))!,
      ),
    );
  }
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await runOrThrow("npm", ["install", ...flags, ...tarballs.values()], project);
});

// Thousands of files, on a disk that others use.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(packages)("$name", ({ name, dir, manifest }) => {
  const entries = Object.keys(manifest.exports ?? {}).filter((entry) => entry !== "./package.json");

  test("is listed here", () => {
    expect(Object.keys(EXPORTS[name] ?? {})).toEqual(entries);
  });

  test.each(["mjs", "cjs"])("works as .%s", async (extension) => {
    const wanted = EXPORTS[name] ?? {};
    const load = (entry: string) => {
      const specifier = JSON.stringify(name + entry.slice(1));
      return extension === "mjs" ? `await import(${specifier})` : `require(${specifier})`;
    };
    const file = join(project, `${dir.replace(/\W+/g, "-")}.${extension}`);
    writeFileSync(
      file,
      [
        `const entries = {};`,
        ...entries.map((entry) => `entries[${JSON.stringify(entry)}] = ${load(entry)};`),
        `const wanted = ${JSON.stringify(wanted)};`,
        `for (const [entry, names] of Object.entries(wanted)) for (const name of names) {`,
        `  if (!(name in entries[entry])) throw new Error(entry + " lacks " + name);`,
        `}`,
        PROGRAMS[name] === undefined ? `console.log("ok");` : `(async () => {\n${PROGRAMS[name].program}\n})();`,
      ].join("\n"),
    );
    const { code, stdout, stderr } = await run(process.execPath, [file], project);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${PROGRAMS[name]?.prints ?? "ok"}\n`, stderr: "" });
  });

  test("carries its licence and papers, and no source", () => {
    const files = createPackageFromTarballData(readFileSync(tarballs.get(name)!)).listFiles();
    const own = files.map((file) => file.replace(`/node_modules/${name}/`, ""));
    expect(own).toEqual(expect.arrayContaining(["LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "package.json"]));
    const others = own.filter(
      (file) => !/^(dist\/|LICENSE$|NOTICE$|README\.md$|CHANGELOG\.md$|package\.json$)/.test(file),
    );
    expect(others).toEqual([]);
  });

  test("satisfies publint", async () => {
    const tarball = new Uint8Array(readFileSync(tarballs.get(name)!)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test.skipIf(entries.length === 0)("has right types for every way to resolve it", async () => {
    const result = await checkPackage(createPackageFromTarballData(readFileSync(tarballs.get(name)!)));
    if (result.types === false) throw new Error("no types");
    // Node 10's resolution knows no "exports"; only the main entry can serve it.
    const problems = result.problems.filter(
      (problem) => !("resolutionKind" in problem && problem.resolutionKind === "node10" && problem.entrypoint !== "."),
    );
    expect(problems).toEqual([]);
  });
});
