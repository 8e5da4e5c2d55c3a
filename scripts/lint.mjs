// `node scripts/lint.mjs ARGS`: eslint over everything, a process for each package; ARGS go to eslint. In one process the
// types of all packages together need more memory than Node takes by default.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { members, root } from "./lib/workspace.mjs";

const eslint = join(root, "node_modules", "eslint", "bin", "eslint.js");
const folders = [...members().values()].map(({ dir }) => dir);
const rest = [".", ...folders.flatMap((folder) => ["--ignore-pattern", `${folder}/`])];
const tasks = [...folders.map((folder) => [folder]), rest];

let failed = 0;
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = failed === 0 ? 0 : 1;

async function work() {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    if ((await lint(task)) !== 0) failed++;
  }
}

/** Resolves to the exit code. */
function lint(what) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [eslint, "--max-warnings", "0", ...what, ...process.argv.slice(2)], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", (error) => {
      process.stderr.write(`${error}\n`);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}
