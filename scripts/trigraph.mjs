// `npm run trigraph -- COMMAND`: the command of packages/cli, installed and built first if need be.
import { runProgram } from "./lib/program.mjs";

await runProgram("@trigraph/cli", "dist/trigraph.mjs");
