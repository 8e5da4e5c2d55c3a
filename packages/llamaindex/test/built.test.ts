// The built package: both module systems, what it needs, and the oldest and newest LlamaIndex that it supports.
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { readBuilt, runWith } from "../../../test/support/built.js";

const DIR = "packages/llamaindex";
const manifest = createRequire(import.meta.url)("../package.json") as Record<string, Record<string, string>>;

test("resolves as an ES module and as CommonJS, and imports nothing but its peers", async () => {
  const { names, imports } = await readBuilt(DIR, "@trigraph/llamaindex");
  expect(names.esm).toEqual([
    "TriGraphPostprocessor",
    "TriGraphRetriever",
    "TriGraphVectorStore",
    "contentId",
    "createTriGraphTool",
    "llamaIndexEmbedder",
    "nodesFromDocuments",
  ]);
  expect(names.cjs).toEqual(names.esm);
  expect(imports.length).toBeGreaterThan(5);
  // So neither Node's modules nor a second LlamaIndex, and never the core's root, which it does not export.
  const allowed = /^(@llamaindex\/core\/.+|@llamaindex\/env|@trigraph\/core)$/;
  expect(imports.filter((specifier) => !allowed.test(specifier))).toEqual([]);
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.peerDependencies).toEqual({
    "@llamaindex/core": ">=0.6.22 <0.7",
    "@llamaindex/env": ">=0.1.30 <0.2",
    "@trigraph/core": "workspace:^",
  });
});

test.each([
  ["oldest", {}, "0.6.22", "0.1.30"],
  [
    "newest",
    { "@llamaindex/core": "llamaindex-core-newest", "@llamaindex/env": "llamaindex-env-newest" },
    "0.6.23",
    "0.1.31",
  ],
])("works with the %s supported LlamaIndex", async (_, replaced, core, env) => {
  const path = "film director mother";
  expect(await runWith(DIR, "./test/smoke.mjs", replaced)).toEqual({
    core,
    env,
    retrieved: path,
    filtered: "mother",
    engine: `Greta Holm: ${path}`,
    chat: `Greta Holm: ${path}`,
    tool: 3,
    reranked: "film",
    store: path,
    left: "3 3",
  });
});
