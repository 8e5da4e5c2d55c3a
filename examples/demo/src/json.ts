/** Comparisons as JSON values. */
import type { Comparison } from "./compare.js";
import { outcomeOf, totalsOf } from "./measures.js";
import type { Judged } from "./summary.js";

export function toJson({ question, trigraph, bm25, gold }: Comparison) {
  const isGold = (id: string) => (gold === undefined ? {} : { gold: gold.some((passage) => passage.id === id) });
  return {
    ...question,
    trigraph: trigraph.map(({ rank, score, passage: { id, title }, evidence }) => ({
      rank,
      id,
      title,
      score,
      ...isGold(id),
      evidence,
    })),
    bm25: bm25?.map(({ id, title }, i) => ({ rank: i + 1, id, title, ...isGold(id) })) ?? null,
    ...(gold === undefined
      ? {}
      : {
          gold: gold.map(({ trigraph = null, bm25 = null, ...passage }) => ({ ...passage, rank: { trigraph, bm25 } })),
          outcome: outcomeOf(gold),
        }),
  };
}

export function allToJson(passages: number, comparisons: readonly Judged[]) {
  return {
    passages,
    totals: totalsOf(comparisons.map(({ gold }) => gold)),
    questions: comparisons.map(toJson),
  };
}
