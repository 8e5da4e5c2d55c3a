/** Histories of an index: a step follows from the seed and its number alone, so that two processes agree on it. */
import type { Passage, TriGraph } from "@trigraph/core";
import { Random } from "./random.js";

export type Step =
  | { readonly kind: "upsert"; readonly passages: readonly Passage[] }
  | { readonly kind: "delete"; readonly ids: readonly string[] }
  | { readonly kind: "merge" };

/** The passages that an index should hold, by id. */
export type State = ReadonlyMap<string, Passage>;

/** What a history is made of. */
export interface Shape {
  /** Different ids. */
  readonly ids: number;
  /** Passages of an upsert, ids of a deletion; at most. */
  readonly batch: number;
  /** Length of the passages' vectors; 0 without. */
  readonly dimensions: number;
}

/** Few passages, so that they are replaced and deleted often. */
export const SMALL: Shape = { ids: 24, batch: 5, dimensions: 0 };

/** Segments of so many passages that more die in one than a manifest lists: the dead get files of their own. */
export const WIDE: Shape = { ids: 1400, batch: 1400, dimensions: 0 };

export const WITH_VECTORS: Shape = { ...SMALL, dimensions: 6 };

const NAMES = ["Ada Quill", "Bram Stone", "Corvin Hale", "Norwick", "Delmar", "Port Elva", "Quiet Water"];
const WORDS = ["mill", "bridge", "school", "river", "letter", "1931", "winter", "sold", "taught", "built", "met"];

export const QUESTIONS = ["who met Ada Quill in Norwick?", "the bridge that Bram Stone built", "winter letter"];

/** The step of this number, from 0. */
export function stepAt(seed: number, number: number, shape: Shape): Step {
  const random = new Random(seed, number);
  // A first step that deletes would do nothing.
  const kind = number === 0 ? 0 : random.below(10);
  if (kind === 9) return { kind: "merge" };
  // Many at first and fewer later: so most of a large segment stays alive, and none is merged for its dead.
  const most = number === 0 ? shape.batch : Math.ceil(shape.batch / 2);
  const count = number === 0 ? shape.batch : random.between(1, most);
  const ids = Array.from({ length: count }, () => `p${random.below(shape.ids)}`);
  if (kind >= 6) return { kind: "delete", ids };
  return { kind: "upsert", passages: [...new Set(ids)].map((id) => passage(id, random, shape)) };
}

function passage(id: string, random: Random, { batch, dimensions }: Shape): Passage {
  // Now and then a text whose segment takes more than one write to the file.
  const sentences = batch > 100 ? 1 : random.oneIn(12) ? 60 : random.between(1, 4);
  return {
    id,
    text: Array.from({ length: sentences }, () => sentence(random)).join(" "),
    ...(random.oneIn(2) ? { title: random.pick(NAMES) } : {}),
    metadata: { version: random.below(1_000_000) },
    ...(dimensions > 0 ? { vector: Array.from({ length: dimensions }, () => random.between(-9, 9)) } : {}),
  };
}

function sentence(random: Random): string {
  const [a, b] = [random.pick(NAMES), random.pick(NAMES)];
  return `${a} ${random.pick(WORDS)} the ${random.pick(WORDS)} of ${b} and a ${random.pick(WORDS)}.`;
}

/** The state after a step. */
export function after(state: State, step: Step): State {
  const next = new Map(state);
  if (step.kind === "upsert") for (const passage of step.passages) next.set(passage.id, passage);
  if (step.kind === "delete") for (const id of step.ids) next.delete(id);
  return next;
}

/** Takes a step; resolves when the index has acknowledged it. */
export async function take(index: TriGraph, step: Step): Promise<void> {
  switch (step.kind) {
    case "upsert":
      await index.upsert(step.passages);
      return;
    case "delete":
      await index.delete(step.ids);
      return;
    case "merge":
      await index.merge();
  }
}
