import { parentPort } from "node:worker_threads";
import { ANALYZE_BATCH } from "../defaults.js";
import { InvalidArgumentError } from "../errors.js";
import { TaskQueue } from "../index/queue.js";
import { TextBuilder, type TextArrays, type TitledText } from "../segment/text-arrays.js";
import { type Analyzer, readTexts } from "../text/analyzer.js";
import { checkAnalyzer } from "../validate.js";
import type { AnalyzeAnswer, AnalyzeRequest } from "./protocol.js";

/**
 * Makes this thread one of a `WorkerPool`'s: it analyses what the pool sends. All that the pool's `script` has to do.
 *
 * @throws InvalidArgumentError on what is no analyzer, or outside a worker thread
 */
export function serveAnalyzer(analyzer: Analyzer): void {
  checkAnalyzer("serveAnalyzer", analyzer);
  const port = parentPort;
  if (port === null) {
    throw new InvalidArgumentError(
      "serveAnalyzer: expected to be called in a worker thread, got the main one. Call it in a file of its own, and give that file to a WorkerPool as script.",
    );
  }
  const requests = new TaskQueue();
  port.on("message", (request: AnalyzeRequest) => {
    void requests.run(async () => {
      const answer = await answerTo(request, analyzer);
      const moved = answer.kind === "arrays" ? Object.values(answer.arrays) : [];
      port.postMessage(
        answer,
        moved.map(({ buffer }) => buffer as ArrayBuffer),
      );
    }, undefined);
  });
}

async function answerTo({ texts, analyzer: expected }: AnalyzeRequest, analyzer: Analyzer): Promise<AnalyzeAnswer> {
  const { id } = analyzer;
  if (id !== expected) return { kind: "other-analyzer", analyzer: id };
  try {
    return { kind: "arrays", arrays: await analyze(texts, analyzer) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { kind: "failure", analyzer: id, message, stack };
  }
}

async function analyze(texts: readonly TitledText[], analyzer: Analyzer): Promise<TextArrays> {
  const builder = new TextBuilder();
  for (let start = 0; start < texts.length; start += ANALYZE_BATCH) {
    const batch = texts.slice(start, start + ANALYZE_BATCH);
    const read = batch.map(({ text }) => text);
    const reader = await readTexts(analyzer, read, undefined);
    for (const each of batch) builder.add(each, reader);
  }
  return builder.freeze();
}
