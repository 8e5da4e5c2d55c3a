import type { FusionWeights } from "@trigraph/core";
import { EvaluationError } from "../errors.js";
import { Design } from "./design.js";
import { fitLogistic, logOdds } from "./logistic.js";
import type { LabelledPool } from "./pools.js";

/** A fusion fitted to some pools. */
export class FittedFusion {
  readonly #design: Design;
  readonly #coefficients: Float64Array;
  readonly #intercept: number;
  readonly #row: Float64Array;
  readonly #beta: Float64Array;

  constructor(design: Design, coefficients: Float64Array, intercept: number) {
    this.#design = design;
    this.#coefficients = coefficients;
    this.#intercept = intercept;
    this.#row = new Float64Array(design.width);
    this.#beta = Float64Array.of(...coefficients, intercept);
  }

  /** The log-odds of a candidate; `weights` give the same. */
  logOdds(features: ArrayLike<number>, context: ArrayLike<number>): number {
    this.#design.write(this.#row, 0, features, context);
    return logOdds(this.#row, 0, this.#design.width, this.#beta);
  }

  get weights(): FusionWeights {
    return this.#design.weights(this.#coefficients, this.#intercept);
  }
}

/**
 * Fits a fusion to those of the pools that are fused. A candidate is an example, positive if it holds any of the evidence; the examples of
 * each data set weigh the same together.
 *
 * @throws EvaluationError `TRAINING` when all candidates hold evidence, or none; or the signal's reason
 */
export async function fitFusion(
  labelled: readonly LabelledPool[],
  penalty: number,
  signal?: AbortSignal,
): Promise<FittedFusion> {
  const pools = labelled.filter(({ isFused }) => isFused);
  checkLabels(pools);
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
  const { coefficients, intercept } = await fitLogistic({ x, y, weight, width: design.width }, penalty, signal);
  return new FittedFusion(design, coefficients, intercept);
}

/** With one kind of example alone there is no best intercept. */
function checkLabels(pools: readonly LabelledPool[]): void {
  const labels = pools.flatMap(({ candidates, evidence }) => {
    const gold = new Set(evidence.flat());
    return candidates.map(({ id }) => gold.has(id));
  });
  if (labels.includes(true) && labels.includes(false)) return;
  const got = labels.length === 0 ? "no candidates" : labels[0] ? "nothing but gold" : "no gold";
  throw new EvaluationError(
    "TRAINING",
    `train: expected gold and other passages among the candidates of each fold's training questions, got ${got}. Give more questions.`,
  );
}
