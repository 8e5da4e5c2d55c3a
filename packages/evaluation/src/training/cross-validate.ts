import { type Ranker, rankedBy, valueOf } from "./figures.js";
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

const wordScore = valueOf("wordScore");

/**
 * Ranks each pool by weights that were fitted to the other folds alone, and by BM25 where nothing is fused.
 *
 * @throws EvaluationError `TRAINING`, or the signal's reason
 */
export async function crossValidate(
  pools: readonly LabelledPool[],
  { folds, seed, penalty, signal, onFold }: Folding,
): Promise<Ranker> {
  const rankings = new Map<LabelledPool, readonly string[]>();
  for (const pool of pools) if (!pool.isFused) rankings.set(pool, rankedBy(pool, wordScore));
  for (let fold = 0; fold < folds; fold++) {
    const isHeld = ({ question }: LabelledPool) => foldOf(question, folds, seed) === fold;
    const held = pools.filter((pool) => pool.isFused && isHeld(pool));
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
