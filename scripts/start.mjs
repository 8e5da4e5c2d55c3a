// `npm start -- ARGS`: the demo, installed and built first if need be.
import { runProgram } from "./lib/program.mjs";

await runProgram("@trigraph/example-demo");
