import { Writable } from "node:stream";
import { runCli } from "../../src/cli/cli.js";

/** How the command ended, and what it wrote. */
export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `trigraph-eval`. */
export async function cli(args: readonly string[], signal = new AbortController().signal): Promise<Finished> {
  const [out, err] = [new Memory(), new Memory()];
  const code = await runCli(args, { out, err, signal });
  return { code, out: out.text, err: err.text };
}

class Memory extends Writable {
  text = "";

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}
