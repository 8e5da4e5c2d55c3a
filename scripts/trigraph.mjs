// `npm run trigraph -- COMMAND`: the command of packages/cli, installed and built first if need be.
import process from "node:process";
import { runProgram } from "./lib/program.mjs";

// Where it was typed: npm runs scripts in the project's folder.
if (process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);

await runProgram("@trigraph/cli", "dist/trigraph.mjs");
