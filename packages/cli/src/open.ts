import { type Embedder, IndexError, type OpenOptions, TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";

/**
 * Runs something with the index of a folder, and closes it.
 *
 * @throws IndexError and the others of `TriGraph.open`, and what the task throws
 */
export async function withIndex<T>(
  folder: string,
  options: OpenOptions,
  task: (index: TriGraph) => Promise<T>,
): Promise<T> {
  const index = await open(folder, options);
  try {
    return await task(index);
  } finally {
    await index.close();
  }
}

async function open(folder: string, options: OpenOptions): Promise<TriGraph> {
  try {
    return await TriGraph.open(new FileDirectory(folder), options);
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    const advice =
      error.code === "NOT_FOUND"
        ? `expected an index, found none. Make one: trigraph index FILES --into ${folder}`
        : error.message;
    throw new IndexError(error.code, `${folder}: ${advice}`, { cause: error });
  }
}

/** What a question is to be told when the index has vectors that it is not asked with; undefined when all is well. */
export function noteOnVectors(index: TriGraph, embedder: Embedder | undefined): string | undefined {
  if (embedder !== undefined || index.stats().dimensions === 0) return undefined;
  return "note: the index has vectors, and without --embedder it answers by words alone";
}
