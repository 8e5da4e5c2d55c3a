/**
 * Vectors by all-MiniLM-L6-v2 of the sample's passages and questions, made beforehand by `scripts/make-vectors.mjs`. So
 * the notebooks show a real model without downloading one; texts of your own need the model itself.
 *
 * `data/minilm.bin`: for each passage, then each question, in the order of the files, 384 signed bytes. A vector's own
 * scale is left out, for similarity is the cosine.
 */
import { readFile } from "node:fs/promises";
import { embeddedText, type Embedder, EmbeddingError, type Passage } from "@trigraph/core";
import type { Question } from "@trigraph/evaluation";

const FILE = new URL("../data/minilm.bin", import.meta.url);
const DIMENSIONS = 384;

/** @throws EmbeddingError when the file has vectors of another number of texts; asked for an unknown text, the embedder does */
export async function storedVectors(passages: readonly Passage[], questions: readonly Question[]): Promise<Embedder> {
  const texts = [...passages.map(embeddedText), ...questions.map(({ question }) => question)];
  const bytes = await readFile(FILE);
  if (bytes.length !== texts.length * DIMENSIONS) {
    throw new EmbeddingError(
      `storedVectors: expected ${texts.length} vectors of ${DIMENSIONS} bytes, got ${bytes.length} bytes. Run scripts/make-vectors.mjs.`,
    );
  }
  const numbers = new Int8Array(bytes);
  const vectors = new Map(texts.map((text, i) => [text, numbers.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)]));

  function vectorOf(text: string): Int8Array {
    const vector = vectors.get(text);
    if (vector !== undefined) return vector;
    throw new EmbeddingError(
      `storedVectors: expected a passage or a question of the sample, got ${JSON.stringify(text)}. For texts of your own use TransformersEmbedder of @trigraph/transformers.`,
    );
  }

  return {
    id: "all-MiniLM-L6-v2, 8 bits",
    dimensions: DIMENSIONS,
    embedPassages: async (asked) => asked.map(vectorOf),
    embedQuery: async (question) => vectorOf(question),
  };
}
