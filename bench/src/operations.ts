// What several speed workers do with an index.
import { TriGraph, type Passage } from "@trigraph/core";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Corpus } from "./corpora.js";
import { spread, type Spread } from "./measures.js";
import { note } from "./report.js";
import { time } from "./timing.js";

/** How many passages `retrieve` is asked for: its default, and enough for recall@5. */
export const K = 5;

const WARM_UP_PASSAGES = 500;
const WARM_UP_QUESTIONS = 100;
/** Passages that are added and deleted again, one at a time. */
const CHANGES = 20;

export interface ChangeReport {
  readonly upsert: Spread;
  readonly delete: Spread;
}

/** Builds a small index and asks it: afterwards the tagger's model is read and the code compiled. */
export async function warmUp(corpus: Corpus): Promise<void> {
  note("  warming up");
  const index = await TriGraph.create();
  await index.upsert(firstPassages(corpus, WARM_UP_PASSAGES));
  for (const { question } of corpus.questions.slice(0, WARM_UP_QUESTIONS)) await index.retrieve(question, { k: K });
  await index.close();
}

/** Adds some passages under new ids one at a time, then deletes them one at a time. */
export async function changeOneByOne(index: TriGraph, corpus: Corpus): Promise<ChangeReport> {
  const upserts = await addOneByOne(index, corpus, CHANGES);
  const deletes: number[] = [];
  for (let i = 0; i < CHANGES; i++) deletes.push(await time(() => index.delete([addedId(i)])));
  return { upsert: spread(upserts), delete: spread(deletes) };
}

/** Milliseconds of each of so many passages that are added under new ids. */
export async function addOneByOne(index: TriGraph, corpus: Corpus, count: number): Promise<number[]> {
  const times: number[] = [];
  for (const [i, passage] of firstPassages(corpus, count).entries()) {
    times.push(await time(() => index.upsert([{ ...passage, id: addedId(i) }])));
  }
  return times;
}

function addedId(i: number): string {
  return `bench-added-${i}`;
}

export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}

export function firstPassages(corpus: Corpus, count: number): Passage[] {
  const first: Passage[] = [];
  for (const passage of corpus.passages()) {
    first.push(passage);
    if (first.length === count) break;
  }
  return first;
}
