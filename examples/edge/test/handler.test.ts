// Runs the built function in workerd, the runtime of Cloudflare Workers, which has none of Node's modules.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Passage, TriGraph } from "@trigraph/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import workerd from "workerd";
import { type AnsweredPassage, toAnswer } from "../src/answer.js";
import { PASSAGES } from "../src/prebuilt-index.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
const CORPUS = fileURLToPath(new URL("../../demo/data/corpus.jsonl", import.meta.url));
const QUESTION = "Why did John Middleton Murry's wife die?";

let server: ChildProcess;
let url: string;

beforeAll(async () => {
  ({ server, url } = await serve(join(folder, "workerd.capnp")));
});

afterAll(() => server?.kill());

/** Starts workerd at a port that it chooses. */
async function serve(config: string, folderOfConfig = folder) {
  const server = spawn(workerd, ["serve", config, "--socket-addr=http=localhost:0", "--control-fd=3"], {
    cwd: folderOfConfig,
    stdio: ["ignore", "inherit", "pipe", "pipe"],
  });
  let errors = "";
  server.stderr!.on("data", (text: Buffer) => (errors += String(text)));
  const port = await new Promise<number>((resolve, reject) => {
    server.on("error", reject);
    server.on("close", (code) => reject(new Error(`workerd ended with ${code}: ${errors}`)));
    server.stdio[3]!.on("data", (line: Buffer) => {
      const message = JSON.parse(String(line)) as { event: string; port: number };
      if (message.event === "listen") resolve(message.port);
    });
  });
  return { server, url: `http://localhost:${port}` };
}

test("answers as an index in Node does, with the reason of each passage", async () => {
  const lines = readFileSync(CORPUS, "utf8").split("\n").slice(0, PASSAGES);
  const index = await TriGraph.create();
  await index.upsert(lines.map((line) => JSON.parse(line) as Passage));
  const expected = (await index.retrieve(QUESTION, { k: 5, explain: true })).map(toAnswer);

  const response = await fetch(`${url}/?q=${encodeURIComponent(QUESTION)}`);
  const { question, passages } = (await response.json()) as { question: string; passages: AnsweredPassage[] };
  expect(question).toBe(QUESTION);
  expect(passages).toHaveLength(5);
  passages.forEach((passage, i) => {
    expect(passage).toEqual({ ...expected[i], score: passage.score });
    expect(passage.score).toBeCloseTo(expected[i].score, 12);
  });
  expect(passages.filter(({ path }) => path !== null).length).toBeGreaterThan(0);
});

test("npm run example -- edge tells where it is served, and an address that answers", async () => {
  const program = spawn(process.execPath, ["serve.mjs", "--socket-addr=http=localhost:0"], {
    cwd: folder,
    stdio: "pipe",
  });
  try {
    const [printed] = (await once(program.stdout, "data", { signal: AbortSignal.timeout(20_000) })) as [Buffer];
    const [address] = String(printed).split("\n");
    expect(((await (await fetch(address)).json()) as { passages: AnsweredPassage[] }).passages).toHaveLength(5);
  } finally {
    program.kill();
  }
  // And workerd with it.
  expect(await once(program, "close")).toEqual([0, null]);
});

test("answers many at once, from the first request on", async () => {
  const fresh = await serve(join(folder, "workerd.capnp"));
  try {
    const asked = Array.from({ length: 8 }, () => fetch(`${fresh.url}/?q=${encodeURIComponent(QUESTION)}`));
    const texts = await Promise.all((await Promise.all(asked)).map((response) => response.text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('"passages":[{');
  } finally {
    fresh.server.kill();
  }
});

test("says what it expects of a request", async () => {
  const statusOf = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    return [response.status, ((await response.json()) as { error: string }).error];
  };
  expect(await statusOf("/")).toEqual([400, expect.stringContaining("retrieve: expected")]);
  expect(await statusOf("/other")).toEqual([404, expect.stringContaining('"/"')]);
  expect(await statusOf("/?q=x", { method: "POST" })).toEqual([405, expect.stringContaining("GET")]);
});

test("the runtime has none of Node's modules", async () => {
  const config = await mkdtemp(join(tmpdir(), "trigraph-workerd-"));
  try {
    await writeFile(join(config, "fs.mjs"), 'import "node:fs"; export default { fetch: () => new Response() };');
    const text = readFileSync(join(folder, "workerd.capnp"), "utf8");
    await writeFile(join(config, "workerd.capnp"), text.replaceAll("dist/handler.mjs", "fs.mjs"));
    await expect(serve("workerd.capnp", config)).rejects.toThrow(/No such module "node:fs"/);
  } finally {
    await rm(config, { recursive: true });
  }
});
