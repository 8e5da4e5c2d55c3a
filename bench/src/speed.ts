import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildReport } from "./build-speed.js";
import type { CorpusSize } from "./corpora.js";
import { UsageError } from "./errors.js";
import type { QueryReport } from "./query-speed.js";
import { type Phase, type PhaseReport, PHASES, type StorageReport } from "./storage-speed.js";

export interface SpeedOptions {
  /** Folder of the real data. */
  readonly data: string | undefined;
  /** Of generated corpora. */
  readonly seed: number;
  /** How often to build small corpora and to ask all questions. */
  readonly runs: number;
  /** Worker threads to index with, beside indexing without; undefined for none. */
  readonly threads: number | undefined;
  /** At most so many questions; undefined for all that the corpus has. */
  readonly questions: number | undefined;
}

/** Time and space at one corpus. */
export interface SpeedReport {
  readonly corpus: string;
  readonly passages: number;
  readonly build: BuildReport;
  readonly query: QueryReport;
  readonly storage: StorageReport;
}

/** What a worker is asked: to build an index and save it in the folder, to ask the one that is there, or a phase of storage. */
export interface WorkerTask extends SpeedOptions {
  readonly step: "build" | "query" | Phase;
  readonly size: CorpusSize;
  readonly folder: string;
}

/** What it answers: the corpus, and the report of its step. */
export type WorkerAnswer<Report> =
  | { readonly corpus: string; readonly passages: number; readonly report: Report }
  | { readonly failure: string; readonly isUsage: boolean };

/** Does each step in a fresh process, so that neither memory nor compiled code of anything else shows. */
export async function measureSpeed(size: CorpusSize, options: SpeedOptions): Promise<SpeedReport> {
  const { corpus, passages, build, query } = await inFolder(async (folder) => {
    const task = { ...options, size, folder };
    const { report, ...measured } = await runWorker<BuildReport>({ ...task, step: "build" });
    return { ...measured, build: report, query: (await runWorker<QueryReport>({ ...task, step: "query" })).report };
  });
  const storage = await inFolder(async (folder) => {
    const reports: [Phase, PhaseReport][] = [];
    for (const step of PHASES) {
      reports.push([step, (await runWorker<PhaseReport>({ ...options, size, folder, step })).report]);
    }
    return Object.fromEntries(reports) as Record<Phase, PhaseReport>;
  });
  return { corpus, passages, build, query, storage };
}

/** Gives the task an empty folder, and removes it afterwards. */
async function inFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "trigraph-bench-"));
  try {
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runWorker<Report>(task: WorkerTask) {
  const worker = fork(fileURLToPath(new URL("./speed-worker.mjs", import.meta.url)), {
    // Node's own limit is 4 GB, whatever the machine has.
    execArgv: [`--max-old-space-size=${Math.floor((totalmem() * 0.75) / 2 ** 20)}`],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise<Extract<WorkerAnswer<Report>, { report: Report }>>((resolve, reject) => {
    worker.on("error", reject);
    worker.on("message", (answer: WorkerAnswer<Report>) => {
      if ("report" in answer) resolve(answer);
      else reject(answer.isUsage ? new UsageError(answer.failure) : new Error(answer.failure));
    });
    worker.on("exit", (code, signal) => {
      reject(new Error(`the process that measured speed ended with ${code ?? signal}; out of memory?`));
    });
    worker.send(task);
  });
}
