import { FUSION_FEATURES, type FusionFeature } from "@trigraph/core";
import { evidenceRecallAt } from "../measures/ranking.js";
import { mean } from "../measures/numbers.js";
import type { LabelledPool } from "./pools.js";

/** Depths that training tells recall at. */
export const DEPTHS = [2, 5] as const;

/** Means over questions, in [0, 1]. */
export interface Recalls {
  readonly "recall@2": number;
  readonly "recall@5": number;
}

/** What ranks each pool: ids, the best first. */
export type Ranker = (pool: LabelledPool) => readonly string[];

export function recallsOf(pools: readonly LabelledPool[], rank: Ranker): Recalls {
  const rankings = pools.map((pool) => ({ ranking: rank(pool), evidence: pool.evidence }));
  const at = (k: number) => mean(rankings.map(({ ranking, evidence }) => evidenceRecallAt(k, ranking, evidence)));
  return { "recall@2": at(DEPTHS[0]), "recall@5": at(DEPTHS[1]) };
}

/** The share of the evidence that stands among the candidates: no order of them finds more. */
export function poolRecall(pools: readonly LabelledPool[]): number {
  return mean(
    pools.map(({ candidates, evidence }) =>
      evidenceRecallAt(
        candidates.length,
        candidates.map(({ id }) => id),
        evidence,
      ),
    ),
  );
}

/** The candidates by score, those of equal score by id. */
export function rankedBy({ candidates }: LabelledPool, score: (features: Float64Array) => number): string[] {
  return candidates
    .map(({ id, features }) => ({ id, score: score(features) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** Reads one feature of a candidate. */
export function valueOf(feature: FusionFeature): (features: Float64Array) => number {
  const place = FUSION_FEATURES.indexOf(feature);
  return (features) => features[place];
}
