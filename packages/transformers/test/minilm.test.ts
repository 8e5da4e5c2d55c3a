// Known similarities of a published model: with TRIGRAPH_MODELS, a folder that holds Xenova/all-MiniLM-L6-v2.
// Skipped without, even with TRIGRAPH_REQUIRE_ALL=1: no package registry has the model.
import { env } from "node:process";
import { expect, test } from "vitest";
import { TransformersEmbedder } from "../src/index.js";
import { cosine } from "./support/models.js";

const localModelPath = env.TRIGRAPH_MODELS;

test.skipIf(localModelPath === undefined)("all-MiniLM-L6-v2 tells what texts are about (TRIGRAPH_MODELS)", async () => {
  const embedder = new TransformersEmbedder({
    model: "Xenova/all-MiniLM-L6-v2",
    localModelPath,
    allowRemoteModels: false,
  });
  await embedder.load();
  expect(embedder.dimensions).toBe(384);
  const [person, ...others] = await embedder.embedPassages([
    "That is a happy person",
    "That is a happy dog",
    "That is a very happy person",
    "Today is a sunny day",
  ]);
  // Of the same file, by the tokenizers and ONNX Runtime packages for Python.
  const known = [0.7002, 0.9105, 0.2799];
  for (const [i, other] of others.entries()) {
    expect(Math.abs(cosine(person, other) - known[i])).toBeLessThan(0.01);
  }
  const long = "The tower is 324 metres tall. ".repeat(100);
  expect(cosine(await embedder.embedQuery(long), await embedder.embedQuery("How tall is the tower?"))).toBeGreaterThan(
    0.5,
  );
  await embedder.dispose();
});
