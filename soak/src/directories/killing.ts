import process from "node:process";
import type { ByteRange } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";

/** Where within an operation a process kills itself. */
export type Moment = "before" | "amid" | "after";

/** A folder whose process kills itself at one of its operations, counted from 1. */
export class KillingDirectory extends FileDirectory {
  private operations = 0;
  private readonly at: number;
  private readonly moment: Moment;

  constructor(path: string, at: number, moment: Moment) {
    super(path);
    this.at = at;
    this.moment = moment;
  }

  override list(): Promise<string[]> {
    return this.meet(() => super.list());
  }

  override size(name: string): Promise<number> {
    return this.meet(() => super.size(name));
  }

  override read(name: string, range?: ByteRange): Promise<Uint8Array> {
    return this.meet(() => super.read(name, range));
  }

  override write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    return this.meet(() => super.write(name, chunks));
  }

  override sync(names: readonly string[]): Promise<void> {
    return this.meet(() => super.sync(names));
  }

  override replace(from: string, to: string): Promise<void> {
    return this.meet(() => super.replace(from, to));
  }

  override createExclusive(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.meet(() => super.createExclusive(name, bytes));
  }

  override remove(name: string): Promise<void> {
    return this.meet(() => super.remove(name));
  }

  private async meet<T>(operation: () => Promise<T>): Promise<T> {
    if (++this.operations !== this.at) return operation();
    if (this.moment === "before") killSelf();
    const result = operation();
    if (this.moment === "amid") {
      // Other threads are at work on it: some microseconds to some milliseconds of it are done.
      const until = performance.now() + (this.at % 8) * 0.15;
      while (performance.now() < until);
      killSelf();
    }
    await result;
    return killSelf();
  }
}

/** No handler runs, nothing is flushed. */
function killSelf(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal is delivered before the call returns.
  throw new Error("still alive after SIGKILL");
}
