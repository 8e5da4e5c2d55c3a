// Measures one size on request; `isolated.ts` starts this and listens.
import { openCorpus } from "./corpora.js";
import { UsageError } from "./errors.js";
import type { SpeedAnswer, SpeedTask } from "./isolated.js";
import { measureSpeed } from "./speed.js";

process.once("message", (task: SpeedTask) => {
  void answer(task).then((found) => process.send?.(found, () => process.disconnect()));
});
process.once("disconnect", () => process.exit());

async function answer({ size, data, seed, options }: SpeedTask): Promise<SpeedAnswer> {
  try {
    return { report: await measureSpeed(openCorpus(size, data, seed), options) };
  } catch (error) {
    if (error instanceof UsageError) return { failure: error.message, isUsage: true };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error), isUsage: false };
  }
}
