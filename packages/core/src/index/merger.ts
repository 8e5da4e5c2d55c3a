import { nextTurn } from "../abort.js";
import { MAX_SEGMENTS, SMALL_MERGE_TOKENS } from "../defaults.js";
import type { VectorIndexes } from "../dense/vector-index.js";
import { IndexError } from "../errors.js";
import type { Segment } from "../segment/segment.js";
import { inTurns, type Steps } from "../steps.js";
import type { LongCallOptions } from "../types.js";
import { merging, withMerged } from "./changes.js";
import type { Store } from "./store.js";
import { dueForMerge, groupsToMerge } from "./tiers.js";
import type { ViewPart } from "./view.js";

/** What a merger works for. */
interface MergedIndex {
  /** Undefined in memory. */
  readonly store: Store | undefined;
  /** Undefined where all vectors are compared. */
  readonly vectorIndexes: VectorIndexes | undefined;
  /** Those of the newest commit. */
  parts(): readonly ViewPart[];
  /** In turn with all writes: makes the changed parts a commit of their own; undefined leaves them as they are. */
  commit(change: (parts: readonly ViewPart[]) => Promise<readonly ViewPart[] | undefined>): Promise<void>;
}

/**
 * Keeps the segments of an index few. Small merges belong to the write that makes them due. Large ones run in the
 * background, one at a time, in turns with queries and writes, and are commits of their own. Only where segments are
 * made faster than they are merged does a write wait for a large merge, which it does itself.
 */
export class Merger {
  private readonly index: MergedIndex;
  /** Segments that are being merged in the background. */
  private busy: ReadonlySet<Segment> = new Set();
  private running: AbortController | undefined;
  private ended: Promise<void> = Promise.resolve();
  private isClosed = false;
  private failure: { readonly cause: unknown } | undefined;

  constructor(index: MergedIndex) {
    this.index = index;
  }

  /** Begins a merge in the background when one is due and none runs. For after each commit. */
  start(): void {
    if (this.running !== undefined || this.isClosed) return;
    const group = dueForMerge(this.index.parts());
    if (group === undefined) return;
    const running = new AbortController();
    this.running = running;
    this.busy = new Set(group.map(({ segment }) => segment));
    this.ended = this.run(group, running.signal).then(
      () => {
        this.leave(running);
        this.start();
      },
      (cause: unknown) => {
        if (!running.signal.aborted) this.failure = { cause };
        this.leave(running);
      },
    );
  }

  /** The parts of a write after the merges that it has to do. */
  async settle(parts: readonly ViewPart[], options: LongCallOptions): Promise<readonly ViewPart[]> {
    let settled = parts;
    for (let done = 1; ; done++) {
      const free = settled.filter(({ segment }) => !this.busy.has(segment));
      const group = dueForMerge(free, settled.length < MAX_SEGMENTS ? SMALL_MERGE_TOKENS : Infinity);
      if (group === undefined) return settled;
      settled = await inTurns(merged(settled, group), options.signal);
      options.onProgress?.({ phase: "merge", done, total: undefined });
    }
  }

  /** As few parts as possible. Undefined when there is nothing to merge. What runs in the background is given up. */
  async mergeAll(parts: readonly ViewPart[], options: LongCallOptions): Promise<readonly ViewPart[] | undefined> {
    this.running?.abort();
    const groups = groupsToMerge(parts);
    let fewer = parts;
    for (const [i, group] of groups.entries()) {
      fewer = await inTurns(merged(fewer, group), options.signal);
      options.onProgress?.({ phase: "merge", done: i + 1, total: groups.length });
    }
    return groups.length === 0 ? undefined : fewer;
  }

  /**
   * Throws, once, what has made a merge in the background fail.
   *
   * @param outcome of the call that throws
   */
  throwFailure(method: string, outcome: string): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure === undefined) return;
    const { cause } = failure;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new IndexError(
      "STORAGE",
      `${method}: a merge in the background has failed: ${reason}. Every write until now is whole; ${outcome}.`,
      { cause },
    );
  }

  /** Gives up what runs in the background, for ever. Resolves when it does nothing more. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.running?.abort();
    await this.ended;
  }

  private leave(running: AbortController): void {
    if (this.running !== running) return;
    this.running = undefined;
    this.busy = new Set();
  }

  private async run(group: readonly ViewPart[], signal: AbortSignal): Promise<void> {
    // The write that made it due comes first.
    await nextTurn();
    const { store, vectorIndexes } = this.index;
    const segment = await inTurns(merging(group), signal);
    let isCommitted = false;
    try {
      await vectorIndexes?.build(segment, { signal });
      await store?.prepare(segment, signal);
      await this.index.commit(async (parts) => {
        const isThere = parts.some((part) => this.busy.has(part.segment));
        if (signal.aborted || !isThere) return undefined;
        const settled = await inTurns(withMerged(parts, group, segment), signal);
        isCommitted = true;
        return settled;
      });
    } finally {
      await store?.leavePreparation(segment, isCommitted);
    }
  }
}

/** The parts with the group's live passages as one segment in its place. */
function* merged(parts: readonly ViewPart[], group: readonly ViewPart[]): Steps<ViewPart[]> {
  return yield* withMerged(parts, group, yield* merging(group));
}
