// Mutates and judges in a thread whose heap is bounded, so that the main one can tell a hang and name the case.
import { parentPort, workerData } from "node:worker_threads";
import { Fuzzer } from "./fuzz.js";
import type { FuzzMessage, FuzzOrder } from "./fuzz-run.js";

const { seed, first, count } = workerData as FuzzOrder;

const tell = (message: FuzzMessage) => parentPort!.postMessage(message);
const fuzzer = await Fuzzer.create(seed);
for (let number = first; number < first + count; number++) {
  if (number % 100 === 0) tell({ at: number });
  await fuzzer.run(number);
}
tell({ figures: fuzzer.figures });
