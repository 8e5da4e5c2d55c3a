import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { runCli } from "../../src/cli.js";

/** How the command ended, and what it wrote. */
export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** Standard input. */
  readonly input?: Iterable<string> | AsyncIterable<string>;
  readonly signal?: AbortSignal;
}

/** Runs `trigraph` in this process. */
export async function cli(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { input = [], signal = new AbortController().signal } = options;
  const [out, err] = [new Memory(), new Memory()];
  const code = await runCli(args, { in: bytes(input), out, err, signal });
  return { code, out: out.text, err: err.text };
}

/** What a command with `--json` that ended well has printed. */
export async function json<T>(args: readonly string[], options?: RunOptions): Promise<T> {
  const { code, out, err } = await cli([...args, "--json"], options);
  if (code !== 0) throw new Error(`trigraph ${args.join(" ")} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}

export function jsonLines(...rows: unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** A folder of its own, which files can be written to. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), "trigraph-cli-"));

  readonly at = (name: string): string => join(this.path, name);

  write(name: string, content: string): string {
    const file = this.at(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

class Memory extends Writable {
  text = "";

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

async function* bytes(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield new TextEncoder().encode(text);
}
