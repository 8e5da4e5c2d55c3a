import type { FusionWeights } from "@trigraph/core";
import { Design } from "./design.js";
import { fitLogistic } from "./logistic.js";
import type { LabelledPool } from "./pools.js";

/** L2 penalty on weights of standardised columns; 3 to 100 serve alike (README, "What was tried"). */
export const DEFAULT_PENALTY = 100;

/**
 * Fits a fusion's weights to labelled pools. A candidate is an example, positive if it holds any of the evidence; the
 * examples of each data set weigh the same together.
 */
export function fitFusion(pools: readonly LabelledPool[], penalty = DEFAULT_PENALTY): FusionWeights {
  const design = new Design(pools);
  const sizes = new Map<string, number>();
  for (const { set } of pools) sizes.set(set, (sizes.get(set) ?? 0) + 1);
  const mean = pools.length / sizes.size;
  const rows = pools.reduce((sum, { candidates }) => sum + candidates.length, 0);
  const x = new Float64Array(rows * design.width);
  const y = new Float64Array(rows);
  const weight = new Float64Array(rows);
  let row = 0;
  for (const { set, context, candidates, evidence } of pools) {
    const gold = new Set(evidence.flat());
    for (const { id, features } of candidates) {
      design.write(x, row * design.width, features, context);
      y[row] = gold.has(id) ? 1 : 0;
      weight[row] = mean / sizes.get(set)!;
      row++;
    }
  }
  const { coefficients, intercept } = fitLogistic({ x, y, weight, width: design.width }, penalty);
  return design.weights(coefficients, intercept);
}
