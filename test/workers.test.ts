// Indexing with real threads, from the build.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EnglishAnalyzer, type Passage, TriGraph, WorkerError } from "@trigraph/core";
import { FileDirectory, serveAnalyzer, WorkerPool } from "@trigraph/core/node";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { run } from "./support/processes.js";
import { root } from "./support/workspace.js";

const scripts = join(import.meta.dirname, "support", "workers");
const folder = mkdtempSync(join(tmpdir(), "trigraph workers "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const corpus = readFileSync(join(root, "examples/demo/data/corpus.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Passage);

const withoutToken = (text: string) => text.replaceAll(/-[0-9a-f]{16}-/g, "-writer-");

test("the files are the same for any number of threads", async () => {
  // Two copies of the demo's corpus are three pieces for the threads. Then some are added and some replaced.
  const passages = [0, 1].flatMap((copy) => corpus.map(({ id, ...rest }) => ({ ...rest, id: `${id}.${copy}` })));
  const write = async (threads: number) => {
    const path = join(folder, `index of ${threads}`);
    const index = await TriGraph.open(new FileDirectory(path), { create: true });
    const workers = threads === 0 ? undefined : new WorkerPool({ threads });
    await index.upsert(passages.slice(30), { workers });
    await index.upsert([...passages.slice(0, 60), { id: passages[90].id, text: "Ada Quill." }].reverse(), { workers });
    await index.close();
    await workers?.close();
    return readdirSync(path).map((name) => {
      const bytes = readFileSync(join(path, name));
      // Names of files tell which writer they are of, and the manifest names them.
      if (!name.endsWith(".json")) return [withoutToken(name), bytes.toString("base64")];
      return [name, withoutToken(bytes.toString()).replace(/"checksum":\d+,"formatV/, '"formatV')];
    });
  };
  const alone = await write(0);
  expect(alone.length).toBeGreaterThanOrEqual(3);
  for (const threads of [1, 2, 3]) expect(await write(threads)).toEqual(alone);
});

const english = new EnglishAnalyzer();
const moody = { id: "moody/1", analyze: (text: string) => english.analyze(text) };

test("a failing, ending or hanging analyzer is told apart, and the pool goes on", async () => {
  const index = await TriGraph.create({ analyzer: moody });
  const workers = new WorkerPool({ threads: 1, script: join(scripts, "moody.mjs") });
  const upsert = (text: string, signal?: AbortSignal) =>
    index
      .upsert(
        [
          { id: "1", text: "Ada Quill" },
          { id: text, text },
        ],
        { workers, signal },
      )
      .catch((error: unknown) => error);
  const failed = await upsert("throw");
  expect(failed).toBeInstanceOf(WorkerError);
  expect(failed).toMatchObject({
    code: "WORKER",
    message: 'WorkerPool: the analyzer "moody/1" failed in its thread: I will not',
    cause: { message: "I will not", stack: expect.stringContaining("moody.mjs") as string },
  });
  expect(await upsert("exit")).toMatchObject({
    code: "WORKER",
    message: expect.stringContaining("ended with code 3 before it answered") as string,
  });
  expect(await upsert("hang", AbortSignal.timeout(1000))).toMatchObject({ name: "TimeoutError" });
  expect([index.size, index.commits]).toEqual([0, 0]);
  expect(await upsert("Bram Stone")).toMatchObject({ added: 2 });

  const closed = upsert("hang");
  await workers.close();
  expect(await closed).toMatchObject({ code: "CLOSED" });
  expect(await upsert("late")).toMatchObject({ code: "CLOSED" });
  await workers.close();
});

test("calls on one pool do not harm each other", async () => {
  const workers = new WorkerPool({ threads: 2, script: join(scripts, "moody.mjs") });
  const indexes = await Promise.all(["hang", "throw", "Ada Quill"].map(() => TriGraph.create({ analyzer: moody })));
  const calls = indexes.map((index, i) => {
    const text = ["hang", "throw", "Ada Quill"][i];
    // Behind the one that hangs: they are given to another thread when its call has ended.
    return index.upsert([{ id: "1", text }], { workers, signal: i === 0 ? AbortSignal.timeout(2000) : undefined });
  });
  expect(await Promise.allSettled(calls)).toMatchObject([
    { status: "rejected", reason: { name: "TimeoutError" } },
    { status: "rejected", reason: { code: "WORKER" } },
    { status: "fulfilled", value: { added: 1 } },
  ]);
  await workers.close();
});

test("a script that cannot serve is refused", async () => {
  const index = await TriGraph.create();
  const upsert = async (script: string) => {
    const workers = new WorkerPool({ threads: 2, script: join(scripts, script) });
    const error = await index.upsert(corpus.slice(0, 3), { workers }).catch((error: unknown) => error);
    await workers.close();
    return error;
  };
  expect(await upsert("moody.mjs")).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining('analyzer "english-wink/1", got "moody/1"') as string,
  });
  expect(await upsert("missing.mjs")).toMatchObject({
    code: "WORKER",
    message: expect.stringMatching(/expected its script .*missing\.mjs to load.*\(option script\)/) as string,
  });
  expect(await upsert("silent.mjs")).toMatchObject({
    code: "WORKER",
    message: expect.stringContaining("must call serveAnalyzer") as string,
  });
  expect(index.size).toBe(0);
  for (const options of [{ threads: 0 }, { threads: 1.5 }, { script: 1 }, { script: "" }, { size: 2 }]) {
    expect(() => new WorkerPool(options as object)).toThrow(/^WorkerPool: expected/);
  }
  expect(() => serveAnalyzer(english)).toThrow(/^serveAnalyzer: expected to be called in a worker thread/);
  expect(() => serveAnalyzer(undefined as never)).toThrow(/^serveAnalyzer: analyzer: expected/);
});

test("a pool that is not closed lets the process end", async () => {
  const { code, stdout, stderr } = await run(process.execPath, [join(scripts, "unfinished.mjs")], root);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "2\n", stderr: "" });
});

test("a thread without memory is an error, not the end of the process", async () => {
  const args = ["--max-old-space-size=120", join(scripts, "exhausted.mjs")];
  const { code, stdout } = await run(process.execPath, args, root);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "WORKER ERR_WORKER_OUT_OF_MEMORY 0\n1\n" });
});

test("a bundled program brings a script of its own, and is told so", async () => {
  const sources = {
    "worker.js": `
      import { EnglishAnalyzer } from "@trigraph/core";
      import { serveAnalyzer } from "@trigraph/core/node";
      serveAnalyzer(new EnglishAnalyzer());`,
    "program.js": `
      import { TriGraph } from "@trigraph/core";
      import { WorkerPool } from "@trigraph/core/node";
      const index = await TriGraph.create();
      const passages = [{ id: "1", text: "Ada Quill met Bram Stone." }];
      const upsert = (options) => index.upsert(passages, { workers: new WorkerPool({ threads: 1, ...options }) });
      const error = await upsert({}).catch((error) => error);
      await upsert({ script: new URL("worker.js", import.meta.url) });
      console.log(error.code, error.message.includes("option script"), index.stats().entities);`,
  };
  for (const [name, source] of Object.entries(sources)) {
    writeFileSync(join(folder, name), source);
  }
  const bundle = join(folder, "bundle");
  await build({
    entryPoints: Object.keys(sources).map((name) => join(folder, name)),
    nodePaths: [join(import.meta.dirname, "node_modules")],
    bundle: true,
    platform: "node",
    format: "esm",
    outdir: bundle,
    logLevel: "error",
  });
  writeFileSync(join(bundle, "package.json"), '{ "type": "module" }');
  const { code, stdout, stderr } = await run(process.execPath, [join(bundle, "program.js")], folder);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "WORKER true 2\n", stderr: "" });
});
