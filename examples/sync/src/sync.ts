import type { TriGraph } from "@trigraph/core";
import { readFolder } from "./folder.js";

/** What a run changed, in passages. */
export interface SyncReport {
  /** New texts. */
  readonly added: number;
  /** The same texts at another place of their file. */
  readonly replaced: number;
  readonly unchanged: number;
  /** Texts that no file has any longer. */
  readonly deleted: number;
}

/**
 * Brings an index in step with a folder. New texts come before old ones go, each in one durable step; a run that is ended
 * between them, or before, is made good by the next. The index must hold nothing else: it would be deleted.
 *
 * @throws ReadError of the folder; nothing has changed then
 * @throws TriGraphError of the index
 */
export async function syncFolder(index: TriGraph, folder: string, signal?: AbortSignal): Promise<SyncReport> {
  const passages = await readFolder(folder);
  const { added, replaced, unchanged } = await index.upsert(passages, signal && { signal });
  const present = new Set(passages.map(({ id }) => id));
  const gone = Array.from(index.passages(), ({ id }) => id).filter((id) => !present.has(id));
  const { deleted } = await index.delete(gone);
  return { added, replaced, unchanged, deleted };
}
