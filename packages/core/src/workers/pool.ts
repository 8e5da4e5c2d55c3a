import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { ClosedError, InvalidArgumentError } from "../errors.js";
import type { IndexingWorkers } from "../index/workers.js";
import type { TextArrays, TitledText } from "../segment/text-arrays.js";
import { checkNames, show } from "../validate.js";
import { Job, Thread } from "./thread.js";

/**
 * Jobs that a thread is given beforehand. Reading a batch, putting a segment together and merging keep the main thread
 * busy for a second or two, in which it could not give out the next ones; a job takes 0.2 s.
 */
const JOBS_AHEAD = 8;

/** Beside this module, in the package and wherever a bundler that knows `new URL(…, import.meta.url)` puts it. */
const ENGLISH_SCRIPT = new URL("./english-worker.mjs", import.meta.url);

/** Options of `WorkerPool`. */
export interface WorkerPoolOptions {
  /**
   * How many threads, from 1. Each takes some 100 MB. Default: as many as can run at once (`os.availableParallelism()`);
   * the main thread, busy for a sixth of the work, finds its time between them.
   */
  readonly threads?: number | undefined;
  /**
   * File that calls `serveAnalyzer`, as a URL or an absolute path: for an analyzer of one's own, and in a program that is
   * bundled into one file. Default: the package's own, which serves an `EnglishAnalyzer`.
   */
  readonly script?: URL | string | undefined;
}

/**
 * Threads that analyse texts for `upsert`: `index.upsert(passages, { workers: pool })`. One pool may serve several indexes,
 * one after the other or at once. Threads begin when they are needed and do not keep the process alive; `close` ends them.
 */
export class WorkerPool implements IndexingWorkers {
  private readonly threads: readonly Thread[];
  private readonly waiting: Job[] = [];
  private isClosed = false;

  /** Starts nothing yet. @throws InvalidArgumentError */
  constructor(options: WorkerPoolOptions = {}) {
    checkNames("WorkerPool", options, ["threads", "script"]);
    const { threads = availableParallelism(), script = ENGLISH_SCRIPT } = options;
    if (!Number.isSafeInteger(threads) || threads < 1) {
      throw new InvalidArgumentError(
        `WorkerPool: expected threads to be an integer of at least 1, got ${show(threads)}.`,
      );
    }
    const url = toUrl(script);
    const giveOut = () => this.giveOut();
    const giveAgain = (unbegun: readonly Job[]) => this.giveAgain(unbegun);
    this.threads = Array.from({ length: threads }, () => new Thread(url, giveOut, giveAgain));
  }

  /** @throws ClosedError after `close()`; else it rejects, as `IndexingWorkers` says */
  analyze(
    pieces: readonly (readonly TitledText[])[],
    { analyzer, signal }: { readonly analyzer: string; readonly signal: AbortSignal },
  ): readonly Promise<TextArrays>[] {
    if (this.isClosed) throw new ClosedError("WorkerPool: the pool was closed. Make another one.");
    signal.throwIfAborted();
    const jobs = pieces.map((texts) => new Job(texts, analyzer));
    const results = jobs.map(({ arrays }) => arrays);
    const drop = () => this.drop(new Set(jobs), signal.reason);
    signal.addEventListener("abort", drop);
    void Promise.allSettled(results).then(() => signal.removeEventListener("abort", drop));
    this.waiting.push(...jobs);
    this.giveOut();
    return results;
  }

  /** Ends the threads. What is being analysed is rejected with a `ClosedError`. Calling it again does nothing. */
  async close(): Promise<void> {
    this.isClosed = true;
    const ends = this.threads.map((thread) => thread.end());
    for (const { reject } of [...ends.flatMap(({ jobs }) => jobs), ...this.waiting.splice(0)]) {
      reject(new ClosedError("WorkerPool: the pool was closed while it analysed."));
    }
    await Promise.all(ends.map(({ ended }) => ended));
  }

  /** Each job to the thread that has the fewest, so that all threads are busy and few begin for little work. */
  private giveOut(): void {
    while (this.waiting.length > 0) {
      const thread = this.threads.reduce((a, b) => (b.jobCount < a.jobCount ? b : a));
      if (thread.jobCount >= JOBS_AHEAD) return;
      thread.give(this.waiting.shift()!);
    }
  }

  /** Before all others: they were first. */
  private giveAgain(jobs: readonly Job[]): void {
    this.waiting.unshift(...jobs);
    this.giveOut();
  }

  /** Forgets jobs that nobody waits for. Threads that have one are ended: nothing else would stop them. */
  private drop(jobs: ReadonlySet<Job>, reason: unknown): void {
    const busy = this.threads.filter((thread) => thread.hasAny(jobs));
    const unfinished = [...busy.flatMap((thread) => thread.end().jobs), ...this.waiting.splice(0)];
    for (const { reject } of jobs) reject(reason);
    this.giveAgain(unfinished.filter((job) => !jobs.has(job)));
  }
}

function toUrl(script: unknown): URL {
  if (script instanceof URL) return script;
  if (typeof script === "string" && script !== "") return pathToFileURL(script);
  throw new InvalidArgumentError(`WorkerPool: expected script to be a URL or a path, got ${show(script)}.`);
}
