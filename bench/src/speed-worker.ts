// Measures one step at one size on request; `speed.ts` starts this and listens.
import { measureBuild, type BuildReport } from "./build-speed.js";
import { type Corpus, openCorpus } from "./corpora.js";
import { UsageError } from "./errors.js";
import { measureQueries, type QueryReport } from "./query-speed.js";
import type { WorkerAnswer, WorkerTask } from "./speed.js";
import { measurePhase, type PhaseReport } from "./storage-speed.js";

process.once("message", (task: WorkerTask) => {
  void answer(task).then((found) => process.send?.(found, () => process.disconnect()));
});
process.once("disconnect", () => process.exit());

async function answer(task: WorkerTask): Promise<WorkerAnswer<BuildReport | QueryReport | PhaseReport>> {
  try {
    const corpus = openCorpus(task.size, task.data, task.seed);
    const report = await measure(corpus, task);
    return { corpus: corpus.name, passages: corpus.size, report };
  } catch (error) {
    if (error instanceof UsageError) return { failure: error.message, isUsage: true };
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error), isUsage: false };
  }
}

function measure(corpus: Corpus, { step, runs, threads, questions, folder }: WorkerTask) {
  if (step === "build") return measureBuild(corpus, { runs, threads, folder });
  if (step === "query") return measureQueries(corpus, corpus.questions.slice(0, questions), runs, folder);
  return measurePhase(step, corpus, folder);
}
