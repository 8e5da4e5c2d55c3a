import process from "node:process";

/**
 * How a property test runs: the same way each time, so that a change that breaks it is the change at hand.
 * `TRIGRAPH_SEED` draws other examples; a failure prints the seed it was found with.
 */
export function runs(numRuns: number): { numRuns: number; seed: number } {
  return { numRuns, seed: Number(process.env.TRIGRAPH_SEED ?? 20251010) };
}
