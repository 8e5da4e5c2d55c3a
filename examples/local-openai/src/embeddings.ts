/** Embeddings without a model: a hashed bag of words, so that texts are as similar as the words they share. */
import { createHash } from "node:crypto";
import { endianness } from "node:os";
import type { EmbeddingsRequest } from "./requests.js";
import { wordsOf } from "./words.js";

export function embeddings(
  { model, input, encoding_format, dimensions }: EmbeddingsRequest,
  defaultDimensions: number,
) {
  const vectors = input.map((text) => embed(text, dimensions ?? defaultDimensions));
  const tokens = input.reduce((sum, text) => sum + wordsOf(text).length, 0);
  return {
    object: "list",
    model,
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: encoding_format === "base64" ? base64(vector) : [...vector],
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Each word adds 1 or −1 to the one component that its hash names (Weinberger et al. 2009); then length 1. */
function embed(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of wordsOf(text)) add(vector, word);
  // A text without words, or whose words cancel out, still has a direction.
  if (vector.every((value) => value === 0)) add(vector, text);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function add(vector: Float32Array, feature: string): void {
  const hash = createHash("sha256").update(feature).digest();
  vector[hash.readUInt32LE(0) % vector.length] += hash[4] % 2 === 0 ? 1 : -1;
}

/** Little-endian floats, as OpenAI sends them. */
function base64(vector: Float32Array): string {
  const bytes = Buffer.from(vector.buffer.slice(0));
  if (endianness() === "BE") bytes.swap32();
  return bytes.toString("base64");
}
