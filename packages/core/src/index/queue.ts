/** Runs tasks one after the other, in the order they were given; a failed one does not stop the next. */
export class TaskQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks given so far have ended. */
  async idle(): Promise<void> {
    await this.last;
  }
}
