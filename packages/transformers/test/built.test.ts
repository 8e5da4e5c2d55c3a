// The built package: both module systems, what it needs, and what happens without the library.
import { createRequire } from "node:module";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { readBuilt, runWith } from "../../../test/support/built.js";

const DIR = "packages/transformers";
const ENTRIES = {
  "@trigraph/transformers": ["CrossEncoderReranker", "ModelError", "TransformersAnalyzer", "TransformersEmbedder"],
  "@trigraph/transformers/langchain": ["CrossEncoderCompressor", "TransformersEmbeddings"],
  "@trigraph/transformers/llamaindex": ["CrossEncoderPostprocessor", "TransformersEmbedding"],
};
const manifest = createRequire(import.meta.url)("../package.json") as Record<string, unknown>;

test.each(Object.entries(ENTRIES))("%s resolves as an ES module and as CommonJS", async (entry, names) => {
  const { names: found, imports } = await readBuilt(DIR, entry);
  expect(found).toEqual({ esm: names, cjs: names });
  // Neither Node's modules nor, before it is needed, the library.
  expect(imports.length).toBeGreaterThan(3);
  expect(imports.filter((name) => !/^@(langchain|llamaindex|trigraph)\/core(\/|$)/.test(name))).toEqual([]);
});

test("all but the core is an optional peer", () => {
  expect(manifest.dependencies).toBeUndefined();
  const optional = Object.keys(manifest.peerDependenciesMeta as object);
  const peers = Object.keys(manifest.peerDependencies as object);
  expect(peers.filter((name) => !optional.includes(name))).toEqual(["@trigraph/core"]);
});

test("a bundle for browsers has ONNX Runtime as WebAssembly, and nothing of Node's", async () => {
  const { metafile, warnings } = await build({
    stdin: { contents: 'export * from "@trigraph/transformers"', resolveDir: import.meta.dirname },
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.filter((path) => path.includes("/onnxruntime-web/")).length).toBeGreaterThan(0);
  // What the library's "browser" field leaves out is there by name only.
  const ofNode = inputs.filter((path) => /\/(onnxruntime-node|sharp)\//.test(path) && !path.startsWith("(disabled):"));
  expect(ofNode).toEqual([]);
});

test("without the library the first model is an error that says how to install it", async () => {
  const missing = { "@xenova/transformers": "not-installed" };
  const report = (await runWith(DIR, "./test/without-library.mjs", missing)) as { message: string }[];
  expect(report).toHaveLength(2);
  for (const error of report) {
    expect(error).toMatchObject({ name: "ModelError", code: "MISSING_PACKAGE" });
    expect(error.message).toContain('"overrides": { "sharp": "^0.34.0" }');
    expect(error.message).toContain("npm install @xenova/transformers@^2.17.2");
  }
});
