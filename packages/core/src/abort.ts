/** What the promise becomes, unless the signal is aborted first: then it rejects with the signal's reason. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  // A promise that loses the race may still reject later; nobody waits for it then.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason, whatever it is
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The items of the source; waiting for the next one ends when the signal is aborted. */
export async function* abortableItems<T>(
  source: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  if (!(Symbol.asyncIterator in source)) {
    for (const item of source) {
      signal?.throwIfAborted();
      yield item;
    }
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const item = await abortable(iterator.next(), signal);
      if (item.done === true) {
        isDone = true;
        return;
      }
      yield item.value;
    }
  } finally {
    // A source that waits for something else cannot be waited for: it is told, and left.
    if (!isDone) iterator.return?.().catch(() => undefined);
  }
}

/** Lets timers, input and output have their turn. */
export function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void };
  return new Promise((resolve) => {
    // Where there is one, it is over in microseconds. A timer waits for a millisecond or more, an eighth of the turn's work.
    if (setImmediate === undefined) setTimeout(resolve, 0);
    else setImmediate(resolve);
  });
}
