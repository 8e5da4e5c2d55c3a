/** One writer, and readers in the same process, in threads and in other processes: each sees a commit, and none goes back. */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type CheckFinding, TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { after, SMALL, type State, stepAt, take } from "./history.js";
import { differenceOf, INDEX_OPTIONS, keyOf, keyOfState, type Observation, observe, Oracle } from "./oracle.js";
import { fail, type Report } from "./report.js";

export interface ReaderOptions {
  readonly seed: number;
  /** How long the writer writes. */
  readonly seconds: number;
  readonly threads: number;
  readonly processes: number;
}

export interface ReaderFigures {
  /** Steps of the writer. */
  commits: number;
  /** Looks of readers, each of the whole index and its answers. */
  byThreads: number;
  byProcesses: number;
  /** Of the writer's own object, amid writes. */
  bySameIndex: number;
  /** Commits that readers have seen. */
  distinctCommits: number;
}

export interface ReaderOrder {
  readonly folder: string;
  /** Steps that were acknowledged, where memory is shared. */
  readonly acknowledged?: SharedArrayBuffer;
}

/** What a reader saw. */
export interface Sight {
  /** Steps that had been acknowledged before it looked. */
  readonly since: number;
  readonly observation: Observation;
  readonly findings: readonly CheckFinding[];
}

/** Somebody who can be asked for a sight. */
interface Reader {
  readonly name: "byThreads" | "byProcesses";
  look(): Promise<Sight>;
  stop(): Promise<unknown>;
}

/** Milliseconds between two looks of the writer's own process, most of whose time is the writer's. */
const PAUSE = 50;

const PROGRAM = fileURLToPath(new URL("../dist/reader.mjs", import.meta.url));

/** Throws at the first look that is of no commit, of one before an earlier look's, or of one that was overtaken. */
export async function soakReaders(options: ReaderOptions, report: Report): Promise<ReaderFigures> {
  const folder = mkdtempSync(join(tmpdir(), "trigraph-readers-"));
  try {
    const index = await TriGraph.open(new FileDirectory(folder), { ...INDEX_OPTIONS, create: true });
    const soak = new ReaderSoak(options, report, index);
    const figures = await soak.run(folder);
    await index.close();
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

class ReaderSoak {
  private readonly figures: ReaderFigures = {
    commits: 0,
    byThreads: 0,
    byProcesses: 0,
    bySameIndex: 0,
    distinctCommits: 0,
  };
  private readonly options: ReaderOptions;
  private readonly report: Report;
  private readonly index: TriGraph;
  private readonly oracle = new Oracle();
  /** The state after each step; the last one may be under way. */
  private readonly states: State[] = [new Map()];
  private readonly keys: string[] = [keyOfState(new Map())];
  private readonly seen = new Set<number>();
  private readonly acknowledged = new SharedArrayBuffer(4);
  private isOver = false;

  constructor(options: ReaderOptions, report: Report, index: TriGraph) {
    this.options = options;
    this.report = report;
    this.index = index;
  }

  async run(folder: string): Promise<ReaderFigures> {
    const { threads, processes, seed } = this.options;
    await this.write();
    const readers = [
      ...Array.from({ length: threads }, () => thread({ folder, acknowledged: this.acknowledged })),
      ...Array.from({ length: processes }, () => childProcess({ folder })),
    ];
    try {
      await Promise.all([this.writeOn(), this.watchSelf(), ...readers.map((reader) => this.watch(reader))]);
    } catch (error) {
      throw fail(`seed ${seed}, after ${this.figures.commits} commits`, error);
    } finally {
      this.isOver = true;
      for (const reader of readers) await reader.stop();
    }
    this.figures.distinctCommits = this.seen.size;
    return this.figures;
  }

  private async write(): Promise<void> {
    const number = this.figures.commits;
    const step = stepAt(this.options.seed, number, SMALL);
    const state = after(this.states[number], step);
    this.states.push(state);
    this.keys.push(keyOfState(state));
    await take(this.index, step);
    this.figures.commits++;
    Atomics.store(new Int32Array(this.acknowledged), 0, this.figures.commits);
  }

  private async writeOn(): Promise<void> {
    const end = performance.now() + this.options.seconds * 1000;
    while (performance.now() < end && !this.isOver) {
      await this.write();
      if (this.figures.commits % 200 === 0) this.report.progress(`readers: ${JSON.stringify(this.figures)}`);
    }
    this.isOver = true;
  }

  private async watch(reader: Reader): Promise<void> {
    let last = 0;
    while (!this.isOver) {
      const { since, observation, findings } = await reader.look();
      if (findings.length > 0) throw new Error(`check found ${JSON.stringify(findings.slice(0, 3))}`);
      last = await this.compare(observation, Math.max(last, since), this.states.length - 1);
      this.figures[reader.name]++;
    }
  }

  /** A query of the writer's own object has begun at one commit, and may end after others. */
  private async watchSelf(): Promise<void> {
    while (!this.isOver) {
      // Queries alone would never let the writer's input and output have their turn.
      await setTimeout(PAUSE);
      const first = this.figures.commits;
      const observing = observe(this.index);
      // The passages are of the commit at which it begins; answers come later, each of a commit of its own.
      const { passages, answers } = await observing;
      const latest = this.states.length - 1;
      this.find(keyOf(passages), first, latest);
      for (const [i, answer] of answers.entries()) await this.expectAnswer(i, answer, first, latest);
      this.figures.bySameIndex++;
    }
  }

  /** Throws unless what was seen is all of one commit among these; returns the earliest that it can be. */
  private async compare(observation: Observation, first: number, latest: number): Promise<number> {
    const number = this.find(keyOf(observation.passages), first, latest);
    const difference = differenceOf(observation, await this.oracle.expected(this.states[number]));
    if (difference !== undefined) throw new Error(`commit ${number} was seen, but for ${difference}`);
    return number;
  }

  private find(key: string, first: number, latest: number): number {
    for (let number = first; number <= latest; number++) {
      if (this.keys[number] !== key) continue;
      this.seen.add(number);
      return number;
    }
    throw new Error(`saw commit ${this.keys.lastIndexOf(key)}, not one of ${first} to ${latest} (-1 is none at all)`);
  }

  private async expectAnswer(i: number, answer: Observation["answers"][number], first: number, latest: number) {
    const passages: Observation["passages"] = [];
    for (let number = first; number <= latest; number++) {
      const wanted = (await this.oracle.expected(this.states[number])).answers[i];
      if (differenceOf({ passages, answers: [answer] }, { passages, answers: [wanted] }) === undefined) return;
    }
    throw new Error(`"${answer.question}" was answered as at none of the commits ${first} to ${latest}`);
  }
}

function thread(order: ReaderOrder): Reader {
  const worker = new Worker(PROGRAM, { workerData: order });
  const failed = new Promise<never>((_, reject) => worker.once("error", reject));
  failed.catch(() => undefined);
  return {
    name: "byThreads",
    look: () => {
      const sight = new Promise<Sight>((resolve) => worker.once("message", resolve));
      worker.postMessage("look");
      return Promise.race([sight, failed]);
    },
    stop: () => worker.terminate(),
  };
}

function childProcess(order: ReaderOrder): Reader {
  const child = fork(PROGRAM, [JSON.stringify(order)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  let isStopped = false;
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      if (!isStopped) reject(new Error(`a reader's process ended with ${code}`));
    });
  });
  ended.catch(() => undefined);
  return {
    name: "byProcesses",
    look: () => {
      const sight = new Promise<Sight>((resolve) => child.once("message", (message) => resolve(message as Sight)));
      child.send("look");
      return Promise.race([sight, ended]);
    },
    stop: async () => {
      isStopped = true;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await gone;
    },
  };
}
