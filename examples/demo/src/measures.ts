import type { GoldRanks } from "./compare.js";

export type Retriever = "trigraph" | "bm25";

/** How trigraph did against BM25 on one question. */
export type Outcome = "won" | "tied" | "lost";

/** The cut at which questions are won and lost. */
export const CUT = 5;

export interface Totals {
  readonly questions: number;
  readonly measures: Readonly<Record<Retriever, RetrieverTotals>>;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

export interface RetrieverTotals {
  /** Mean share of a question's gold passages in the top 2 and 5. */
  readonly recallAt2: number;
  readonly recallAt5: number;
  /** Questions with all their gold passages in the top 5. */
  readonly allGoldAt5: number;
}

/** How many gold passages are among the first k. */
export function foundAt(k: number, gold: readonly GoldRanks[], retriever: Retriever): number {
  return gold.filter(({ [retriever]: rank }) => rank !== undefined && rank <= k).length;
}

/** Won when trigraph has more of the gold in its top 5 than BM25. */
export function outcomeOf(gold: readonly GoldRanks[]): Outcome {
  const difference = foundAt(CUT, gold, "trigraph") - foundAt(CUT, gold, "bm25");
  return difference > 0 ? "won" : difference < 0 ? "lost" : "tied";
}

/** @param golds of each question, at least one */
export function totalsOf(golds: readonly (readonly GoldRanks[])[]): Totals {
  const outcomes = { won: 0, tied: 0, lost: 0 };
  for (const gold of golds) outcomes[outcomeOf(gold)]++;
  return {
    questions: golds.length,
    measures: { trigraph: totalsOfRetriever(golds, "trigraph"), bm25: totalsOfRetriever(golds, "bm25") },
    outcomes,
  };
}

function totalsOfRetriever(golds: readonly (readonly GoldRanks[])[], retriever: Retriever): RetrieverTotals {
  const recallAt = (k: number) => mean(golds.map((gold) => foundAt(k, gold, retriever) / gold.length));
  const complete = golds.filter((gold) => foundAt(5, gold, retriever) === gold.length);
  return { recallAt2: recallAt(2), recallAt5: recallAt(5), allGoldAt5: complete.length };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
