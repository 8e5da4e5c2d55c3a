import { EvaluationError, messageOf } from "./errors.js";

/** A retrieved passage: its id, or anything that has it, such as the core's hits. */
export type Hit = string | { readonly id: string } | { readonly passage: { readonly id: string } };

/** Anything that finds passages, at once or by a promise. */
export interface Retriever {
  /**
   * The best k passages, the best first; fewer when there are not so many. More than k are cut off.
   *
   * @param options the caller's signal, for those that heed it
   */
  retrieve(
    question: string,
    k: number,
    options: { readonly signal?: AbortSignal | undefined },
  ): readonly Hit[] | Promise<readonly Hit[]>;
}

/** How a retriever is asked: under which name, and which ids it may return. */
export interface Asked {
  readonly name: string;
  readonly known: (id: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The ids that a retriever returns.
 *
 * @throws EvaluationError `RETRIEVER` when it fails, or returns anything but ids of the corpus, each once
 */
export async function idsOf(
  retriever: Retriever,
  question: string,
  k: number,
  { name, known, signal }: Asked,
): Promise<string[]> {
  let hits: readonly Hit[];
  try {
    hits = await retriever.retrieve(question, k, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw failure(name, question, `failed: ${messageOf(error)}`, error);
  }
  signal?.throwIfAborted();
  if (!Array.isArray(hits)) throw failure(name, question, "should return an array of hits");
  const ids = new Set<string>();
  for (const hit of hits.slice(0, k) as readonly unknown[]) {
    const id = idOf(hit);
    if (typeof id !== "string") throw failure(name, question, "should return ids, {id} or {passage: {id}}");
    if (!known(id)) throw failure(name, question, `returned ${JSON.stringify(id)}, which is no id of the corpus`);
    if (ids.has(id)) throw failure(name, question, `returned ${JSON.stringify(id)} twice`);
    ids.add(id);
  }
  return [...ids];
}

function idOf(hit: unknown): unknown {
  if (typeof hit !== "object" || hit === null) return hit;
  if ("passage" in hit) return (hit.passage as { id?: unknown } | null)?.id;
  return (hit as { id?: unknown }).id;
}

function failure(name: string, question: string, what: string, cause?: unknown): EvaluationError {
  return new EvaluationError("RETRIEVER", `${name}: retrieve(${JSON.stringify(question)}) ${what}.`, { cause });
}
