import { TriGraph, type Passage, type Progress } from "@trigraph/core";
import { percentile } from "@trigraph/evaluation";
import { FileDirectory, WorkerPool } from "@trigraph/core/node";
import type { Corpus } from "./corpora.js";
import { peakMemory } from "./machine.js";
import { spread, type Spread } from "./measures.js";
import { changeOneByOne, firstPassages, K, sizeOf, warmUp, type ChangeReport } from "./operations.js";
import { formatCount, note } from "./report.js";
import { time, TimedSource } from "./timing.js";

/** Building an index in memory. Times are in milliseconds, sizes in bytes. */
export interface BuildReport {
  /** Between white space, titles included. */
  readonly words: number;
  readonly sentences: number;
  readonly entities: number;
  readonly terms: number;
  /** Of `upsert`, on one core, without the time that the source takes. */
  readonly passagesPerSecond: Spread;
  readonly wordsPerSecond: Spread;
  /** Passages by processor time, all threads and the source included: other work on the machine does not show. */
  readonly passagesPerCpuSecond: Spread;
  readonly segments: number;
  /** Until all is one segment, or as few as fit. */
  readonly merge: Spread;
  /** The median question's time before `merge`. */
  readonly p50Unmerged: number;
  readonly save: number;
  readonly diskBytes: number;
  /** `stats().bytes` */
  readonly arrayBytes: number;
  /** The most that was ever resident in the process. */
  readonly peakRss: number;
  readonly changes: ChangeReport;
  /** Of `upsert` with worker threads, where it was asked for, beside one on one core in turn. */
  readonly threaded: ThreadedBuild | undefined;
}

export interface ThreadedBuild {
  readonly threads: number;
  readonly passagesPerSecond: number;
  readonly passagesPerSecondAlone: number;
  /** Processor time of all threads together by that of one. */
  readonly cpuRatio: number;
}

export interface BuildOptions {
  /** How often to build small corpora. */
  readonly runs: number;
  /** Worker threads to build with at the end; undefined for none. */
  readonly threads: number | undefined;
  /** Where the index is saved. */
  readonly folder: string;
}

/** Larger corpora are built once: a second time takes minutes and tells little more. */
const BUILT_ONCE = 50_000;

/**
 * Builds, merges and saves the index of a corpus. Call it in a process of its own: the process's memory is measured.
 */
export async function measureBuild(corpus: Corpus, { runs, threads, folder }: BuildOptions): Promise<BuildReport> {
  await warmUp(corpus);
  const builds: Built[] = [];
  const merges: number[] = [];
  for (let run = 1; run < runs && corpus.size <= BUILT_ONCE; run++) {
    const built = await build(corpus);
    builds.push(built);
    merges.push(await time(() => built.index.merge()));
    await built.index.close();
  }

  const built = await build(corpus);
  builds.push(built);
  const { index } = built;
  const { segments } = index.stats();
  const p50Unmerged = await medianQuestion(index, corpus);
  merges.push(await time(() => index.merge()));
  note(`  merged ${segments} segments in ${(merges.at(-1)! / 1000).toFixed(1)} s`);
  const save = await time(() => index.save(new FileDirectory(folder)));
  const peakRss = peakMemory();
  const { sentences, entities, terms, bytes } = index.stats();
  const changes = await changeOneByOne(index, corpus);
  await index.close();
  return {
    words: built.words,
    sentences,
    entities,
    terms,
    passagesPerSecond: spread(builds.map(({ seconds }) => corpus.size / seconds)),
    wordsPerSecond: spread(builds.map(({ words, seconds }) => words / seconds)),
    passagesPerCpuSecond: spread(builds.map(({ cpuSeconds }) => corpus.size / cpuSeconds)),
    segments,
    merge: spread(merges),
    p50Unmerged,
    save,
    diskBytes: await sizeOf(folder),
    arrayBytes: bytes,
    peakRss,
    changes,
    threaded: threads === undefined ? undefined : await measureThreads(corpus, threads),
  };
}

/** So many passages tell enough, and find room in memory: read before, so that the source takes no time. */
const THREADED_PASSAGES = 100_000;

/** Twice each, in turn, and the better of both: what else the machine does should show in neither. */
async function measureThreads(corpus: Corpus, threads: number): Promise<ThreadedBuild> {
  const passages = firstPassages(corpus, THREADED_PASSAGES);
  const workers = new WorkerPool({ threads });
  // Afterwards each thread has read the tagger's model and compiled the code.
  await buildOnce(passages.slice(0, 1000 * threads), workers);
  const alone: Timed[] = [];
  const threaded: Timed[] = [];
  for (let run = 0; run < 2; run++) {
    alone.push(await buildOnce(passages, undefined));
    threaded.push(await buildOnce(passages, workers));
  }
  await workers.close();
  const least = (runs: readonly Timed[], measure: keyof Timed) => Math.min(...runs.map((run) => run[measure]));
  const [seconds, secondsAlone] = [least(threaded, "seconds"), least(alone, "seconds")];
  note(`  indexed ${formatCount(passages.length)} passages in ${seconds.toFixed(1)} s with threads`);
  return {
    threads,
    passagesPerSecond: passages.length / seconds,
    passagesPerSecondAlone: passages.length / secondsAlone,
    cpuRatio: least(threaded, "cpuSeconds") / least(alone, "cpuSeconds"),
  };
}

interface Timed {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function buildOnce(passages: readonly Passage[], workers: WorkerPool | undefined): Promise<Timed> {
  const index = await TriGraph.create();
  const cpuBefore = process.cpuUsage();
  const milliseconds = await time(() => index.upsert(passages, { workers }));
  const { user, system } = process.cpuUsage(cpuBefore);
  await index.close();
  return { seconds: milliseconds / 1000, cpuSeconds: (user + system) / 1e6 };
}

interface Built {
  readonly index: TriGraph;
  readonly words: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function build(corpus: Corpus): Promise<Built> {
  const index = await TriGraph.create();
  const source = new TimedSource(corpus);
  const cpuBefore = process.cpuUsage();
  const milliseconds = await time(() => index.upsert(source.read(), { onProgress: progressNotes(corpus.size) }));
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (milliseconds - source.milliseconds) / 1000;
  note(`  indexed ${formatCount(corpus.size)} passages in ${seconds.toFixed(1)} s`);
  return { index, words: source.words, seconds, cpuSeconds: (user + system) / 1e6 };
}

/** A note every 100,000 passages. */
function progressNotes(size: number): (progress: Progress) => void {
  let next = 100_000;
  return ({ phase, done }) => {
    if (phase !== "analyze" || done < next) return;
    note(`  ${formatCount(done)} of ${formatCount(size)} passages`);
    next = done - (done % 100_000) + 100_000;
  };
}

/** Of all questions, asked twice: the first time is a warm-up. */
async function medianQuestion(index: TriGraph, corpus: Corpus): Promise<number> {
  const least = new Float64Array(corpus.questions.length).fill(Infinity);
  for (let pass = 0; pass < 2; pass++) {
    for (const [i, { question }] of corpus.questions.entries()) {
      least[i] = Math.min(least[i], await time(() => index.retrieve(question, { k: K })));
    }
  }
  return percentile(least, 50);
}
