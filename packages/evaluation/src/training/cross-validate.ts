import { type Ranker, rankedBy } from "./figures.js";
import { fitFusion } from "./fit.js";
import { foldOf } from "./folds.js";
import type { LabelledPool } from "./pools.js";

export interface Folding {
  readonly folds: number;
  readonly seed: number;
  readonly penalty: number;
  readonly signal?: AbortSignal | undefined;
  /** Called after each fold. */
  readonly onFold?: (() => void) | undefined;
}

/**
 * Ranks each pool by weights that were fitted to the other folds alone.
 *
 * @throws EvaluationError `TRAINING`, or the signal's reason
 */
export async function crossValidate(
  pools: readonly LabelledPool[],
  { folds, seed, penalty, signal, onFold }: Folding,
): Promise<Ranker> {
  const rankings = new Map<LabelledPool, readonly string[]>();
  for (let fold = 0; fold < folds; fold++) {
    const isHeld = ({ question }: LabelledPool) => foldOf(question, folds, seed) === fold;
    const held = pools.filter(isHeld);
    if (held.length > 0) {
      const fitted = await fitFusion(
        pools.filter((pool) => !isHeld(pool)),
        penalty,
        signal,
      );
      for (const pool of held) {
        rankings.set(
          pool,
          rankedBy(pool, (features) => fitted.logOdds(features, pool.context)),
        );
      }
    }
    onFold?.();
  }
  return (pool) => rankings.get(pool)!;
}
