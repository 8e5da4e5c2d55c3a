import type { SyncReport } from "./sync.js";

/** @param size passages that the index holds now */
export function describeReport({ added, replaced, unchanged, deleted }: SyncReport, size: number): string {
  return `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${deleted} deleted; ${size} passages`;
}
