// Runs a built program of the workspace in this very process: a second Node would cost as much as all checks together.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setUp } from "./setup.mjs";
import { members, root } from "./workspace.mjs";

/**
 * @param {string} name a package whose build leaves dist/PROGRAM.mjs
 * @param {string} [program]
 */
export async function runProgram(name, program = "main") {
  await setUp(name);
  const main = join(root, members().get(name).dir, "dist", `${program}.mjs`);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}
