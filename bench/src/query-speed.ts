import { TriGraph, type RetrieveOptions, type RetrieveStage, type RetrieveTrace } from "@trigraph/core";
import { mean, percentile } from "@trigraph/evaluation";
import { FileDirectory } from "@trigraph/core/node";
import type { Corpus } from "./corpora.js";
import { measureMemory, type Memory } from "./machine.js";
import { leastOf, spread, type Spread } from "./measures.js";
import { changeOneByOne, K, warmUp, type ChangeReport } from "./operations.js";
import { meanRecall, type Ranking, type Recall } from "./rankings.js";
import { note } from "./report.js";

/**
 * Asking an opened index question after question, without an embedder. Times are in milliseconds. Unless they say
 * otherwise they are statistics of each question's least time over several runs: what other work on the machine adds
 * is no property of the index.
 */
export interface QueryReport {
  readonly open: number;
  /** What opening added to the process, and what all of it takes, after garbage collection. */
  readonly opened: Memory;
  readonly process: Memory;
  readonly questions: number;
  readonly p50: number;
  readonly p95: number;
  readonly mean: number;
  /** The same of stages 1 and 2 alone. */
  readonly p50WithoutFusion: number;
  /** The median of each single run. */
  readonly p50OfRuns: Spread;
  /** Means of the stages, of runs that are traced. */
  readonly stages: Readonly<Record<RetrieveStage, number>>;
  readonly work: Work;
  readonly recall: Recall;
  /** Each change is durable when it is done. */
  readonly changes: ChangeReport;
}

const WORK = ["seeds", "activatedEntities", "sentencesRead", "edges"] as const satisfies (keyof RetrieveTrace)[];

/** What a question costs on average, whatever the machine. */
export type Work = Readonly<Record<(typeof WORK)[number], number>>;

/**
 * Call it in a process of its own: the process's memory is measured.
 *
 * @param folder the corpus's saved index; it is changed
 */
export async function measureQueries(
  corpus: Corpus,
  questions: Corpus["questions"],
  runs: number,
  folder: string,
): Promise<QueryReport> {
  await warmUp(corpus);
  const before = measureMemory();
  const begun = performance.now();
  const index = await TriGraph.open(new FileDirectory(folder));
  const open = performance.now() - begun;
  const process = measureMemory();

  note(`  asking ${questions.length} questions, ${2 * runs + 1} times, and without stage 3 ${runs + 1} times`);
  const unfused = { ranking: { fusion: "none" } } as const;
  const { rankings } = await ask(index, questions);
  await ask(index, questions, unfused);
  const times: (readonly number[])[] = [];
  const unfusedTimes: (readonly number[])[] = [];
  // In turn: the machine has slower and faster minutes.
  for (let run = 0; run < runs; run++) {
    times.push((await ask(index, questions)).milliseconds);
    unfusedTimes.push((await ask(index, questions, unfused)).milliseconds);
  }
  const least = leastOf(times);
  const traced = await trace(index, questions, runs);
  const changes = await changeOneByOne(index, corpus);
  await index.close();
  return {
    open,
    opened: {
      rss: process.rss - before.rss,
      heap: process.heap - before.heap,
      arrayBuffers: process.arrayBuffers - before.arrayBuffers,
    },
    process,
    questions: questions.length,
    p50: percentile(least, 50),
    p95: percentile(least, 95),
    mean: mean(least),
    p50WithoutFusion: percentile(leastOf(unfusedTimes), 50),
    p50OfRuns: spread(times.map((milliseconds) => percentile(milliseconds, 50))),
    ...traced,
    recall: meanRecall(rankings),
    changes,
  };
}

async function ask(index: TriGraph, questions: Corpus["questions"], options: RetrieveOptions = {}) {
  const milliseconds: number[] = [];
  const rankings: Ranking[] = [];
  for (const question of questions) {
    const begun = performance.now();
    const hits = await index.retrieve(question.question, { ...options, k: K });
    milliseconds.push(performance.now() - begun);
    rankings.push({ question, ids: hits.map(({ passage }) => passage.id) });
  }
  return { milliseconds, rankings };
}

async function trace(index: TriGraph, questions: Corpus["questions"], runs: number) {
  const traces: RetrieveTrace[][] = [];
  for (const { question } of questions) {
    const own: RetrieveTrace[] = [];
    for (let run = 0; run < runs; run++) {
      await index.retrieve(question, { k: K, onTrace: (found) => own.push(found) });
    }
    traces.push(own);
  }
  const names = Object.keys(traces[0]?.[0]?.milliseconds ?? {}) as RetrieveStage[];
  const stages = names.map((name) => [
    name,
    mean(traces.map((own) => Math.min(...own.map(({ milliseconds }) => milliseconds[name])))),
  ]);
  const work = WORK.map((name) => [name, mean(traces.map(([first]) => first[name]))]);
  return {
    stages: Object.fromEntries(stages) as Record<RetrieveStage, number>,
    work: Object.fromEntries(work) as Work,
  };
}
