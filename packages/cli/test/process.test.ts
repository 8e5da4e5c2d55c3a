// What only a process of its own can show: signals, pipes, exit codes. The built program is run.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { afterAll, expect, test } from "vitest";
import { EXIT } from "../src/terminal.js";
import { Folder, json, jsonLines } from "./support/cli.js";

const MAIN = join(import.meta.dirname, "..", "dist", "trigraph.mjs");
const folder = new Folder();
afterAll(() => folder.remove());

const ROWS = Array.from({ length: 40 }, (_, i) => ({ id: `${i}`, text: `Lake ${i} flows into Lake ${i + 1}.` }));

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
}

function start(...args: string[]): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder.path, stdio: "pipe" });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  return { child, ended };
}

/** Passages that are durable. */
async function durable(path: string): Promise<number> {
  const index = await TriGraph.open(new FileDirectory(path), { readOnly: true, create: true });
  try {
    return index.size;
  } finally {
    await index.close();
  }
}

test("an index run that gets SIGINT keeps what is durable, and the same command ends the work", async () => {
  const path = folder.at("index");
  const args = ["index", "-", "--into", path, "--batch", "3", "--json"];
  const { child, ended } = start(...args);
  // It waits for more when the signal comes.
  child.stdin!.write(jsonLines(...ROWS.slice(0, 20)));
  await expect.poll(() => durable(path), { timeout: 30_000 }).toBe(18);
  child.kill("SIGINT");
  const { code, out, err } = await ended;
  expect(code, err).toBe(EXIT.interrupted);
  expect(JSON.parse(out)).toMatchObject({ added: 18, complete: false });
  expect(err).toContain("goes on from here");

  const rest = await json(args.slice(0, -1), { input: [jsonLines(...ROWS)] });
  expect(rest).toMatchObject({ added: 22, unchanged: 18, passages: 40, complete: true });
  expect(await json(["check", "--in", path])).toEqual({ findings: [] });
});

test("a run that is killed leaves a lock that the next one takes over", async () => {
  const path = folder.at("killed");
  const { child, ended } = start("index", "-", "--into", path, "--batch", "2");
  child.stdin!.write(jsonLines(...ROWS.slice(0, 3)));
  await expect.poll(() => durable(path), { timeout: 30_000 }).toBe(2);
  child.kill("SIGKILL");
  expect((await ended).code).toBeNull();
  const rest = await json(["index", "-", "--into", path], { input: [jsonLines(...ROWS.slice(0, 3))] });
  expect(rest).toMatchObject({ added: 1, unchanged: 2 });
});

test("whoever has read enough ends it quietly; an error is one line and a code", async () => {
  const rows = ROWS.flatMap((row) => Array.from({ length: 20 }, (_, i) => ({ ...row, id: `${row.id}-${i}` })));
  await json(["index", folder.write("rows.jsonl", jsonLines(...rows)), "--into", folder.at("long"), "-q"]);
  const graph = start("export", "graph", "--in", "long");
  graph.child.stdout!.once("data", () => graph.child.stdout!.destroy());
  const failed = start("stats", "--in", "none");
  expect(await graph.ended).toMatchObject({ code: EXIT.done, err: "" });
  const { code, out, err } = await failed.ended;
  expect({ code, out, lines: err.split("\n").length }).toEqual({ code: EXIT.failed, out: "", lines: 2 });
});
