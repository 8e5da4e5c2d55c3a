import { abortable } from "../abort.js";

/** Runs tasks one after the other, in the order they were given; a failed one does not stop the next. */
export class TaskQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Rejects with the signal's reason when it is aborted before the task's turn has come. */
  run<T>(task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const result = abortable(this.last, signal).then(task);
    this.last = Promise.allSettled([this.last, result]);
    return result;
  }

  /** Resolves when all tasks given so far have ended. */
  async idle(): Promise<void> {
    await this.last;
  }
}
