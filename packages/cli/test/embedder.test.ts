import { join } from "node:path";
import type { IndexStats } from "@trigraph/core";
import { startLocalOpenAi, type LocalOpenAi } from "@trigraph/local-openai";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { EXIT } from "../src/terminal.js";
import { cli, Folder, json, jsonLines } from "./support/cli.js";

const ROWS = [
  { id: "bees", text: "Honey is made by bees." },
  { id: "bread", text: "Rye bread is baked of rye flour." },
];

const folder = new Folder();
let server: LocalOpenAi;
beforeAll(async () => {
  server = await startLocalOpenAi();
  vi.stubEnv("OPENAI_API_KEY", "none");
  vi.stubEnv("OPENAI_BASE_URL", server.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  folder.remove();
});

const index = (name: string, ...args: string[]) =>
  cli(["index", "-", "--into", folder.at(name), "-q", ...args], { input: [jsonLines(...ROWS)] });

test("vectors come from OpenAI's interface, at the precision asked for", async () => {
  const embedder = ["--embedder", "openai:text-embedding-3-small"];
  expect((await index("openai", ...embedder, "--vector-precision", "int8")).code).toBe(EXIT.done);
  const IN = ["--in", folder.at("openai")];
  expect((await json<IndexStats>(["stats", ...IN])).dimensions).toBeGreaterThan(0);
  const { out, err } = await cli(["search", "Who makes honey?", ...IN, ...embedder, "-k", "1"]);
  expect(out).toContain("bees");
  expect(err).toBe("");

  const byWords = await cli(["search", "Who makes honey?", ...IN]);
  expect(byWords).toMatchObject({ code: EXIT.done, err: expect.stringContaining("by words alone") as string });
  expect((await cli(["search", "Who makes honey?", ...IN, "-q"])).err).toBe("");

  const other = await cli(["search", "honey", ...IN, "--embedder", "openai:text-embedding-3-large"]);
  expect(other.err).toContain('"openai:text-embedding-3-small"');
  expect(other.code).toBe(EXIT.failed);
});

test("a service that fails is an error of one line, and the index is as before", async () => {
  vi.stubEnv("OPENAI_BASE_URL", `${server.url}/nowhere`);
  const { code, out, err } = await index("failed", "--embedder", "openai:any");
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  expect({ code, out, lines: err.trim().split("\n").length }).toEqual({ code: EXIT.failed, out: "", lines: 1 });
  expect(err).toContain("the embedder failed");
});

test("a key that is missing is told as OpenAI's client has it", async () => {
  vi.stubEnv("OPENAI_API_KEY", undefined);
  const { code, err } = await index("keyless", "--embedder", "openai:any");
  vi.stubEnv("OPENAI_API_KEY", "none");
  expect(err).toContain("OPENAI_API_KEY");
  expect(code).toBe(EXIT.failed);
});

test("vectors come from a model in the process", async () => {
  const models = join(import.meta.dirname, "..", "..", "transformers", "test", "models");
  vi.stubEnv("TRIGRAPH_EMBEDDER", "transformers:tiny/encoder");
  const { code, err } = await index("local", "--models", models);
  vi.stubEnv("TRIGRAPH_EMBEDDER", undefined);
  expect(code, err).toBe(EXIT.done);
  expect((await json<IndexStats>(["stats", "--in", folder.at("local")])).dimensions).toBeGreaterThan(0);
});

test("a package that is missing is told, with what to install", async () => {
  vi.doMock("openai", () => {
    throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  });
  const { code, err } = await index("missing", "--embedder", "openai:any");
  vi.doUnmock("openai");
  expect(err).toContain("npm install openai");
  expect(code).toBe(EXIT.failed);
});

test("a folder of models is for models in the process", async () => {
  expect((await index("none", "--models", "x")).code).toBe(EXIT.usage);
});
