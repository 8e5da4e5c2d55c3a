import { fork } from "node:child_process";
import { totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { CorpusSize } from "./corpora.js";
import { UsageError } from "./errors.js";
import type { SpeedOptions, SpeedReport } from "./speed.js";

/** What a speed worker is asked. */
export interface SpeedTask {
  readonly size: CorpusSize;
  readonly data: string | undefined;
  readonly seed: number;
  readonly options: SpeedOptions;
}

/** What it answers. */
export type SpeedAnswer = { readonly report: SpeedReport } | { readonly failure: string; readonly isUsage: boolean };

/** Measures one size in a fresh process, so that neither memory nor compiled code of another size shows. */
export function measureIsolated(task: SpeedTask): Promise<SpeedReport> {
  const worker = fork(fileURLToPath(new URL("./speed-worker.mjs", import.meta.url)), {
    // Node's own limit is 4 GB, whatever the machine has.
    execArgv: ["--expose-gc", `--max-old-space-size=${Math.floor((totalmem() * 0.75) / 2 ** 20)}`],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise<SpeedReport>((resolve, reject) => {
    worker.on("error", reject);
    worker.on("message", (answer: SpeedAnswer) => {
      if ("report" in answer) resolve(answer.report);
      else reject(answer.isUsage ? new UsageError(answer.failure) : new Error(answer.failure));
    });
    worker.on("exit", (code, signal) => {
      reject(new Error(`the process that measured speed ended with ${code ?? signal}; out of memory?`));
    });
    worker.send(task);
  });
}
