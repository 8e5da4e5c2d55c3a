// `npm run bench -- ARGS`: the benchmarks, installed and built first if need be.
import { runProgram } from "./lib/program.mjs";

await runProgram("@trigraph/bench");
