// Makes data/minilm.bin: vectors of the demo's passages and questions, so that notebooks show a real model offline.
//
//     TRIGRAPH_MODELS=FOLDER node scripts/make-vectors.mjs
//
// FOLDER holds Xenova/all-MiniLM-L6-v2. src/vectors.ts reads the file and says how it is laid out.
import { readFileSync, writeFileSync } from "node:fs";
import { embeddedText } from "@trigraph/core";
import { TransformersEmbedder } from "@trigraph/transformers";

const rows = (name) =>
  readFileSync(new URL(`../../demo/data/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const localModelPath = process.env.TRIGRAPH_MODELS;
if (localModelPath === undefined)
  throw new Error("Set TRIGRAPH_MODELS to the folder that holds Xenova/all-MiniLM-L6-v2.");

const embedder = new TransformersEmbedder({
  model: "Xenova/all-MiniLM-L6-v2",
  localModelPath,
  allowRemoteModels: false,
});
await embedder.load();
const vectors = [...(await embedder.embedPassages(rows("corpus").map(embeddedText)))];
for (const { question } of rows("questions")) vectors.push(await embedder.embedQuery(question));
writeFileSync(new URL("../data/minilm.bin", import.meta.url), Buffer.concat(vectors.map(quantized)));

/** The numbers of a vector in 8 bits; its length does not count for a cosine. */
function quantized(vector) {
  const greatest = Math.max(...Array.from(vector, Math.abs));
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / greatest) * 127)).buffer);
}
