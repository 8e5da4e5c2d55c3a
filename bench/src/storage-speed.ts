import { TriGraph, type Passage } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Corpus } from "./corpora.js";
import { peakMemory } from "./machine.js";
import { spread, type Spread } from "./measures.js";
import { addOneByOne, K, sizeOf, warmUp } from "./operations.js";
import { note } from "./report.js";
import { time, TimedSource } from "./timing.js";

/** What is done with an index in a folder, one after the other. */
export const PHASES = ["index", "open", "add", "delete", "merge", "background"] as const;

export type Phase = (typeof PHASES)[number];

/** One of them. Times are in milliseconds, sizes in bytes. */
export interface PhaseReport {
  /** Without opening the index and, for `index`, without the time that the source takes. */
  readonly took: number;
  /** The longest time for which other work of the process had to wait; undefined where the source is part of it. */
  readonly longestWait: number | undefined;
  /** The most that was ever resident in the process, the index that is opened for it included. */
  readonly peakRss: number;
  /** Of each passage that was added, or each question that was asked; undefined without. */
  readonly each: Spread | undefined;
  /** Afterwards. */
  readonly segments: number;
  readonly diskBytes: number;
}

export type StorageReport = Readonly<Record<Phase, PhaseReport>>;

/** Commits by which the corpus comes into the index: some merges have run in the background then, and some are due. */
export const COMMITS = 40;
/** Milliseconds after which a merge in the background is late: a write then tells whether it failed, or commits itself. */
const PATIENCE = 600_000;
/** Passages that are added one at a time. */
export const ADDED = 100;

/** What a phase does to a folder, and what is measured of it. */
type Act = (corpus: Corpus, directory: CommitCounter) => Promise<Done>;

interface Done extends Pick<PhaseReport, "took" | "longestWait"> {
  readonly index: TriGraph;
  readonly each?: readonly number[];
}

const ACTS: Readonly<Record<Phase, Act>> = {
  index: indexInCommits,
  open: openAndAsk,
  add: addBesideMerges,
  delete: deleteTenth,
  merge: mergeAll,
  background: mergeBesideQuestions,
};

/**
 * Does one of the phases, after those before it. Call it in a process of its own: the process's memory is measured.
 *
 * @param folder the index that the phases before have left; empty for the first
 */
export async function measurePhase(phase: Phase, corpus: Corpus, folder: string): Promise<PhaseReport> {
  await warmUp(corpus);
  const { index, took, longestWait, each } = await ACTS[phase](corpus, new CommitCounter(folder));
  const peakRss = peakMemory();
  const { segments } = index.stats();
  await index.close();
  note(`  ${phase}: ${(took / 1000).toFixed(1)} s`);
  return {
    took,
    longestWait,
    peakRss,
    each: each === undefined || each.length === 0 ? undefined : spread(each),
    segments,
    diskBytes: await sizeOf(folder),
  };
}

/** Tells when a merge in the background has been committed. */
class CommitCounter extends FileDirectory {
  commits = 0;

  override async createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    const isMade = await super.createExclusive(name, bytes);
    if (isMade && name.startsWith("manifest-")) this.commits++;
    return isMade;
  }
}

async function indexInCommits(corpus: Corpus, directory: FileDirectory): Promise<Done> {
  const index = await TriGraph.open(directory, { create: true });
  const source = new TimedSource(corpus);
  const milliseconds = await time(async () => {
    for (const batch of batches(source.read(), Math.ceil(corpus.size / COMMITS))) await index.upsert(batch);
  });
  return { index, took: milliseconds - source.milliseconds, longestWait: undefined };
}

/** Opens the index as indexing has left it and asks all questions, twice: the first time is a warm-up. */
async function openAndAsk(corpus: Corpus, directory: FileDirectory): Promise<Done> {
  let index: TriGraph | undefined;
  const watched = await watch(async () => {
    index = await TriGraph.open(directory);
  });
  const opened = index!;
  const ask = async () => {
    const times: number[] = [];
    for (const { question } of corpus.questions) times.push(await time(() => opened.retrieve(question, { k: K })));
    return times;
  };
  await ask();
  return { index: opened, ...watched, each: await ask() };
}

async function addBesideMerges(corpus: Corpus, directory: FileDirectory): Promise<Done> {
  const index = await TriGraph.open(directory);
  let each: number[] = [];
  const watched = await watch(async () => {
    each = await addOneByOne(index, corpus, ADDED);
  });
  return { index, ...watched, each };
}

async function deleteTenth(_corpus: Corpus, directory: FileDirectory): Promise<Done> {
  const index = await TriGraph.open(directory);
  const ids = someIds(index, (i) => i % 10 === 0);
  return { index, ...(await watch(() => index.delete(ids))) };
}

async function mergeAll(_corpus: Corpus, directory: FileDirectory): Promise<Done> {
  const index = await TriGraph.open(directory);
  return { index, ...(await watch(() => index.merge())) };
}

/** Segments of which more than half is dead are merged in the background, small ones by the deletion itself. */
async function mergeBesideQuestions({ questions }: Corpus, directory: CommitCounter): Promise<Done> {
  const index = await TriGraph.open(directory);
  await index.delete(someIds(index, (i) => i % 20 < 11));
  const { commits } = directory;
  const isDue = index.stats().deadPassages > 0;
  const each: number[] = [];
  const watched = await watch(async () => {
    const begun = performance.now();
    for (let i = 0; isDue && directory.commits === commits; i++) {
      // A merge that failed is told by the next write.
      if (performance.now() - begun > PATIENCE) await index.upsert([{ id: "bench-late", text: "A merge is late." }]);
      const { question } = questions[i % questions.length];
      // A question that comes from outside waits for its turn.
      each.push(await time(() => setImmediate().then(() => index.retrieve(question, { k: K }))));
    }
  });
  return { index, ...watched, each };
}

function* batches(passages: Iterable<Passage>, size: number): Generator<Passage[], void, undefined> {
  let batch: Passage[] = [];
  for (const passage of passages) {
    batch.push(passage);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Ids of the passages whose place is chosen, in an order that is the same each time. */
function someIds(index: TriGraph, isChosen: (place: number) => boolean): string[] {
  const ids: string[] = [];
  let place = 0;
  for (const { id } of index.passages()) if (isChosen(place++)) ids.push(id);
  return ids;
}

/** Enough for a timer that was due to be late. */
const SETTLED = 10;

async function watch(act: () => Promise<unknown>): Promise<Pick<Done, "took" | "longestWait">> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await setTimeout(SETTLED);
  delay.reset();
  const took = await time(act);
  // A wait at the very end is told by the timer that comes after it.
  await setTimeout(SETTLED);
  delay.disable();
  return { took, longestWait: delay.max / 1e6 };
}
