// The built package: both module systems, what it needs, and the oldest and newest LangChain that it supports.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));
const node = async (...args: string[]) => (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
const read = (path: string) => readFileSync(join(folder, path), "utf8");

const NAMES = ["TriGraphRetriever", "TriGraphStore", "createTriGraphTool", "langChainEmbedder"];

test("resolves as an ES module and as CommonJS", async () => {
  const print = "console.log(Object.keys(entry).sort().join())";
  const esm = await node("--input-type=module", "-e", `import * as entry from "@trigraph/langchain"; ${print}`);
  const cjs = await node("--input-type=commonjs", "-e", `const entry = require("@trigraph/langchain"); ${print}`);
  expect([esm.trim(), cjs.trim()]).toEqual([NAMES.join(), NAMES.join()]);
});

test("imports nothing but its peers, so neither Node's modules nor a second LangChain", () => {
  const { dependencies, peerDependencies } = JSON.parse(read("package.json")) as Record<string, object | undefined>;
  expect(dependencies).toBeUndefined();
  const peers = Object.keys(peerDependencies!);
  const files = readdirSync(join(folder, "dist")).filter((name) => /\.[mc]js$/.test(name));
  expect(files.length).toBeGreaterThan(1);
  const imported = files.flatMap((name) =>
    [...read(join("dist", name)).matchAll(/(?:from |require\()"([^".][^"]*)"/g)].map(([, specifier]) => specifier),
  );
  expect(imported.length).toBeGreaterThan(5);
  expect(
    imported.filter((specifier) => !peers.some((peer) => specifier === peer || specifier.startsWith(`${peer}/`))),
  ).toEqual([]);
});

test.each([
  ["oldest", ["--import", "./test/oldest/register.mjs"], "1.0.0"],
  ["newest", [], "1.4.0"],
])("works with the %s supported LangChain", async (_, args, version) => {
  expect(createRequire(import.meta.url)("../package.json")).toMatchObject({
    peerDependencies: { "@langchain/core": "^1.0.0" },
  });
  const path = "film director mother";
  expect(JSON.parse(await node(...args, "./test/oldest/smoke.mjs"))).toEqual({
    version,
    retrieved: path,
    ofTheCall: "film",
    configurable: "mother",
    aborted: "stop",
    ensemble: path,
    chain: `Greta Holm: ${path}`,
    tool: path,
    index: "2 deleted, 2 left",
  });
});
