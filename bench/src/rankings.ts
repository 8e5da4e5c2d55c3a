import type { Evidence, Question } from "./data-sets.js";
import { evidenceRecallAt, mean, recallAt } from "./measures.js";

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
  if (question.evidence !== undefined) return evidenceRecallAt(k, ids, statementsOf(question.evidence));
  return recallAt(k, ids, question.gold ?? []);
}

export function meanRecall(rankings: readonly Ranking[]): Recall {
  const at = (k: number) => mean(rankings.map((ranking) => questionRecall(k, ranking)));
  return { at2: at(2), at5: at(5), at10: at(10) };
}

/** Whether no single passage holds all that is known of the evidence. */
export function needsSeveral({ gold, evidence }: Question): boolean {
  if (evidence === undefined) return gold !== null && gold.length > 1;
  const [first = [], ...others] = statementsOf(evidence).filter((passages) => passages.length > 0);
  return !first.some((id) => others.every((passages) => passages.includes(id)));
}

function statementsOf(evidence: readonly Evidence[]): (readonly string[])[] {
  return evidence.map(({ passages }) => passages);
}
