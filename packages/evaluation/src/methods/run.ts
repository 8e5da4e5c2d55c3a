import { TriGraphError } from "@trigraph/core";
import type { Plan } from "../plan.js";
import { EvaluationError, messageOf } from "../errors.js";
import { evaluate, type Evaluation } from "../evaluate.js";
import { accountOf, fails, type Account } from "../report/failures.js";
import type { MethodTimes } from "../report/report.js";
import type { SharedEmbedder } from "./embedding.js";
import type { BuiltMethod, Method } from "./method.js";

/** What is left of a method when its index is closed. */
export interface Run {
  readonly method: Method;
  readonly bytes: number | null;
  readonly evaluation: Evaluation;
  readonly times: MethodTimes;
  /** In the order of the questions. */
  readonly accounts: readonly Account[];
}

/** Indexes the passages by a method, asks it all questions, and closes its index. */
export async function runMethod(method: Method, embedder: SharedEmbedder | undefined, plan: Plan): Promise<Run> {
  const { corpus, questions, ks, answers, signal, onProgress } = plan;
  const { name } = method;
  signal?.throwIfAborted();
  const begun = performance.now();
  const built = await build(method, embedder, plan);
  const index = performance.now() - begun;
  try {
    const embeddingTime = embedder && (() => embedder.milliseconds);
    const shared = { corpus, questions, name, ks, answers, signal, onProgress };
    const evaluation = await evaluate({ ...shared, retriever: built, embeddingTime });
    const { withoutEmbedding = null, ...query } = evaluation.latency;
    return {
      method,
      bytes: built.bytes ?? null,
      evaluation,
      times: { method: name, index, query, queryWithoutEmbedding: withoutEmbedding },
      accounts: await accountsOf(built, evaluation, plan),
    };
  } finally {
    await built.close?.();
  }
}

/** @throws EvaluationError `RETRIEVER` for what a method does not say by an error of ours */
async function build(
  method: Method,
  embedder: SharedEmbedder | undefined,
  { corpus, signal, onProgress }: Plan,
): Promise<BuiltMethod> {
  try {
    return await method.build(corpus, {
      embedder,
      signal,
      onProgress: (done) => onProgress?.({ phase: "index", method: method.name, done, total: corpus.length }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EvaluationError || error instanceof TriGraphError) throw error;
    throw new EvaluationError("RETRIEVER", `${method.name}: indexing failed: ${messageOf(error)}.`, { cause: error });
  }
}

async function accountsOf(
  built: BuiltMethod,
  { name, questions: results }: Evaluation,
  { corpus, questions, ks, signal, onProgress }: Plan,
): Promise<Account[]> {
  const ids = new Set(corpus.map(({ id }) => id));
  const asked = { name, known: (id: string) => ids.has(id), signal };
  const accounts: Account[] = [];
  for (const [i, { ranking, measures }] of results.entries()) {
    signal?.throwIfAborted();
    accounts.push(await accountOf(questions[i], ranking, fails(measures, ks), built, asked));
    onProgress?.({ phase: "explain", method: name, done: accounts.length, total: questions.length });
  }
  return accounts;
}
