import { TriGraph, type Passage, type RetrieveStage } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Corpus } from "./corpora.js";
import { measureMemory, peakMemory, type Memory } from "./machine.js";
import { mean, percentile, spread, type Spread } from "./measures.js";
import { meanRecall, type Ranking, type Recall } from "./rankings.js";
import { formatCount, note } from "./report.js";
import { countWords } from "./synthetic/sentences.js";

export interface SpeedOptions {
  /** How often to build (up to `BUILT_ONCE` passages) and to ask all questions. */
  readonly runs: number;
  /** At most so many questions. Default: all that the corpus has. */
  readonly questions?: number;
}

/** Time and space at one corpus. Times are in milliseconds, sizes in bytes. */
export interface SpeedReport {
  readonly corpus: string;
  readonly passages: number;
  /** Between white space, titles included. */
  readonly words: number;
  readonly sentences: number;
  readonly entities: number;
  readonly terms: number;
  readonly build: {
    /** Of `upsert`, on one core, the time that the source took left out. */
    readonly passagesPerSecond: Spread;
    readonly wordsPerSecond: Spread;
    readonly segments: number;
    /** Until `merge` is done; then all is one segment, or as few as fit. */
    readonly merge: Spread;
    readonly save: number;
    /** The most that was ever resident while building. */
    readonly peakRss: number;
  };
  readonly space: {
    readonly disk: number;
    /** `stats().bytes` */
    readonly arrays: number;
    /** What opening the index added to the process, after garbage collection. */
    readonly opened: Memory;
  };
  readonly open: Spread;
  readonly query: QueryReport;
  readonly change: {
    readonly upsertInMemory: Spread;
    readonly deleteInMemory: Spread;
    readonly upsertOnDisk: Spread;
    readonly deleteOnDisk: Spread;
  };
}

/** Questions asked one after the other, of the opened index, without an embedder; spreads are over the runs. */
export interface QueryReport {
  readonly questions: number;
  readonly p50: Spread;
  readonly p95: Spread;
  readonly mean: Spread;
  /** Before `merge`, over all segments. */
  readonly p50Unmerged: number;
  /** Mean of each stage, in one more run that is traced. */
  readonly stages: Readonly<Record<RetrieveStage, number>>;
  readonly seeds: number;
  readonly activatedEntities: number;
  readonly sentencesRead: number;
  readonly edges: number;
  readonly recall: Recall;
}

/** Larger corpora are built once: a second time takes minutes and tells little more. */
const BUILT_ONCE = 50_000;
/** Passages that are added and deleted again, one at a time. */
const CHANGES = 20;
const WARM_UP_PASSAGES = 500;
const WARM_UP_QUESTIONS = 100;
/** The default of `retrieve`, and enough for recall@5. */
const K = 5;

/** Call it in a process of its own: what is measured is the process's memory too. */
export async function measureSpeed(corpus: Corpus, { runs, questions }: SpeedOptions): Promise<SpeedReport> {
  const asked = corpus.questions.slice(0, questions);
  const folder = await mkdtemp(join(tmpdir(), "trigraph-bench-"));
  try {
    await warmUp(corpus);
    const built = await build(corpus, asked, corpus.size > BUILT_ONCE ? 1 : runs, folder);
    const before = measureMemory();
    const opening = await open(folder, before, corpus.size > BUILT_ONCE ? 1 : runs);
    const { index } = opening;
    const query = await ask(index, asked, runs, built.p50Unmerged);
    const durable = await change(index, built.samples);
    await index.close();
    return {
      corpus: corpus.name,
      passages: corpus.size,
      ...built.counts,
      build: built.build,
      space: { disk: built.disk, arrays: built.arrays, opened: opening.memory },
      open: opening.time,
      query,
      change: {
        upsertInMemory: built.inMemory.upsert,
        deleteInMemory: built.inMemory.delete,
        upsertOnDisk: durable.upsert,
        deleteOnDisk: durable.delete,
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The tagger's model is read and the code compiled. */
async function warmUp(corpus: Corpus): Promise<void> {
  note("  warming up");
  const index = await TriGraph.create();
  const some: Passage[] = [];
  for (const passage of corpus.passages()) {
    some.push(passage);
    if (some.length === WARM_UP_PASSAGES) break;
  }
  await index.upsert(some);
  for (const { question } of corpus.questions.slice(0, WARM_UP_QUESTIONS)) await index.retrieve(question, { k: K });
  await index.close();
}

async function build(corpus: Corpus, questions: Corpus["questions"], runs: number, folder: string) {
  const passagesPerSecond: number[] = [];
  const wordsPerSecond: number[] = [];
  const merges: number[] = [];
  for (let run = 1; ; run++) {
    const index = await TriGraph.create();
    const source = new TimedSource(corpus);
    const upserted = await time(() => index.upsert(source.read(), { onProgress: progressNotes(corpus.size) }));
    const seconds = (upserted - source.milliseconds) / 1000;
    passagesPerSecond.push(corpus.size / seconds);
    wordsPerSecond.push(source.words / seconds);
    note(`  indexed ${formatCount(corpus.size)} passages in ${seconds.toFixed(1)} s`);

    const { segments } = index.stats();
    const last = run === runs;
    const p50Unmerged = last ? percentile((await askOnce(index, questions)).milliseconds, 50) : Number.NaN;
    merges.push(await time(() => index.merge()));
    note(`  merged ${segments} segments in ${(merges.at(-1)! / 1000).toFixed(1)} s`);
    if (!last) {
      await index.close();
      continue;
    }

    const save = await time(() => index.save(new FileDirectory(folder)));
    const disk = await sizeOf(folder);
    const peakRss = peakMemory();
    const { sentences, entities, terms, bytes } = index.stats();
    const inMemory = await change(index, source.samples);
    await index.close();
    return {
      counts: { words: source.words, sentences, entities, terms },
      build: {
        passagesPerSecond: spread(passagesPerSecond),
        wordsPerSecond: spread(wordsPerSecond),
        segments,
        merge: spread(merges),
        save,
        peakRss,
      },
      disk,
      arrays: bytes,
      p50Unmerged,
      inMemory,
      samples: source.samples,
    };
  }
}

async function open(folder: string, before: Memory, runs: number) {
  const times: number[] = [];
  for (let run = 1; ; run++) {
    const begun = performance.now();
    const index = await TriGraph.open(new FileDirectory(folder));
    times.push(performance.now() - begun);
    if (run < runs) {
      await index.close();
      continue;
    }
    const after = measureMemory();
    const memory: Memory = {
      rss: after.rss - before.rss,
      heap: after.heap - before.heap,
      arrayBuffers: after.arrayBuffers - before.arrayBuffers,
    };
    return { index, memory, time: spread(times) };
  }
}

async function ask(
  index: TriGraph,
  questions: Corpus["questions"],
  runs: number,
  p50Unmerged: number,
): Promise<QueryReport> {
  note(`  asking ${questions.length} questions, ${runs + 2} times`);
  const { rankings } = await askOnce(index, questions);
  const passes: (readonly number[])[] = [];
  for (let run = 0; run < runs; run++) passes.push((await askOnce(index, questions)).milliseconds);
  return {
    questions: questions.length,
    p50: spread(passes.map((times) => percentile(times, 50))),
    p95: spread(passes.map((times) => percentile(times, 95))),
    mean: spread(passes.map(mean)),
    p50Unmerged,
    ...(await trace(index, questions)),
    recall: meanRecall(rankings),
  };
}

async function askOnce(index: TriGraph, questions: Corpus["questions"]) {
  const milliseconds: number[] = [];
  const rankings: Ranking[] = [];
  for (const question of questions) {
    const begun = performance.now();
    const hits = await index.retrieve(question.question, { k: K });
    milliseconds.push(performance.now() - begun);
    rankings.push({ question, ids: hits.map(({ passage }) => passage.id) });
  }
  return { milliseconds, rankings };
}

async function trace(index: TriGraph, questions: Corpus["questions"]) {
  const stages = new Map<RetrieveStage, number>();
  const sums = { seeds: 0, activatedEntities: 0, sentencesRead: 0, edges: 0 };
  for (const { question } of questions) {
    await index.retrieve(question, {
      k: K,
      onTrace: (trace) => {
        for (const [stage, time] of Object.entries(trace.milliseconds) as [RetrieveStage, number][]) {
          stages.set(stage, (stages.get(stage) ?? 0) + time / questions.length);
        }
        for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += trace[name] / questions.length;
      },
    });
  }
  return { stages: Object.fromEntries(stages) as Record<RetrieveStage, number>, ...sums };
}

/** Adds the samples under new ids one at a time, then deletes them one at a time. */
async function change(index: TriGraph, samples: readonly Passage[]) {
  const upserts: number[] = [];
  const deletes: number[] = [];
  const added = samples.map((passage, i) => ({ ...passage, id: `bench-added-${i}` }));
  for (const passage of added) upserts.push(await time(() => index.upsert([passage])));
  for (const { id } of added) deletes.push(await time(() => index.delete([id])));
  return { upsert: spread(upserts), delete: spread(deletes) };
}

/** Hands out a corpus, counts its words and measures the time that this and generating it take. */
class TimedSource {
  milliseconds = 0;
  words = 0;
  /** Some passages, evenly spaced. */
  readonly samples: Passage[] = [];
  readonly #corpus: Corpus;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  *read(): Generator<Passage, void, undefined> {
    const every = Math.floor(this.#corpus.size / CHANGES);
    let count = 0;
    let begun = performance.now();
    for (const passage of this.#corpus.passages()) {
      this.words += countWords(passage.text) + countWords(passage.title ?? "");
      if (count++ % every === 0 && this.samples.length < CHANGES) this.samples.push(passage);
      this.milliseconds += performance.now() - begun;
      yield passage;
      begun = performance.now();
    }
    this.milliseconds += performance.now() - begun;
  }
}

/** A note every 100,000 passages. */
function progressNotes(size: number) {
  let next = 100_000;
  return ({ phase, done }: { readonly phase: string; readonly done: number }) => {
    if (phase !== "analyze" || done < next) return;
    note(`  ${formatCount(done)} of ${formatCount(size)} passages`);
    next = done - (done % 100_000) + 100_000;
  };
}

async function time(task: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await task();
  return performance.now() - begun;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}
