/** Random histories of an index, each state compared with a fresh build of the passages that are left. */
import fc from "fast-check";
import { expect } from "vitest";
import {
  DEFAULT_RANKING,
  type FusionModel,
  MemoryDirectory,
  type Passage,
  type RankingOptions,
  type RetrievedPassage,
  stableKey,
  TriGraph,
  type TriGraphOptions,
} from "../../src/index.js";
import { content, difference, question, RememberingAnalyzer, vector } from "./world.js";

/** Passages of a corpus, at most. */
const IDS = 14;
const STEPS = 26;

type Entry = readonly [id: number, content: Omit<Passage, "id">, vector: readonly number[]];

/** A change: passages by number, those left by their place. */
type Step =
  | { readonly kind: "upsert"; readonly entries: readonly Entry[] }
  | { readonly kind: "repeat"; readonly places: readonly number[] }
  | { readonly kind: "delete"; readonly places: readonly number[]; readonly id: number }
  | { readonly kind: "merge" }
  | { readonly kind: "wait"; readonly turns: number }
  | { readonly kind: "reopen" };

export interface History {
  readonly start: readonly Entry[];
  /** Undefined does nothing, which is what a failing history shrinks to. */
  readonly steps: readonly (Step | undefined)[];
  readonly questions: readonly string[];
}

const entry: fc.Arbitrary<Entry> = fc.tuple(fc.nat(IDS - 1), content, vector);
const places = fc.array(fc.nat(IDS - 1), { minLength: 1, maxLength: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("upsert" as const),
      entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repeat" as const), places }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("delete" as const), places, id: fc.nat(IDS * 2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("merge" as const) }) },
  // A merge in the background comes so much further.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), turns: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
);

export const history: fc.Arbitrary<History> = fc.record({
  start: fc.array(entry, { maxLength: 10 }),
  steps: fc.array(fc.option(step, { nil: undefined, freq: 20 }), { minLength: STEPS, maxLength: STEPS }),
  questions: fc.array(question, { minLength: 2, maxLength: 2 }),
});

const FUSION = DEFAULT_RANKING.fusion as FusionModel;
/** Few enough that most passages stand behind the pool. */
/** Vectors are kept in eight bits where they are stored, and in full elsewhere. */
function optionsOf({ ranking, isStored }: Setting): TriGraphOptions {
  return { analyzer, ranking, vectorPrecision: isStored ? "int8" : "float32" };
}

const SMALL_POOL: FusionModel = { ...FUSION, pool: { graph: 2, words: 1, vectors: 1, secondHop: 1 } };

/** Settings that differ from the defaults where the ways part: hubs, few candidates, both propagations, both solvers. */
export const ranking: fc.Arbitrary<Partial<RankingOptions>> = fc.record(
  {
    epsilon: fc.constantFrom(1e-2, 1e-3),
    propagation: fc.constantFrom("max", "top-sentences"),
    hubDegree: fc.constantFrom(1, 2, 4, Infinity),
    candidates: fc.constantFrom(1, 2, 5, Infinity),
    sentencesPerEntity: fc.constantFrom(1, 2, 4),
    activationThreshold: fc.constantFrom(0, 0.02, 0.3),
    hops: fc.constantFrom(1, 2, 4),
    seeds: fc.constantFrom("names", "mentions", "both"),
    minSeedPassages: fc.constantFrom(0, 3, 10),
    activation: fc.constantFrom("spread", "spread", "none"),
    importance: fc.constantFrom("pagerank", "pagerank", "reset"),
    solver: fc.constantFrom("push", "push", "exact"),
    specificity: fc.constantFrom(0, 0.5, 1),
    definitionWeight: fc.constantFrom(0, 8),
    b: fc.constantFrom(0, 0.75, 1),
    fusion: fc.constantFrom<FusionModel | "none">(FUSION, SMALL_POOL, "none"),
  },
  { requiredKeys: ["epsilon"] },
);

export interface Setting {
  readonly ranking: Partial<RankingOptions>;
  readonly hasVectors: boolean;
  /** Live in a directory rather than in memory. */
  readonly isStored: boolean;
}

/** Analyses are kept from run to run. */
const analyzer = new RememberingAnalyzer();

/** An index beside the passages that it should hold. */
class Model {
  readonly expected = new Map<string, Passage>();
  private readonly setting: Setting;
  private index: TriGraph;
  private directory: MemoryDirectory;
  private states = 0;

  private constructor(setting: Setting, index: TriGraph, directory: MemoryDirectory) {
    this.setting = setting;
    this.index = index;
    this.directory = directory;
  }

  static async create(setting: Setting): Promise<Model> {
    const directory = new MemoryDirectory();
    const options = optionsOf(setting);
    const index = setting.isStored
      ? await TriGraph.open(directory, { ...options, create: true })
      : await TriGraph.create(options);
    return new Model(setting, index, directory);
  }

  async apply(step: Step): Promise<void> {
    switch (step.kind) {
      case "upsert":
        return this.upsert(step.entries.map((entry) => this.passageOf(entry)));
      case "repeat":
        return this.upsert(this.survivors(step.places));
      case "delete":
        return this.delete([...this.survivors(step.places).map(({ id }) => id), idOf(step.id)]);
      case "merge":
        await this.index.merge();
        same("merged segments", this.index.stats().segments, Math.min(1, this.expected.size));
        return;
      case "wait":
        for (let turn = 0; turn < step.turns; turn++) await new Promise(setImmediate);
        return;
      case "reopen":
        return this.reopen();
    }
  }

  async upsert(passages: readonly Passage[]): Promise<void> {
    const last = new Map<string, Passage>();
    const duplicates = new Set<string>();
    for (const passage of passages) {
      if (last.has(passage.id)) duplicates.add(passage.id);
      last.set(passage.id, passage);
    }
    const before = [...last.values()].map((passage) => ({ passage, old: this.expected.get(passage.id) }));
    const report = await this.index.upsert(passages);
    for (const passage of last.values()) this.expected.set(passage.id, passage);
    const isSame = ({ passage, old }: (typeof before)[number]) =>
      old !== undefined && difference(passage, old) === undefined;
    const added = before.filter(({ old }) => old === undefined).length;
    const unchanged = before.filter(isSame).length;
    // A passage that comes twice may change and change back where a batch is cut in between.
    const wanted = duplicates.size > 0 ? report.unchanged : unchanged;
    same("upsert", report, {
      added,
      replaced: last.size - added - wanted,
      unchanged: wanted,
      duplicates: [...duplicates].sort((a, b) => report.duplicates.indexOf(a) - report.duplicates.indexOf(b)),
    });
  }

  /** Compares the index with a fresh one. */
  async compare(questions: readonly string[]): Promise<void> {
    const { index, expected, states } = this;
    const fresh = await TriGraph.create(optionsOf(this.setting));
    const order = (id: string) => stableKey(`${id} ${states}`);
    await fresh.upsert([...expected.values()].sort((a, b) => order(a.id) - order(b.id)));
    this.states++;

    // One comparison each: `expect` itself would take a good share of the time.
    same("sizes", [index.size, sizes(index)], [expected.size, sizes(fresh)]);
    same("check", await index.check(), []);
    for (const [i, text] of questions.entries()) {
      const variant = (states + i) % 6;
      const options = {
        k: variant === 0 ? 3 : IDS,
        explain: (states + i) % 2 === 0,
        ...(variant === 1 ? { filter: { group: 1 } } : {}),
        ...(variant === 2 ? { filter: ({ id }: { id: string }) => stableKey(id) % 3 > 0 } : {}),
        ...(variant === 3 ? { priors: [0, 1, 7].map((n) => ({ id: idOf(n), score: 1 + n })) } : {}),
        ...(this.setting.hasVectors && variant < 4 && expected.size > 0 ? { vector: [2, 1, 0, variant] } : {}),
      };
      const answer = await index.retrieve(text, options);
      const wanted = await fresh.retrieve(text, options);
      same(`${text} ${JSON.stringify(options)}: ids`, answer.map(idOfHit), wanted.map(idOfHit));
      same(`${text} ${JSON.stringify(options)}: answer`, answer, wanted);
    }
  }

  async close(): Promise<void> {
    await this.index.close();
  }

  private async delete(ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)];
    const present = wanted.filter((id) => this.expected.has(id));
    const missing = wanted.filter((id) => !this.expected.has(id));
    same("delete", await this.index.delete(ids), { deleted: present.length, missing });
    for (const id of present) this.expected.delete(id);
  }

  private async reopen(): Promise<void> {
    if (!this.setting.isStored) {
      this.directory = new MemoryDirectory();
      await this.index.save(this.directory);
    }
    await this.index.close();
    // An index in which nothing was ever written leaves nothing behind.
    this.index = await TriGraph.open(this.directory, { ...optionsOf(this.setting), create: true });
  }

  private passageOf([number, content, vector]: Entry): Passage {
    return { id: idOf(number), ...content, ...(this.setting.hasVectors ? { vector } : {}) };
  }

  private survivors(places: readonly number[]): Passage[] {
    const left = [...this.expected.values()];
    return left.length === 0 ? [] : [...new Set(places.map((place) => left[place % left.length]))];
  }
}

/** Lives through a history; returns the number of states compared. */
export async function live({ start, steps, questions }: History, setting: Setting): Promise<number> {
  const model = await Model.create(setting);
  await model.upsert(
    start.map(([id, content, vector]) => ({ id: idOf(id), ...content, ...(setting.hasVectors ? { vector } : {}) })),
  );
  await model.compare(questions);
  let compared = 1;
  for (const step of steps) {
    if (step === undefined) continue;
    await model.apply(step);
    await model.compare(questions);
    compared++;
  }
  await model.close();
  return compared;
}

function same(what: string, actual: unknown, expected: unknown): void {
  const found = difference(actual, expected);
  if (found !== undefined) expect.fail(`${what}${found}`);
}

function idOfHit({ passage }: RetrievedPassage): string {
  return passage.id;
}

/** Ids whose order is neither that of their keys nor that of their numbers. */
function idOf(number: number): string {
  return `p${number}`;
}

function sizes(index: TriGraph) {
  const { passages, sentences, entities, terms, tokens, dimensions, collisions } = index.stats();
  return { passages, sentences, entities, terms, tokens, dimensions, collisions };
}
