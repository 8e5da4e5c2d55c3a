// The built package: both module systems, what it needs, and the oldest and newest LangChain that it supports.
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { readBuilt, runWith } from "../../../test/support/built.js";

const DIR = "packages/langchain";
const NAMES = ["TriGraphRetriever", "TriGraphStore", "createTriGraphTool", "langChainEmbedder"];
const manifest = createRequire(import.meta.url)("../package.json") as Record<string, Record<string, string>>;

test("resolves as an ES module and as CommonJS, and imports nothing but its peers", async () => {
  const { names, imports } = await readBuilt(DIR, "@trigraph/langchain");
  expect(names).toEqual({ esm: NAMES, cjs: NAMES });
  expect(imports.length).toBeGreaterThan(5);
  // So neither Node's modules nor a second LangChain.
  expect(imports.filter((specifier) => !/^@(langchain|trigraph)\/core(\/|$)/.test(specifier))).toEqual([]);
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.peerDependencies).toEqual({ "@langchain/core": "^1.0.0", "@trigraph/core": "workspace:^" });
});

test.each([
  ["oldest", { "@langchain/core": "langchain-core-oldest", "@langchain/classic": "langchain-classic-oldest" }, "1.0.0"],
  ["newest", {}, "1.4.0"],
])("works with the %s supported LangChain", async (_, replaced, version) => {
  const path = "director film mother";
  expect(await runWith(DIR, "./test/smoke.mjs", replaced)).toEqual({
    version,
    retrieved: path,
    ofTheCall: "film",
    configurable: "mother",
    aborted: "stop",
    ofTheStore: "stop",
    ensemble: path,
    chain: `Greta Holm: ${path}`,
    tool: path,
    index: "2 deleted, 2 left",
  });
});
