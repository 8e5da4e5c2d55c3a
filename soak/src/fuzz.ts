/** Indexes whose files were changed are refused with a typed error, or answer as before; never anything else. */
import process from "node:process";
import { IndexError, type Passage, TriGraph } from "@trigraph/core";
import { type Files, filesOf, folderOf, HostedDirectory } from "./directories/memory.js";
import { type Shape, SMALL, type Step, stepAt, take, WIDE, WITH_VECTORS } from "./history.js";
import { lacksNewest, type Mutation, MUTATIONS } from "./mutations.js";
import { differenceOf, INDEX_OPTIONS, type Observation, observe, rebuild } from "./oracle.js";
import { Random } from "./random.js";
import { fail } from "./report.js";

/** What became of mutated indexes, by what was done to them. */
export interface FuzzFigures {
  mutations: number;
  /** By the mutation's name: refused by `open`, by the error's code. */
  readonly refused: Record<string, Record<string, number>>;
  /** Opened, and refused by the code when they were read. */
  readonly refusedLater: Record<string, Record<string, number>>;
  /** Answered as before. */
  readonly harmless: Record<string, number>;
  /** Answered as the commit before, whose files a crash had left: the newest manifest was gone, or not made whole. */
  readonly earlierCommit: Record<string, number>;
  /** Forged: the check finds it. */
  readonly foundByCheck: Record<string, number>;
  /** Forged: an index of other passages, in order and with the answers that these have. */
  readonly anotherIndex: Record<string, number>;
  /** Of all cases, in ms. */
  slowest: number;
  slowestCase: string;
  /** Of the process, in MB. */
  peakMemory: number;
}

/** An index to mutate. */
interface Base {
  readonly name: string;
  readonly files: Files;
  readonly observation: Observation;
  /** Files at earlier commits, for what is stale. */
  readonly earlier: readonly Files[];
  /** Of the commit before, when all its files are there too, as a crash before the clean-up leaves them. */
  readonly before: Observation | undefined;
}

const STEPS = 9;

/** The writer that left a lock behind, and the one that comes then. */
const [GONE, PRESENT] = [1, 2];

export class Fuzzer {
  readonly figures: FuzzFigures = {
    mutations: 0,
    refused: {},
    refusedLater: {},
    harmless: {},
    earlierCommit: {},
    foundByCheck: {},
    anotherIndex: {},
    slowest: 0,
    slowestCase: "",
    peakMemory: 0,
  };
  private readonly seed: number;
  readonly bases: readonly Base[];

  private constructor(seed: number, bases: readonly Base[]) {
    this.seed = seed;
    this.bases = bases;
  }

  static async create(seed: number): Promise<Fuzzer> {
    const bases = [
      await base("small", seed, SMALL),
      await base("vectors", seed, WITH_VECTORS),
      await base("uncleaned", seed, SMALL, true),
      await base("wide", seed, WIDE),
    ];
    return new Fuzzer(seed, bases);
  }

  /** Makes the mutation of this number and judges what becomes of it. Throws when that must not be. */
  async run(number: number): Promise<void> {
    const random = new Random(this.seed, number);
    // The wide one is the only one with files of dead passages, and the slowest.
    const base = this.bases[random.oneIn(40) ? 3 : random.below(3)];
    const mutation = random.pick(MUTATIONS);
    const where = `seed ${this.seed}, mutation ${number}, ${mutation.name} of ${base.name}`;
    const files = mutation.apply(base.files, random, base.earlier);
    if (files === undefined) return;
    const begun = performance.now();
    try {
      await this.judge(base, mutation, files);
      if (random.oneIn(4)) await this.write(files);
    } catch (error) {
      throw fail(where, error);
    }
    this.figures.mutations++;
    const took = performance.now() - begun;
    if (took > this.figures.slowest) {
      this.figures.slowest = took;
      this.figures.slowestCase = where;
    }
    this.figures.peakMemory = Math.max(this.figures.peakMemory, process.memoryUsage.rss() / 2 ** 20);
  }

  private async judge(base: Base, { name, isForged }: Mutation, files: Files): Promise<void> {
    const { figures } = this;
    const opened = await typed(async () =>
      TriGraph.open(await folderOf(files, PRESENT), { ...INDEX_OPTIONS, readOnly: true }),
    );
    if ("code" in opened) return count((figures.refused[name] ??= {}), opened.code);
    const index = opened.value;
    const observed = await typed(() => observe(index));
    const checked = await typed(() => index.check());
    if ("code" in observed) return count((figures.refusedLater[name] ??= {}), observed.code);
    const isClean = "value" in checked && checked.value.length === 0;
    if (differenceOf(observed.value, base.observation) === undefined) return count(figures.harmless, name);
    if (base.before !== undefined && differenceOf(observed.value, base.before) === undefined) {
      if (!isClean) throw new Error("the commit before is not in order");
      if (!lacksNewest(files, base.files)) throw new Error("the commit before, though the newest was made");
      return count(figures.earlierCommit, name);
    }
    if (!isForged) throw new Error(`wrong answers: ${differenceOf(observed.value, base.observation)}`);
    if (!isClean) return count(figures.foundByCheck, name);
    const fresh = await rebuild(passagesOf(index));
    const difference = differenceOf(observed.value, fresh);
    if (difference !== undefined) throw new Error(`wrong answers that the check does not find: ${difference}`);
    count(figures.anotherIndex, name);
  }

  /** Opens the files for writing, takes over the lock that is among them, and writes; a lock that is damaged is respected. */
  private async write(files: Files): Promise<void> {
    const directory = await folderOf(files, PRESENT);
    const opened = await typed(() => TriGraph.open(directory, INDEX_OPTIONS));
    if ("code" in opened) return;
    const index = opened.value;
    const written = await typed(async () => {
      const { dimensions } = index.stats();
      const vector = dimensions === 0 ? {} : { vector: new Float32Array(dimensions).fill(1) };
      await index.upsert([{ id: "later", text: "Ada Quill came back.", ...vector }]);
    });
    await index.close();
    if ("code" in written) return;
    const again = await TriGraph.open(directory, { ...INDEX_OPTIONS, readOnly: true });
    if (again.get("later") === undefined) throw new Error("what was written to the mutated index is not there");
  }
}

/** What the call resolves to, or the code of a typed error; rejects with any other error. */
async function typed<T>(call: () => Promise<T>): Promise<{ readonly value: T } | { readonly code: string }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof IndexError) return { code: error.code };
    throw error;
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function passagesOf(index: TriGraph): Passage[] {
  return Array.from(index.passages(), (passage) => {
    const vector = index.vectorOf(passage.id);
    return vector === undefined ? passage : { ...passage, vector };
  });
}

/** Lives through a history and keeps the files of each commit; the last has the lock of a writer that is gone. */
async function base(name: string, seed: number, shape: Shape, isUncleaned = false): Promise<Base> {
  const directory = new Uncleaned(GONE);
  const index = await TriGraph.open(directory, { ...INDEX_OPTIONS, create: true });
  const commits: { files: Files; observation: Observation }[] = [];
  const commit = async (step: Step) => {
    await take(index, step);
    commits.push({ files: await filesOf(directory), observation: await observe(index) });
  };
  for (let number = 0; number < (shape === WIDE ? 1 : STEPS); number++) {
    const step = stepAt(seed, number, shape);
    // One segment would be little to confuse.
    if (step.kind !== "merge") await commit(step);
  }
  // More than a manifest lists, and less than half of the segment, which would be merged.
  if (shape === WIDE) await commit({ kind: "delete", ids: [...index.passages()].slice(0, 300).map(({ id }) => id) });
  directory.keeps = isUncleaned;
  if (isUncleaned) await commit({ kind: "upsert", passages: [{ id: "p0", text: "Ada Quill was here at last." }] });
  const { files, observation } = commits.at(-1)!;
  return {
    name,
    files,
    observation,
    earlier: commits.slice(0, -1).map((commit) => commit.files),
    before: isUncleaned ? commits.at(-2)!.observation : undefined,
  };
}

/** Keeps, if asked to, the files that a commit removes. */
class Uncleaned extends HostedDirectory {
  keeps = false;

  override async remove(name: string): Promise<void> {
    if (!this.keeps) await super.remove(name);
  }
}
