import type { Question } from "../data-sets.js";
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
  /** Entity → the relation that a question asks of it: told by its gold passage alone. */
  readonly asked: ReadonlyMap<number, number>;
}

/** Share of seeds and bridges that occur in some 5 to 50 passages more than a rare entity does. */
const COMMON_SHARE = 0.3;
/** Share of facts told by the passage that is about the entity; the others stand anywhere. */
const HOME_SHARE = 0.75;

/**
 * Plans questions of two and three hops in turn. Each hop's fact goes into a passage of its own, and beside it go
 * distractors: another relation of the seed and of each bridge, a passage that names the bridge as somebody's
 * relation, and two that use the question's nouns of other entities.
 */
export function planChains(count: number, space: EntitySpace, names: Names, random: Random): ChainPlan {
  const facts = new Map<number, Fact[]>();
  const asked = new Map<number, number>();
  const planned: { readonly hops: readonly Fact[]; readonly gold: readonly number[] }[] = [];

  for (let i = 0; i < count; i++) {
    const relations = distinct(2 + (i % 2), () => random.below(RELATIONS.length));
    const chain = relations.map((relation) => {
      const entity = drawLink(space, random, asked);
      asked.set(entity, relation);
      return entity;
    });
    const answer = drawOther(space, random, asked);
    const hops = relations.map((relation, hop) => ({ from: chain[hop], relation, to: chain[hop + 1] ?? answer }));
    const gold: number[] = [];
    for (const hop of hops) gold.push(drawPlace(hop.from, space, random, gold));
    hops.forEach((hop, at) => add(facts, gold[at], hop));
    planned.push({ hops, gold });
  }

  // After all chains, so that no distractor answers a later question.
  for (const { hops, gold } of planned) {
    for (const distractor of distractors(hops, space, random, asked)) {
      let passage = random.below(space.passages);
      while (gold.includes(passage)) passage = random.below(space.passages);
      for (const fact of distractor) add(facts, passage, fact);
    }
  }

  const questions = planned.map(({ hops, gold }, i) => ({
    id: `chain-${i}`,
    type: `${hops.length}-hop`,
    question: wording(hops, names),
    gold: gold.map(passageId),
  }));
  return { questions, facts, asked };
}

export function passageId(passage: number): string {
  return `synthetic-${passage}`;
}

/** "Who is the mother of the editor of Rovana Lith?" */
function wording(hops: readonly Fact[], names: Names): string {
  const nouns = hops.map(({ relation }) => `the ${RELATIONS[relation].noun} of `).reverse();
  return `Who is ${nouns.join("")}${names.of(hops[0].from)}?`;
}

/** A seed or bridge that no question uses yet and that some passage is about. */
function drawLink(space: EntitySpace, random: Random, asked: ReadonlyMap<number, number>): number {
  const common = random.chance(COMMON_SHARE);
  for (let attempt = 0; common && attempt < 20; attempt++) {
    const entity = space.entityOfFrequency(5 * 10 ** random.fraction());
    if (entity >= 0 && !asked.has(entity) && space.homeOf(entity) >= 0) return entity;
  }
  let entity = drawOther(space, random, asked);
  while (space.homeOf(entity) < 0) entity = drawOther(space, random, asked);
  return entity;
}

/** An entity of which no question asks anything. */
function drawOther(space: EntitySpace, random: Random, asked: ReadonlyMap<number, number>): number {
  let entity = random.below(space.entities);
  while (asked.has(entity)) entity = random.below(space.entities);
  return entity;
}

function drawPlace(entity: number, space: EntitySpace, random: Random, taken: readonly number[]): number {
  const home = space.homeOf(entity);
  if (!taken.includes(home) && random.chance(HOME_SHARE)) return home;
  let place = random.below(space.passages);
  while (taken.includes(place)) place = random.below(space.passages);
  return place;
}

function distractors(
  hops: readonly Fact[],
  space: EntitySpace,
  random: Random,
  asked: ReadonlyMap<number, number>,
): (readonly Fact[])[] {
  const other = () => drawOther(space, random, asked);
  const relationBut = (avoided: number) => {
    const relation = random.below(RELATIONS.length - 1);
    return relation < avoided ? relation : relation + 1;
  };
  const found: (readonly Fact[])[] = [];
  for (const [at, { from, relation }] of hops.entries()) {
    found.push([{ from, relation: relationBut(relation), to: other() }]);
    if (at > 0) found.push([{ from: other(), relation: random.below(RELATIONS.length), to: from }]);
  }
  for (let i = 0; i < 2; i++) found.push(hops.map(({ relation }) => ({ from: other(), relation, to: other() })));
  return found;
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
