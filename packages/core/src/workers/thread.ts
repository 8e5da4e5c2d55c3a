import { Worker } from "node:worker_threads";
import { InvalidArgumentError, WorkerError } from "../errors.js";
import type { TextArrays, TitledText } from "../segment/text-arrays.js";
import { show } from "../validate.js";
import type { AnalyzeAnswer, AnalyzeRequest } from "./protocol.js";

/** Texts to be analysed, and what becomes of them. */
export class Job implements AnalyzeRequest {
  readonly texts: readonly TitledText[];
  readonly analyzer: string;
  readonly arrays: Promise<TextArrays>;
  declare resolve: (arrays: TextArrays) => void;
  declare reject: (reason: unknown) => void;

  constructor(texts: readonly TitledText[], analyzer: string) {
    this.texts = texts;
    this.analyzer = analyzer;
    this.arrays = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

/**
 * A place for a thread: one begins with the first job, and another one after that has ended. It keeps the process alive
 * only while it has jobs.
 */
export class Thread {
  private readonly script: URL;
  private readonly onAnswer: () => void;
  private readonly onEnd: (unbegun: readonly Job[]) => void;
  /** In the order in which they are answered; the first one is running. */
  private jobs: Job[] = [];
  private worker: Worker | undefined;

  /** @param onEnd called when the thread has failed, with the jobs after the one that it failed at */
  constructor(script: URL, onAnswer: () => void, onEnd: (unbegun: readonly Job[]) => void) {
    this.script = script;
    this.onAnswer = onAnswer;
    this.onEnd = onEnd;
  }

  get jobCount(): number {
    return this.jobs.length;
  }

  hasAny(jobs: ReadonlySet<Job>): boolean {
    return this.jobs.some((job) => jobs.has(job));
  }

  give(job: Job): void {
    this.worker ??= this.begin();
    this.jobs.push(job);
    this.worker.ref();
    const { texts, analyzer } = job;
    this.worker.postMessage({ texts, analyzer } satisfies AnalyzeRequest);
  }

  /** Takes back all jobs and ends the thread, whatever it is doing. */
  end(): { readonly jobs: readonly Job[]; readonly ended: Promise<unknown> } {
    const { jobs, worker } = this;
    this.jobs = [];
    this.worker = undefined;
    return { jobs, ended: Promise.resolve(worker?.terminate()) };
  }

  private begin(): Worker {
    const worker = new Worker(this.script);
    // What a thread still says when it has been ended concerns nobody.
    const whileMine =
      <A>(handle: (value: A) => void) =>
      (value: A) => {
        if (this.worker === worker) handle(value);
      };
    worker.on(
      "message",
      whileMine((answer: AnalyzeAnswer) => this.answered(answer)),
    );
    const failed = whileMine((error: unknown) => this.failed(explain(this.script, error), error));
    worker.on("error", failed);
    worker.on("messageerror", failed);
    worker.on(
      "exit",
      whileMine((code: number) =>
        this.failed(`it ended with code ${code} before it answered. Its script must call serveAnalyzer and not exit.`),
      ),
    );
    return worker;
  }

  private answered(answer: AnalyzeAnswer): void {
    const job = this.jobs.shift()!;
    if (this.jobs.length === 0) this.worker?.unref();
    if (answer.kind === "arrays") job.resolve(answer.arrays);
    else job.reject(refusal(job, answer));
    this.onAnswer();
  }

  private failed(what: string, cause?: unknown): void {
    const [running, ...unbegun] = this.end().jobs;
    // A thread that fails while it has nothing to do is missed by nobody: the next job begins another one.
    (running as Job | undefined)?.reject(new WorkerError(`WorkerPool: a thread failed: ${what}`, { cause }));
    this.onEnd(unbegun);
  }
}

function refusal(job: Job, answer: Exclude<AnalyzeAnswer, { kind: "arrays" }>): Error {
  const analyzer = show(answer.analyzer);
  if (answer.kind === "other-analyzer") {
    return new InvalidArgumentError(
      `WorkerPool: expected its threads to have the index's analyzer ${show(job.analyzer)}, got ${analyzer}. Give the pool a script that serves that one.`,
    );
  }
  const cause = new Error(answer.message);
  if (answer.stack !== undefined) cause.stack = answer.stack;
  return new WorkerError(`WorkerPool: the analyzer ${analyzer} failed in its thread: ${answer.message}`, { cause });
}

function explain(script: URL, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    return `expected its script ${script.href} to load, got: ${message}. A bundled program must bring a script of its own (option script), bundled as another entry.`;
  }
  return message;
}
