import type { TextArrays, TitledText } from "../segment/text-arrays.js";

/**
 * Threads that analyse texts while `upsert` does the rest, so that indexing uses several cores. `WorkerPool` of
 * "@trigraph/core/node" is one.
 */
export interface IndexingWorkers {
  /**
   * What the analyzer finds in each of the lists of texts, in their order. They are many, and it decides itself how many
   * are read at the same time.
   *
   * @param options.analyzer id of the analyzer that must read them
   * @param options.signal when it is aborted nobody waits for the texts any more: reading them ends, and all reject
   * @throws InvalidArgumentError when the threads have another analyzer, WorkerError when it or its thread fails; all of
   * it by rejecting
   */
  analyze(
    pieces: readonly (readonly TitledText[])[],
    options: { readonly analyzer: string; readonly signal: AbortSignal },
  ): readonly Promise<TextArrays>[];
}
