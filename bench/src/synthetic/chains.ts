import type { Question } from "@trigraph/evaluation";
import type { EntitySpace } from "./entity-space.js";
import type { Random } from "./random.js";
import { RELATIONS } from "./relations.js";
import type { Names } from "./words.js";

/** "`to` is the `relation` of `from`", to be told in one sentence of a passage. */
export interface Fact {
  readonly from: number;
  /** Index into RELATIONS. */
  readonly relation: number;
  readonly to: number;
}

/** The questions, and what must stand where so that they can be answered. */
export interface ChainPlan {
  readonly questions: readonly Question[];
  /** Passage number → the facts it tells beside its own text. */
  readonly facts: ReadonlyMap<number, readonly Fact[]>;
  /** Passage number → the link of a chain that the passage is about. */
  readonly subjects: ReadonlyMap<number, number>;
  /** Link of a chain → the relations that its question asks for: only gold passages tell them of it. */
  readonly asked: ReadonlyMap<number, readonly number[]>;
}

/**
 * Plans questions of two and three hops in turn. Seeds, bridges and answers are entities of their own, which no
 * other text draws. Each hop's fact goes into a passage of its own, which is about the entity that it is asked of. Beside
 * it go distractors: a passage that tells another relation of the seed, one for each bridge that names it as somebody's
 * relation, and two that use the question's nouns of other entities.
 */
export function planChains(count: number, space: EntitySpace, names: Names, random: Random): ChainPlan {
  if (count * 5 > space.passages) {
    throw new RangeError(
      `planChains: expected at least ${count * 5} passages for ${count} questions, got ${space.passages}`,
    );
  }
  const facts = new Map<number, Fact[]>();
  const subjects = new Map<number, number>();
  const asked = new Map<number, readonly number[]>();
  const gold = new Set<number>();
  const questions: Question[] = [];
  const chains: (readonly Fact[])[] = [];

  let next = space.entities;
  for (let i = 0; i < count; i++) {
    const relations = distinct(2 + (i % 2), () => random.below(RELATIONS.length));
    const seed = next;
    next += relations.length + 1;
    const hops = relations.map((relation, hop) => ({ from: seed + hop, relation, to: seed + hop + 1 }));
    const places = hops.map((hop) => {
      const place = drawFree(space, random, gold);
      gold.add(place);
      subjects.set(place, hop.from);
      asked.set(hop.from, relations);
      add(facts, place, hop);
      return place;
    });
    chains.push(hops);
    questions.push({
      id: `chain-${i}`,
      type: `${hops.length}-hop`,
      question: wording(hops, names),
      gold: places.map(passageId),
    });
  }
  for (const hops of chains) {
    for (const distractor of distractors(hops, space, random)) {
      const place = drawFree(space, random, gold);
      for (const fact of distractor) add(facts, place, fact);
    }
  }
  return { questions, facts, subjects, asked };
}

export function passageId(passage: number): string {
  return `synthetic-${passage}`;
}

/** "Who is the mother of the editor of Rovana Lith?" */
function wording(hops: readonly Fact[], names: Names): string {
  const nouns = hops.map(({ relation }) => `the ${RELATIONS[relation].noun} of `).reverse();
  return `Who is ${nouns.join("")}${names.of(hops[0].from)}?`;
}

function drawFree(space: EntitySpace, random: Random, taken: ReadonlySet<number>): number {
  let place = random.below(space.passages);
  while (taken.has(place)) place = random.below(space.passages);
  return place;
}

/** Facts that no question asks for, by the passage that tells them. */
function distractors(hops: readonly Fact[], space: EntitySpace, random: Random): (readonly Fact[])[] {
  const other = () => random.below(space.entities);
  const asked = hops.map(({ relation }) => relation);
  const [seed, ...rest] = hops;
  const found: (readonly Fact[])[] = [[{ from: seed.from, relation: drawRelation(random, asked), to: other() }]];
  for (const { from } of rest) found.push([{ from: other(), relation: drawRelation(random, asked), to: from }]);
  for (let i = 0; i < 2; i++) found.push(hops.map(({ relation }) => ({ from: other(), relation, to: other() })));
  return found;
}

/** A relation that is none of these. */
export function drawRelation(random: Random, avoided: readonly number[]): number {
  let relation = random.below(RELATIONS.length);
  while (avoided.includes(relation)) relation = random.below(RELATIONS.length);
  return relation;
}

function distinct(count: number, draw: () => number): number[] {
  const found = new Set<number>();
  while (found.size < count) found.add(draw());
  return [...found];
}

function add(facts: Map<number, Fact[]>, passage: number, fact: Fact): void {
  const list = facts.get(passage);
  if (list === undefined) facts.set(passage, [fact]);
  else list.push(fact);
}
