/** What all ways in are given: passages of the demo's corpus, questions, and vectors. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/workspace.js";

/** A passage as every framework can say it. */
export interface Fed {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** What a filter asks for. */
  readonly kind: string;
  /** The document that it is a chunk of. Its chunks come in reading order. */
  readonly document: string;
}

/** A question with all that limits its answer. */
export interface Search {
  readonly question: string;
  readonly k: number;
  readonly kind?: string;
  readonly minScore?: number;
  readonly maxTokens?: number;
  readonly withNeighbours?: number;
}

export interface Found {
  readonly id: string;
  readonly text: string;
  /** Undefined where the way in tells none. */
  readonly score?: number | undefined;
}

/** One way to ask. */
export interface WayIn {
  readonly name: string;
  /** What limits it takes beside k and kind. */
  readonly takes: readonly ("minScore" | "maxTokens" | "withNeighbours")[];
  find(search: Search): Promise<Found[]>;
}

/** An index that was filled through one framework, and what leads into it. */
export interface Entrance {
  readonly ways: readonly WayIn[];
  upsert(passages: readonly Fed[]): Promise<void>;
  /** Removes whole documents. */
  delete(documents: readonly string[]): Promise<void>;
}

const PASSAGES = 180;
const QUESTIONS = 12;
const CHUNKS = 3;

/** Some of the demo's questions, and a part of its corpus that holds their gold passages. */
export function readWorld(): { readonly passages: readonly Fed[]; readonly questions: readonly string[] } {
  const questions = rows<{ question: string; gold: string[] }>("questions.jsonl").slice(0, QUESTIONS);
  const gold = new Set(questions.flatMap((each) => each.gold));
  const corpus = rows<{ id: string; title: string; text: string }>("corpus.jsonl");
  const others = corpus.filter(({ id }) => !gold.has(id)).slice(0, PASSAGES - gold.size);
  const chosen = new Set([...gold, ...others.map(({ id }) => id)]);
  const passages = corpus
    .filter(({ id }) => chosen.has(id))
    .map((row, i) => ({ ...row, kind: i % 3 === 0 ? "odd" : "plain", document: `document ${Math.floor(i / CHUNKS)}` }));
  return { passages, questions: questions.map(({ question }) => question) };
}

/** Length of the vectors. */
export const DIMENSIONS = 64;

/**
 * A bag of words. LlamaIndex's own indexes show a model the keys of metadata, "title: …", so the word "title" does not
 * count: a passage then has one vector, whoever has it embedded.
 */
export function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (word === "title") continue;
    let hash = 7;
    for (const character of word) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0;
    vector[hash % DIMENSIONS] += 1;
  }
  return vector;
}

function rows<T>(name: string): T[] {
  const text = readFileSync(join(root, "examples", "demo", "data", name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}
