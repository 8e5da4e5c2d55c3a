/** Brings an index in step with what is read. */
import { abortable, type IndexingWorkers, type TriGraph } from "@trigraph/core";
import { ReadError, type SourcedPassage } from "@trigraph/console/read";

export interface SyncOptions {
  /** Passages that are committed together. */
  readonly batch: number;
  /** Threads that read the texts. */
  readonly workers?: IndexingWorkers | undefined;
  /** Delete what was not read. */
  readonly prune: boolean;
  /** Aborting ends the work after the batch that is being committed; nothing is then deleted. */
  readonly signal: AbortSignal;
  /** Called with the bytes and passages that are indexed. */
  readonly onProgress?: ((bytes: number, passages: number) => void) | undefined;
}

export interface SyncReport {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly deleted: number;
  /** False when it was interrupted; the same call then goes on where it stopped. */
  readonly complete: boolean;
}

/**
 * Upserts passages in batches, each durable when the next begins. What the index holds already costs a look-up, so an
 * interrupted call is continued by calling again.
 *
 * @throws ReadError when nothing was read; what reading or the index throws; batches before it stay
 */
export async function sync(
  index: TriGraph,
  passages: AsyncGenerator<SourcedPassage>,
  options: SyncOptions,
): Promise<SyncReport> {
  const { prune, workers, signal, onProgress } = options;
  const total = { added: 0, replaced: 0, unchanged: 0, deleted: 0 };
  const seen = new Set<string>();
  let bytes = 0;
  let done = 0;
  let embeds = false;
  for await (const batch of batches(passages, options)) {
    const end = batch.at(-1)!.bytes;
    const report = await index.upsert(
      batch.map(({ passage }) => passage),
      {
        workers,
        onProgress: ({ phase, done: part, total: parts = batch.length }) => {
          // With vectors these are nearly all of the work.
          embeds ||= phase === "embed";
          if (phase !== (embeds ? "embed" : "analyze")) return;
          const share = part / Math.max(parts, 1);
          onProgress?.(bytes + (end - bytes) * share, done + Math.round(batch.length * share));
        },
      },
    );
    for (const key of ["added", "replaced", "unchanged"] as const) total[key] += report[key];
    if (prune) for (const { passage } of batch) seen.add(passage.id);
    bytes = end;
    done += batch.length;
    onProgress?.(bytes, done);
  }
  if (signal.aborted) return { ...total, complete: false };
  if (done === 0) throw new ReadError("expected at least one passage in all that was given, found none.");
  if (prune) total.deleted = await deleteOthers(index, seen);
  return { ...total, complete: true };
}

/** Ends when the signal is aborted, without what was read of a batch that is not full. */
async function* batches(
  passages: AsyncGenerator<SourcedPassage>,
  { batch: size, signal }: SyncOptions,
): AsyncGenerator<SourcedPassage[]> {
  let batch: SourcedPassage[] = [];
  try {
    for (;;) {
      const next = await nextOf(passages, signal);
      if (next === undefined) return;
      if (next.done !== true) batch.push(next.value);
      if (batch.length === size || (next.done === true && batch.length > 0)) {
        yield batch;
        batch = [];
      }
      if (next.done === true) return;
    }
  } finally {
    // Closes the files. Not awaited: who reads standard input may wait for ever.
    passages.return(undefined).catch(() => undefined);
  }
}

/** Undefined when the signal is aborted first: standard input may take for ever. */
async function nextOf(passages: AsyncGenerator<SourcedPassage>, signal: AbortSignal) {
  if (signal.aborted) return undefined;
  try {
    return await abortable(passages.next(), signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function deleteOthers(index: TriGraph, kept: ReadonlySet<string>): Promise<number> {
  const others: string[] = [];
  for (const { id } of index.passages()) if (!kept.has(id)) others.push(id);
  return (await index.delete(others)).deleted;
}
