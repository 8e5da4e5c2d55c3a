import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { members, root } from "../../scripts/lib/workspace.mjs";

export { root };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Record<string, unknown>;
}

/** The packages that are published: their folders, relative to the root, and manifests. */
export function publishedPackages(): { readonly dir: string; readonly manifest: Manifest }[] {
  return [...members().values()]
    .map(({ dir }) => ({
      dir,
      manifest: JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")) as Manifest,
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

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
