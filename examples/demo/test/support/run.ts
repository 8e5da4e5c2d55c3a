import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Style } from "@trigraph/console/print";
import pc from "picocolors";
import { parseArguments } from "../../src/arguments.js";
import { runDemo } from "../../src/demo.js";

export function plainStyle(width = 100): Style {
  return { colors: pc.createColors(false), width };
}

/** What the demo prints with these arguments, run in this process. */
export async function run(args: readonly string[], style: Style = plainStyle()): Promise<string> {
  let printed = "";
  await runDemo(parseArguments(args), style, (text) => (printed += text));
  return printed;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = fileURLToPath(new URL("../../dist/main.mjs", import.meta.url));

/** Runs the built demo, without input. With `hangUp` whoever reads its output goes away after the first of it. */
export function spawnDemo(
  args: readonly string[],
  { env = {}, hangUp = false }: { env?: Record<string, string>; hangUp?: boolean } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, FORCE_COLOR: "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (hangUp) child.stdout.destroy();
    });
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A folder of its own with these files. */
export async function makeFolder(files: Readonly<Record<string, string | Uint8Array>>) {
  const path = await mkdtemp(join(tmpdir(), "trigraph-demo-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
