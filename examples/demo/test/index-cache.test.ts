import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TriGraph, type Passage } from "@trigraph/core";
import { afterEach, expect, test } from "vitest";
import { openOrBuild } from "../src/index-cache.js";
import { makeFolder } from "./support/run.js";

const PASSAGES: Passage[] = [
  { id: "1", title: "Blue Lake", text: "Blue Lake is a film by Ada Byron." },
  { id: "2", title: "Ada Byron", text: "She was born in Lima." },
];

let folder: Awaited<ReturnType<typeof makeFolder>> | undefined;
afterEach(() => folder?.remove());

const answers = async (index: TriGraph) =>
  index.retrieve("Where was the director of Blue Lake born?", { explain: true });

test("an index that was kept answers like a new one", async () => {
  folder = await makeFolder({});
  const built = await openOrBuild(PASSAGES, folder.path);
  const kept = await readdir(folder.path);
  expect(kept).toHaveLength(1);
  const opened = await openOrBuild(PASSAGES, folder.path);
  expect(await answers(opened)).toEqual(await answers(built));
  expect(await readdir(folder.path)).toEqual(kept);
});

test("other passages, or a damaged index, are indexed anew", async () => {
  folder = await makeFolder({});
  await openOrBuild(PASSAGES, folder.path);
  const [name] = await readdir(folder.path);
  for (const file of await readdir(join(folder.path, name))) await writeFile(join(folder.path, name, file), "damaged");
  const rebuilt = await openOrBuild(PASSAGES, folder.path);
  expect(rebuilt.size).toBe(2);
  expect((await openOrBuild(PASSAGES.slice(1), folder.path)).size).toBe(1);
  expect(await readdir(folder.path)).toHaveLength(1);
});

test("an index that cannot be kept is used all the same", async () => {
  folder = await makeFolder({ file: "in the way" });
  expect((await openOrBuild(PASSAGES, join(folder.path, "file"))).size).toBe(2);
});
