import type { Embedder, Passage } from "@trigraph/core";
import { fileURLToPath } from "node:url";
import type { Question } from "../../src/data/question.js";

const sample = (name: string) => fileURLToPath(new URL(`../../../../examples/demo/data/${name}`, import.meta.url));

/** The sample that the demo bundles: 600 passages and 40 questions. */
export const SAMPLE = { corpus: sample("corpus.jsonl"), questions: sample("questions.jsonl") };

/** A film, its director and her mother; and what shares the question's words. */
export const PASSAGES: readonly Passage[] = [
  { id: "film", title: "The Silent Harbour", text: "The Silent Harbour is a film by the director Ada Lindqvist." },
  { id: "director", title: "Ada Lindqvist", text: "Ada Lindqvist learned to draw from her mother Greta Holm." },
  { id: "mother", title: "Greta Holm", text: "Greta Holm painted the sea. She came from Visby." },
  { id: "words", title: "Mother of the Year", text: "A film about the mother of a director, born in a harbour." },
  { id: "town", title: "Gothenburg", text: "Gothenburg has the largest harbour of Sweden." },
];

export const QUESTIONS: readonly Question[] = [
  {
    id: "born",
    question: "Where was the mother of the director of The Silent Harbour born?",
    type: "bridge",
    answer: "Visby",
    gold: ["film", "director", "mother"],
  },
  { id: "largest", question: "Which town has the largest harbour of Sweden?", type: "single", gold: ["town"] },
];

/** Counts words into buckets by their hash: equal words make equal parts, and nothing else is known. */
export function hashingEmbedder(dimensions = 256): Embedder & { readonly embedded: string[] } {
  const embedded: string[] = [];
  const vectorOf = (text: string) => {
    const vector = new Array<number>(dimensions).fill(0);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) vector[hash(word) % dimensions]++;
    return vector;
  };
  return {
    id: "hashing",
    dimensions,
    embedded,
    async embedPassages(texts) {
      embedded.push(...texts);
      return texts.map(vectorOf);
    },
    embedQuery: async (text) => vectorOf(text),
  };
}

function hash(word: string): number {
  let value = 2166136261;
  for (const character of word) value = Math.imul(value ^ character.codePointAt(0)!, 16777619) >>> 0;
  return value;
}
