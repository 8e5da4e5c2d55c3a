import { placesOf, type Question } from "../data/question.js";
import { allGoldAt, evidenceRecallAt, ndcgAt, precisionAt, reciprocalRank } from "./ranking.js";

/** A measure: `recall@K`, `allGold@K`, `nDCG@K`, `precision@K`, `MRR`, or one of `ANSWER_MEASURES`. */
export type MeasureName = string;

/** Values of one question, or means of many, in [0, 1]; a measure that could not be taken is missing. */
export type Measures = Readonly<Record<MeasureName, number>>;

/** Measures of an answer and of what it was made from, in the order of the tables. */
export const ANSWER_MEASURES = [
  "contain accuracy",
  "judged accuracy",
  "context relevance",
  "judged evidence recall",
] as const;

/** The names of all measures of a ranking at some depths, in the order of the tables. */
export function rankingMeasureNames(ks: readonly number[]): MeasureName[] {
  const at = (name: string) => ks.map((k) => `${name}@${k}`);
  return [...at("recall"), ...at("allGold"), "MRR", ...at("nDCG"), ...at("precision")];
}

/**
 * All measures of one question's ranking; none when nothing is known of where its evidence stands.
 *
 * @param ks depths, whole numbers of at least 1
 */
export function measureRanking(question: Question, ranking: readonly string[], ks: readonly number[]): Measures {
  const places = placesOf(question);
  if (places.length === 0) return {};
  return Object.fromEntries([
    ["MRR", reciprocalRank(ranking, places)],
    ...ks.flatMap((k) => [
      [`recall@${k}`, evidenceRecallAt(k, ranking, places)],
      [`allGold@${k}`, allGoldAt(k, ranking, places)],
      [`nDCG@${k}`, ndcgAt(k, ranking, places)],
      [`precision@${k}`, precisionAt(k, ranking, places)],
    ]),
  ]) as Measures;
}
