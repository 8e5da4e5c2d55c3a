// `npm run example -- NAME ARGS`: a program of examples/, installed and built first if need be.
import process from "node:process";
import { PROGRAMS, SERVED } from "./lib/examples.mjs";
import { runProgram } from "./lib/program.mjs";
import { members } from "./lib/workspace.mjs";

const [name, ...args] = process.argv.slice(2);
const examples = [...PROGRAMS, ...SERVED];
if (!examples.includes(name)) {
  process.stderr.write(`npm run example -- NAME: expected one of ${examples.join(", ")}; got ${name ?? "nothing"}.\n`);
  process.exit(2);
}
const [folder, program] = name.split("/");
const member = [...members().values()].find(({ dir }) => dir === `examples/${folder}`);
process.argv.splice(2, Infinity, ...args);
await runProgram(member.name, SERVED.includes(name) ? "serve.mjs" : `dist/${program ?? "main"}.mjs`);
