// Runs a built program of the workspace in this very process: a second Node would cost as much as all checks together.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setUp } from "./setup.mjs";
import { members, root } from "./workspace.mjs";

/**
 * @param {string} name a package
 * @param {string} [program] its file, relative to the package, once it is built
 */
export async function runProgram(name, program = "dist/main.mjs") {
  await setUp(name);
  const main = join(root, members().get(name).dir, program);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}
