import { nextTurn } from "./abort.js";

/** Long work without waiting in it, cut into steps: it may pause wherever it yields. A step takes a few milliseconds at most. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** So long, in milliseconds, steps follow each other before other work gets a turn. A query beside them waits for no longer. */
const TURN = 8;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does the steps in turns with other work. Rejects with the signal's reason when it is aborted in between. */
export async function inTurns<T>(steps: Steps<T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    const turnEnds = performance.now() + TURN;
    do {
      signal?.throwIfAborted();
      const { done, value } = steps.next();
      if (done === true) return value;
    } while (performance.now() < turnEnds);
    await nextTurn();
  }
}

/**
 * Does the work on runs of rows of a CSR matrix, of so many rows and entries together at most, or one row: rows differ in
 * length by a thousand times and more.
 */
export function* inRows(indptr: Uint32Array, entries: number, work: (start: number, end: number) => void): Steps<void> {
  const rows = indptr.length - 1;
  for (let start = 0; start < rows;) {
    let end = start + 1;
    // A row counts as an entry, or empty ones would cost nothing.
    while (end < rows && indptr[end + 1] - indptr[start] + end + 1 - start <= entries) end++;
    work(start, end);
    yield;
    start = end;
  }
}

/** Does the work on so many items at a time. */
export function* inBlocks(count: number, size: number, work: (start: number, end: number) => void): Steps<void> {
  for (let start = 0; start < count; start += size) {
    work(start, Math.min(count, start + size));
    yield;
  }
}
