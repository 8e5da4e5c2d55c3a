import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Passage, TriGraph, type TriGraphOptions } from "@trigraph/core";

/** The demo's passages. */
export function demoPassages(): Passage[] {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "examples", "demo", "data", "corpus.jsonl");
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Passage);
}

/** A question on them whose paths lead over sentences, bridges and passages. */
export const DEMO_QUESTION = "Which film whose director was born first, Poola Rangadu or Paganini Horror?";

export const CHAIN: readonly Passage[] = [
  {
    id: "film",
    title: "The Silent Harbour",
    text: "The Silent Harbour is a 1962 drama film by the director Ada Lindqvist. It was shot in Gothenburg.",
    metadata: { kind: "film" },
  },
  {
    id: "director",
    title: "Ada Lindqvist",
    text: "Ada Lindqvist was a Swedish director. Ada Lindqvist was born to her mother, the painter Greta Holm.",
  },
  { id: "mother", title: "Greta Holm", text: "Greta Holm was a painter. Her landscapes hang in Uppsala." },
  { id: "other", text: "A film about the mother of a film director. The mother of the director wins a prize." },
];
export const CHAIN_QUESTION = "Who is the mother of the director of The Silent Harbour?";

export async function indexOf(passages: readonly Passage[], options: TriGraphOptions = {}): Promise<TriGraph> {
  const index = await TriGraph.create(options);
  await index.upsert(passages);
  return index;
}
