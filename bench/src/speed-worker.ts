// Measures one step at one size on request; `speed.ts` starts this and listens.
import { measureBuild, type BuildReport } from "./build-speed.js";
import { openCorpus } from "./corpora.js";
import { UsageError } from "./errors.js";
import { measureQueries, type QueryReport } from "./query-speed.js";
import type { WorkerAnswer, WorkerTask } from "./speed.js";

process.once("message", (task: WorkerTask) => {
  void answer(task).then((found) => process.send?.(found, () => process.disconnect()));
});
process.once("disconnect", () => process.exit());

async function answer(task: WorkerTask): Promise<WorkerAnswer<BuildReport | QueryReport>> {
  try {
    const { step, size, data, seed, runs, threads, folder } = task;
    const corpus = openCorpus(size, data, seed);
    const report =
      step === "build"
        ? await measureBuild(corpus, { runs, threads, folder })
        : await measureQueries(corpus, corpus.questions.slice(0, task.questions), runs, folder);
    return { corpus: corpus.name, passages: corpus.size, report };
  } catch (error) {
    if (error instanceof UsageError) return { failure: error.message, isUsage: true };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error), isUsage: false };
  }
}
