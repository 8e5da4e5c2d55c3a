// `npm run soak -- ARGS`: what an index survives, at length; installed and built first if need be.
import { runProgram } from "./lib/program.mjs";

await runProgram("@trigraph/soak");
