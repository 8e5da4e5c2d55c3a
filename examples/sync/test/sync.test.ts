import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ReadError } from "@trigraph/console/read";
import { TriGraph } from "@trigraph/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { syncFolder } from "../src/sync.js";

const MAIN = join(import.meta.dirname, "..", "dist", "main.mjs");
const NOTES = join(import.meta.dirname, "..", "..", "notes");

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "trigraph-sync-test-"));
  folder = join(root, "notes");
  await cp(NOTES, folder, { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const run = (...args: string[]) => promisify(execFile)(process.execPath, [MAIN, ...args]);

/** All that an index holds, by id. */
const contentOf = (index: TriGraph) =>
  [...index.passages()].map(({ id, title, text, metadata }) => ({ id, title, text, metadata })).sort(byId);
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

async function expectFresh(index: TriGraph): Promise<void> {
  const fresh = await TriGraph.create();
  await syncFolder(fresh, folder);
  expect(contentOf(index)).toEqual(contentOf(fresh));
  expect(await index.check()).toEqual([]);
}

test("the tour tells what each run changed, and finds what a fresh index finds", async () => {
  const { stdout, stderr } = await run();
  expect(stderr).toBe("");
  const steps = stdout.trimEnd().split("\n\n");
  expect(steps.map((step) => step.split("\n")[1].trim())).toEqual([
    "19 added, 0 replaced, 0 unchanged, 0 deleted; 19 passages",
    "0 added, 0 replaced, 19 unchanged, 0 deleted; 19 passages",
    "1 added, 0 replaced, 18 unchanged, 1 deleted; 19 passages",
    "1 added, 1 replaced, 18 unchanged, 0 deleted; 20 passages",
    "0 added, 0 replaced, 19 unchanged, 1 deleted; 19 passages",
  ]);
  for (const step of steps) expect(step).toContain("a fresh index finds the same");
  const found = steps.map((step) => step.split("\n")[2]);
  expect(found[1]).toContain("Maria Okafor");
  expect(found[1]).not.toContain("Tomas Lind");
  expect(found[2]).toContain("Tomas Lind");
  expect(found[4]).not.toContain("Maria Okafor");
});

test("with a folder and an index it is the real thing, run after run", async () => {
  const index = join(root, "index");
  expect((await run(folder, index)).stdout).toMatch(/^19 added, 0 replaced, 0 unchanged, 0 deleted; 19 passages\n$/);
  await rm(join(folder, "minutes"), { recursive: true });
  expect((await run(folder, index)).stdout).toMatch(/^0 added, 0 replaced, 15 unchanged, 4 deleted; 15 passages\n$/);
  await expect(run(folder)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("sync: expected no") as string,
  });
  await expect(run(join(root, "nowhere"), index)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("found nothing there") as string,
  });
});

test("a text keeps its id where it moves in its file, and gets another in another file", async () => {
  const index = await TriGraph.create();
  await syncFolder(index, folder);
  const file = join(folder, "teams", "ledger-team.md");
  const [head, habits] = (await readFile(file, "utf8")).split("## Habits\n");
  await writeFile(file, `## Habits\n${habits}\n## Last\n\nThe last section of all.\n\n${head}`);
  expect(await syncFolder(index, folder)).toMatchObject({ added: 1, replaced: 2, deleted: 0 });
  await expectFresh(index);

  await cp(file, join(folder, "copy.md"));
  expect(await syncFolder(index, folder)).toMatchObject({ added: 3, replaced: 0, deleted: 0 });
  await expectFresh(index);
});

test("a folder without files, or an aborted run, changes nothing", async () => {
  const index = await TriGraph.create();
  await syncFolder(index, folder);
  const before = contentOf(index);
  await writeFile(join(folder, "new.md"), "# New\n\nSomething new.\n");
  await expect(syncFolder(index, folder, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  await rm(folder, { recursive: true });
  await expect(syncFolder(index, folder)).rejects.toThrow(ReadError);
  expect(contentOf(index)).toEqual(before);
});
