/** What an index should answer: what a fresh build of the same passages does. */
import { createHash } from "node:crypto";
import { type Passage, type StoredPassage, TriGraph, type TriGraphOptions } from "@trigraph/core";
import { CapitalsAnalyzer } from "./analyzer.js";
import { QUESTIONS, type State } from "./history.js";

const K = 10;

/** Fresh builds that are kept. */
const MEMORY = 64;

/** How the indexes of all soaks are made. Vectors in eight bits, which a rebuild gives again to the last bit. */
export const INDEX_OPTIONS = { analyzer: new CapitalsAnalyzer(), vectorPrecision: "int8" } satisfies TriGraphOptions;

export interface Observation {
  /** In the order of their ids. */
  readonly passages: readonly StoredPassage[];
  readonly answers: readonly Answer[];
}

interface Answer {
  readonly question: string;
  readonly hits: readonly { readonly id: string; readonly score: number }[];
}

/** All that an index holds, and its answers, by words and, where there are vectors, by one. */
export async function observe(index: TriGraph): Promise<Observation> {
  const passages = [...index.passages()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { dimensions } = index.stats();
  const answers: Answer[] = [];
  for (const question of QUESTIONS) {
    const vector =
      dimensions === 0 ? {} : { vector: Array.from({ length: dimensions }, (_, i) => question.length - i) };
    const found = await index.retrieve(question, { k: K, ...vector });
    answers.push({ question, hits: found.map(({ passage, score }) => ({ id: passage.id, score })) });
  }
  return { passages, answers };
}

/** Where two observations differ first; undefined when they are equal, scores within 1e-12 of the greater. */
export function differenceOf(found: Observation, wanted: Observation): string | undefined {
  const [foundKey, wantedKey] = [keyOf(found.passages), keyOf(wanted.passages)];
  if (foundKey !== wantedKey) {
    return `${found.passages.length} passages that are not the ${wanted.passages.length} expected`;
  }
  for (const [i, { question, hits }] of wanted.answers.entries()) {
    const other = found.answers[i].hits;
    const same =
      hits.length === other.length &&
      hits.every(({ id, score }, rank) => {
        const twin = other[rank];
        return (
          twin.id === id && Math.abs(twin.score - score) <= 1e-12 * Math.max(Math.abs(score), Math.abs(twin.score))
        );
      });
    if (!same) return `"${question}" answered by ${JSON.stringify(other)} instead of ${JSON.stringify(hits)}`;
  }
  return undefined;
}

/** Equal for equal passages, vectors aside. */
export function keyOf(passages: Iterable<Passage>): string {
  const rows = Array.from(passages, ({ id, text, title, metadata }) => JSON.stringify([id, text, title, metadata]));
  return createHash("sha256").update(rows.sort().join("\n")).digest("base64");
}

export function keyOfState(state: State): string {
  return keyOf(state.values());
}

/** Answers of fresh builds; the latest are kept. */
export class Oracle {
  readonly #known = new Map<string, Observation>();

  async expected(state: State): Promise<Observation> {
    const key = keyOfState(state);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const built = await rebuild([...state.values()]);
    this.#known.set(key, built);
    if (this.#known.size > MEMORY) for (const oldest of [...this.#known.keys()].slice(0, 1)) this.#known.delete(oldest);
    return built;
  }
}

export async function rebuild(passages: readonly Passage[]): Promise<Observation> {
  const fresh = await TriGraph.create(INDEX_OPTIONS);
  await fresh.upsert(passages);
  return observe(fresh);
}

/** Throws unless an index is in order and equal to one of the states. Returns the number of that state. */
export async function expectOneOf(index: TriGraph, states: readonly State[], oracle: Oracle): Promise<number> {
  const findings = await index.check();
  if (findings.length > 0) throw new Error(`check found ${JSON.stringify(findings.slice(0, 3))}`);
  const found = await observe(index);
  const which = whichOf(found.passages, states);
  const difference = differenceOf(found, await oracle.expected(states[which]));
  if (difference !== undefined) throw new Error(`the index differs from a fresh build: ${difference}`);
  return which;
}

/** The number of the state that has these passages; throws when none has. */
export function whichOf(passages: readonly Passage[], states: readonly State[]): number {
  const key = keyOf(passages);
  const which = states.findIndex((state) => keyOfState(state) === key);
  if (which >= 0) return which;
  const sizes = states.map(({ size }) => size).join(" or ");
  throw new Error(`found ${passages.length} passages that no commit in question has: of ${sizes}`);
}
