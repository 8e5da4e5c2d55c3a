// Models that are downloaded, from a hub in this process.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "@xenova/transformers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelProgress, TransformersEmbedder } from "../src/index.js";
import { ENCODER } from "./support/models.js";
import { type Hub, startHub } from "./support/hub.js";

const MODEL = "someone/tiny-MiniLM";
const remoteHost = env.remoteHost;
const folder = mkdtempSync(join(tmpdir(), "trigraph-hub-"));
let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
  env.remoteHost = hub.url;
});
afterAll(async () => {
  env.remoteHost = remoteHost;
  await hub.close();
  rmSync(folder, { recursive: true });
});

test("a model is downloaded with progress, kept, and found offline", async () => {
  const seen: ModelProgress[] = [];
  const cacheDir = join(folder, "cache");
  const options = { model: MODEL, revision: "v1", cacheDir };
  const embedder = new TransformersEmbedder({ ...options, onProgress: (event) => seen.push(event) });
  const vector = await embedder.embedQuery("Honey is made by bees.");
  expect(hub.requests).toContain(`/${MODEL}/resolve/v1/onnx/model_quantized.onnx`);
  expect(seen.at(-1)).toMatchObject({ model: MODEL, file: "onnx/model_quantized.onnx" });
  expect(existsSync(join(cacheDir, MODEL, "v1", "onnx", "model_quantized.onnx"))).toBe(true);

  const asked = hub.requests.length;
  const offline = new TransformersEmbedder({ ...options, allowRemoteModels: false });
  expect(await offline.embedQuery("Honey is made by bees.")).toEqual(vector);
  expect(hub.requests.length).toBe(asked);
  expect(await new TransformersEmbedder(ENCODER).embedQuery("Honey is made by bees.")).toEqual(vector);
});

test("a model that the hub does not have is an error that names both places", async () => {
  const embedder = new TransformersEmbedder({ model: "someone/unknown", localModelPath: folder, cacheDir: folder });
  const error = await embedder.load().catch((error: unknown) => error as Error);
  expect(error).toMatchObject({ code: "MODEL" });
  expect((error as Error).message).toContain(`${folder}/someone/unknown`);
  expect((error as Error).message).toContain(hub.url);
  expect((error as Error).message).toContain("Check the name and the connection");
});

test("offline nothing is asked of the hub", async () => {
  const asked = hub.requests.length;
  const embedder = new TransformersEmbedder({
    model: MODEL,
    allowRemoteModels: false,
    cacheDir: join(folder, "empty"),
  });
  await expect(embedder.load()).rejects.toMatchObject({ code: "MODEL" });
  expect(hub.requests.length).toBe(asked);
});
