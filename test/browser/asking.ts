/** The index that is asked in a page and in Node. */
import type { Embedder, TriGraph, TriGraphOptions } from "@trigraph/core";

const K = 10;
const DIMENSIONS = 64;

/** Ids and scores, the best first. */
export type Answer = readonly (readonly [id: string, score: number])[];

export async function askAll(index: TriGraph, questions: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const question of questions) {
    const hits = await index.retrieve(question, { k: K });
    answers.push(hits.map(({ passage, score }) => [passage.id, score] as const));
  }
  return answers;
}

/** Of an index with vectors in eight bits. */
export function vectorOptions(): TriGraphOptions {
  return { embedder: countingEmbedder, vectorPrecision: "int8" };
}

/** Counts of a text's hashed runs of three letters: whole numbers, so the same on every platform. */
const countingEmbedder: Embedder = {
  id: "counting",
  dimensions: DIMENSIONS,
  embedPassages: async (texts) => texts.map(countTrigrams),
  embedQuery: async (text) => countTrigrams(text),
};

function countTrigrams(text: string): Float32Array {
  const counts = new Float32Array(DIMENSIONS);
  for (let i = 0; i + 3 <= text.length; i++) {
    let hash = 0;
    for (let j = i; j < i + 3; j++) hash = (hash * 31 + text.charCodeAt(j)) % 65_521;
    counts[hash % DIMENSIONS]++;
  }
  return counts;
}
