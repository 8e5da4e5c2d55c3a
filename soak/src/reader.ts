// A thread or a process that reads an index while another writes to it: a look at each request.
import process from "node:process";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { INDEX_OPTIONS, observe } from "./oracle.js";
import type { ReaderOrder, Sight } from "./readers.js";

/** The check reads all files anew, while the writer may remove them. */
const LOOKS_A_CHECK = 4;

const order = isMainThread ? (JSON.parse(process.argv[2]) as ReaderOrder) : (workerData as ReaderOrder);
const directory = new FileDirectory(order.folder);
let index = await open();
let looks = 0;

if (isMainThread) process.on("message", () => void answer((sight) => process.send!(sight)));
else parentPort!.on("message", () => void answer((sight) => parentPort!.postMessage(sight)));

async function answer(tell: (sight: Sight) => void): Promise<void> {
  const since = order.acknowledged === undefined ? 0 : Atomics.load(new Int32Array(order.acknowledged), 0);
  index = await advance();
  const findings = looks++ % LOOKS_A_CHECK === 0 ? await index.check() : [];
  tell({ since, observation: await observe(index), findings });
}

/** The index as it is now. */
async function advance(): Promise<TriGraph> {
  await index.close();
  return open();
}

function open(): Promise<TriGraph> {
  return TriGraph.open(directory, { ...INDEX_OPTIONS, readOnly: true });
}
