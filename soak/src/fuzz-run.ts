import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { FuzzFigures } from "./fuzz.js";
import type { Report } from "./report.js";

export interface FuzzOrder {
  readonly seed: number;
  /** The number of the first mutation, and how many there are. */
  readonly first: number;
  readonly count: number;
}

export type FuzzMessage = { readonly at: number } | { readonly figures: FuzzFigures };

/** What the indexes may take beside their arrays, in MB: a hundred times what they need. */
const HEAP = 256;

/** All memory that the process may take, in MB: claimed sizes are up to 2^53. */
const MEMORY = 1024;

/** Milliseconds for a hundred mutations, which take a second. */
const PATIENCE = 600_000;

const WORKER = fileURLToPath(new URL("../dist/fuzz-worker.mjs", import.meta.url));

/** Throws at the first mutation that is neither refused nor harmless, that hangs, or that takes memory. */
export async function soakFuzz(order: FuzzOrder, report: Report): Promise<FuzzFigures> {
  const worker = new Worker(WORKER, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: HEAP } });
  let at = order.first;
  let watch: NodeJS.Timeout | undefined;
  try {
    const figures = await new Promise<FuzzFigures>((resolve, reject) => {
      const expectProgress = () => {
        clearTimeout(watch);
        watch = setTimeout(() => reject(new Error(`seed ${order.seed}: hangs after mutation ${at}`)), PATIENCE);
      };
      expectProgress();
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error(`seed ${order.seed}: ended after mutation ${at}`)));
      worker.on("message", (message: FuzzMessage) => {
        expectProgress();
        if ("figures" in message) return resolve(message.figures);
        at = message.at;
        report.progress(`fuzz: ${at - order.first} of ${order.count} mutations`);
      });
    });
    if (figures.peakMemory > MEMORY) throw new Error(`took ${figures.peakMemory} MB, more than ${MEMORY}`);
    return figures;
  } finally {
    clearTimeout(watch);
    await worker.terminate();
  }
}
