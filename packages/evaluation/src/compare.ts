import { embeddedText } from "@trigraph/core";
import { SharedEmbedder } from "./methods/embedding.js";
import { runMethod, type Run } from "./methods/run.js";
import { planOf, type CompareOptions, type Plan } from "./plan.js";
import { buildReport } from "./report/build.js";
import { REPORT_VERSION, TIMES_FORMAT, type Report, type Times } from "./report/report.js";

/** What a comparison found, and what it took. */
export interface ComparisonResult {
  readonly report: Report;
  readonly times: Times;
}

/**
 * Compares methods over the same passages, questions and vectors. Methods run one after the other, each alone in
 * memory. Each is asked twice: timed for its ranking, then untimed for its reasons and for what it has further down.
 *
 * @throws InvalidArgumentError for wrong options, and for a method that needs an embedder where there is none
 * @throws EvaluationError `MISSING_PACKAGE`, `RETRIEVER`, `CHAT`
 */
export async function compareMethods(options: CompareOptions): Promise<ComparisonResult> {
  const plan = planOf(options);
  const embedder = options.embedder && new SharedEmbedder(options.embedder);
  if (embedder !== undefined) await embedAll(embedder, plan);
  const embedding = embedder?.milliseconds ?? null;
  const runs: Run[] = [];
  for (const method of plan.methods) runs.push(await runMethod(method, embedder, plan));
  return {
    report: buildReport(runs, plan),
    times: { format: TIMES_FORMAT, version: REPORT_VERSION, embedding, methods: runs.map(({ times }) => times) },
  };
}

async function embedAll(embedder: SharedEmbedder, { corpus, signal, onProgress }: Plan): Promise<void> {
  await embedder.prepare(corpus.map(embeddedText), {
    signal,
    onBatch: (done) => onProgress?.({ phase: "embed", done, total: corpus.length }),
  });
}
