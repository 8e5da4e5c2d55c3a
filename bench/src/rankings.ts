import { evidenceRecallAt, mean, placesOf, type Question } from "@trigraph/evaluation";

/** The passages retrieved for one question, the best first. */
export interface Ranking {
  readonly question: Question;
  readonly ids: readonly string[];
}

/** Recall at the depths that the tables show. */
export interface Recall {
  readonly at2: number;
  readonly at5: number;
  readonly at10: number;
}

/** How many passages a ranking needs for `Recall`. */
export const DEPTH = 10;

/** Recall@k of one question: of its evidence where it has any, else of its gold passages. */
export function questionRecall(k: number, { question, ids }: Ranking): number {
  return evidenceRecallAt(k, ids, placesOf(question));
}

export function meanRecall(rankings: readonly Ranking[]): Recall {
  const at = (k: number) => mean(rankings.map((ranking) => questionRecall(k, ranking)));
  return { at2: at(2), at5: at(5), at10: at(10) };
}
