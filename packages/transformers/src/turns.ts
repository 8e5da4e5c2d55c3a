import { TURN } from "./defaults.js";

/**
 * Inference blocks the thread, and the library resolves without leaving it. Between texts this lets timers, input and
 * output have their turn every now and then, so that an abort can arrive.
 */
export class Turns {
  #ends = performance.now() + TURN;

  /** @throws the signal's reason */
  async next(signal: AbortSignal | undefined): Promise<void> {
    if (performance.now() >= this.#ends) {
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      this.#ends = performance.now() + TURN;
    }
    signal?.throwIfAborted();
  }
}
