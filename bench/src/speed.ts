import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildReport } from "./build-speed.js";
import type { CorpusSize } from "./corpora.js";
import { UsageError } from "./errors.js";
import type { QueryReport } from "./query-speed.js";

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
}

/** What a worker is asked: to build an index and save it in the folder, or to ask the one that is there. */
export interface WorkerTask extends SpeedOptions {
  readonly step: "build" | "query";
  readonly size: CorpusSize;
  readonly folder: string;
}

/** What it answers: the corpus, and the report of its step. */
export type WorkerAnswer<Report> =
  | { readonly corpus: string; readonly passages: number; readonly report: Report }
  | { readonly failure: string; readonly isUsage: boolean };

/** Builds and asks in a fresh process each, so that neither memory nor compiled code of anything else shows. */
export async function measureSpeed(size: CorpusSize, options: SpeedOptions): Promise<SpeedReport> {
  const folder = await mkdtemp(join(tmpdir(), "trigraph-bench-"));
  try {
    const task = { ...options, size, folder };
    const { corpus, passages, report: build } = await runWorker<BuildReport>({ ...task, step: "build" });
    const { report: query } = await runWorker<QueryReport>({ ...task, step: "query" });
    return { corpus, passages, build, query };
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
