import { execFile } from "node:child_process";

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell and with an empty standard input; a failing one is an answer, not an error. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  { timeout = 120_000, env = {} }: { timeout?: number; env?: Record<string, string> } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd, timeout, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, stdout, stderr: error === null ? stderr : `${stderr}\n${error.message}` });
    });
    child.stdin?.end();
  });
}

/** Runs a program that must succeed. */
export async function runOrThrow(command: string, args: readonly string[], cwd: string): Promise<Finished> {
  const finished = await run(command, args, cwd);
  if (finished.code !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${finished.code}\n${finished.stdout}\n${finished.stderr}`);
  }
  return finished;
}
