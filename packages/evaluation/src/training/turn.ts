/** Lets whatever else waits have its turn, so that a caller of a long computation can abort it. */
export async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  signal?.throwIfAborted();
}
