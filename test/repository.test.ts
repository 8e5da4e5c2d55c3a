// What the files at the root promise each other.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WORKSPACE_GLOBS } from "../scripts/lib/workspace.mjs";
import { root } from "./support/workspace.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the bootstrap knows the folders of the workspace", () => {
  const listed = /^packages:\n((?: {2}- .*\n)+)/m.exec(read("pnpm-workspace.yaml"))![1];
  expect([...listed.matchAll(/"(.+)"/g)].map(([, glob]) => glob)).toEqual(WORKSPACE_GLOBS);
});

test("the lock file leaves it to the user where packages come from", () => {
  // What a maintainer says of a deprecated package may hold a link.
  const lock = read("pnpm-lock.yaml").replace(/^ +deprecated: .*$/gm, "");
  expect(lock).not.toMatch(/https?:|tarball:/);
});

test("every gold passage of the demo's questions is in its corpus", () => {
  const rows = <T>(path: string) =>
    read(path)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as T);
  const ids = new Set(rows<{ id: string }>("examples/demo/data/corpus.jsonl").map(({ id }) => id));
  const gold = rows<{ gold: string[] }>("examples/demo/data/questions.jsonl").flatMap((question) => question.gold);
  expect(gold.length).toBeGreaterThan(0);
  expect(gold.filter((id) => !ids.has(id))).toEqual([]);
});
