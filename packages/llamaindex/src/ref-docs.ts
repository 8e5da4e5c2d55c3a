import {
  type CallOptions,
  type DeleteReport,
  type LongCallOptions,
  type Passage,
  type TriGraph,
  type UpsertReport,
  abortable,
} from "@trigraph/core";
import { refDocIdOf } from "./passages.js";

/**
 * Which passages of an index are of which document. Read from the passages themselves when first asked and kept in
 * step with writes made here; read again when the index was written to otherwise. So it needs no storage, and a
 * reload, or another program that writes, cannot make it wrong.
 */
export class RefDocs {
  private static readonly known = new WeakMap<TriGraph, RefDocs>();

  private readonly index: TriGraph;
  private passages = new Map<string, Set<string>>();
  private documents = new Map<string, string>();
  /** `index.commits` when the maps were right. */
  private seen = -1;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(index: TriGraph) {
    this.index = index;
  }

  /** One for each index, whoever asks. */
  static of(index: TriGraph): RefDocs {
    let refDocs = RefDocs.known.get(index);
    if (refDocs === undefined) {
      refDocs = new RefDocs(index);
      RefDocs.known.set(index, refDocs);
    }
    return refDocs;
  }

  /** Ids of the document's passages. */
  idsOf(refDocId: string): string[] {
    this.refresh();
    return [...(this.passages.get(refDocId) ?? [])];
  }

  /** Runs a task of several reads and writes when those before it have ended. A signal ends waiting, not the task. */
  exclusively<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.last;
    const run = abortable(before, signal).then(task);
    this.last = Promise.allSettled([before, run]);
    return run;
  }

  async upsert(passages: readonly Passage[], options: LongCallOptions): Promise<UpsertReport> {
    const before = this.index.commits;
    const report = await this.index.upsert(passages, options);
    this.follow(before, report.added + report.replaced, () => {
      for (const passage of passages) this.note(passage.id, refDocIdOf(passage));
    });
    return report;
  }

  async delete(ids: readonly string[], options: CallOptions = {}): Promise<DeleteReport> {
    const before = this.index.commits;
    const report = await this.index.delete(ids, options);
    this.follow(before, report.deleted, () => {
      for (const id of ids) this.forget(id);
    });
    return report;
  }

  /** Keeps step with a write, unless others wrote meanwhile: then all is read again when next asked for. */
  private follow(before: number, changes: number, update: () => void): void {
    const commits = before + (changes === 0 ? 0 : 1);
    if (this.seen !== before || this.index.commits !== commits) return;
    update();
    this.seen = commits;
  }

  private refresh(): void {
    if (this.seen === this.index.commits) return;
    this.seen = this.index.commits;
    this.passages = new Map();
    this.documents = new Map();
    for (const passage of this.index.passages()) this.note(passage.id, refDocIdOf(passage));
  }

  private note(id: string, refDocId: string): void {
    this.forget(id);
    this.documents.set(id, refDocId);
    const ids = this.passages.get(refDocId);
    if (ids === undefined) this.passages.set(refDocId, new Set([id]));
    else ids.add(id);
  }

  private forget(id: string): void {
    const refDocId = this.documents.get(id);
    if (refDocId === undefined) return;
    this.documents.delete(id);
    const ids = this.passages.get(refDocId)!;
    ids.delete(id);
    if (ids.size === 0) this.passages.delete(refDocId);
  }
}
