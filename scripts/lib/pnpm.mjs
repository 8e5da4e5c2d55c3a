import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

/**
 * The command that runs the pinned pnpm: the one on the path if it has that version, else one that npx fetches.
 *
 * @param {string[]} args
 * @returns {[command: string, args: string[]]}
 */
export function pnpm(args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version = packageManager.replace(/^pnpm@/, "").replace(/\+.*$/, "");
  const found = spawnSync("pnpm", ["--version"], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (found.status === 0 && found.stdout.trim() === version) return ["pnpm", args];
  return ["npx", ["-y", `pnpm@${version}`, ...args]];
}
