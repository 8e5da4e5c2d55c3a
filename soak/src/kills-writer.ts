// A process that lives through a history until it is killed. It tells on standard output what it begins and what was
// acknowledged, each with one write.
import { writeSync } from "node:fs";
import process from "node:process";
import { TriGraph } from "@trigraph/core";
import { KillingDirectory } from "./directories/killing.js";
import { stepAt, take } from "./history.js";
import { type WriterOrder } from "./kills.js";
import { INDEX_OPTIONS } from "./oracle.js";

/** Steps between two times that it closes the index and opens it again. */
const STEPS_OPEN = 5;

const STDOUT = 1;

const order = JSON.parse(process.argv[2]) as WriterOrder;
const directory = new KillingDirectory(order.folder, order.operation, order.moment);

for (let number = order.firstStep; ;) {
  const index = await TriGraph.open(directory, { ...INDEX_OPTIONS, create: true });
  tell("opened", number);
  for (let left = STEPS_OPEN; left > 0; left--, number++) {
    tell("begun", number);
    await take(index, stepAt(order.seed, number, order.shape));
    tell("acknowledged", number);
  }
  await index.close();
}

function tell(what: string, number: number): void {
  writeSync(STDOUT, `${what} ${number}\n`);
}
