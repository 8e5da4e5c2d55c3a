import type { FusionWeights } from "@trigraph/core";
import { crossValidate, type Folding } from "./cross-validate.js";
import { poolRecall, rankedBy, type Recalls, recallsOf, valueOf } from "./figures.js";
import { fitFusion } from "./fit.js";
import type { LabelledPool } from "./pools.js";
import { withRoundedNumbers } from "./rounding.js";

/** How well some orders of the same candidates find the evidence. */
export interface RankingFigures {
  /** By weights that never saw the fold they are judged on. */
  readonly crossValidated: Recalls;
  /** The index as it is: the weights that come with the library, unless it has others. */
  readonly current: Recalls;
  /** The graph's ranking, and by similarity where the graph found nothing to start from. */
  readonly withoutFusion: Recalls;
  /** trigraph's BM25. */
  readonly bm25: Recalls;
  /** Share of the evidence that is among the candidates at all. */
  readonly pool: number;
}

/** Weights, and how well such weights do. */
export interface Judged {
  readonly weights: FusionWeights;
  /** In the order of the sets. */
  readonly figures: readonly RankingFigures[];
}

/**
 * Fits weights to all pools, and judges such weights set by set, fold by fold.
 *
 * @throws EvaluationError `TRAINING`, or the signal's reason
 */
export async function fitAndJudge(
  pools: readonly LabelledPool[],
  sets: readonly string[],
  folding: Folding,
): Promise<Judged> {
  const ranker = await crossValidate(pools, folding);
  const fitted = await fitFusion(pools, folding.penalty, folding.signal);
  folding.onFold?.();
  const figures = sets.map((set): RankingFigures => {
    const own = pools.filter((pool) => pool.set === set);
    return {
      crossValidated: recallsOf(own, ranker),
      current: recallsOf(own, ({ current }) => current),
      withoutFusion: recallsOf(own, withoutFusion),
      bm25: recallsOf(own, (pool) => rankedBy(pool, valueOf("wordScore"))),
      pool: poolRecall(own),
    };
  });
  return { weights: withRoundedNumbers(fitted.weights), figures };
}

/** The pool holds the head of the graph's ranking, unless the graph had nothing to start from. */
function withoutFusion(pool: LabelledPool): string[] {
  const graph = valueOf("graphScore");
  if (pool.candidates.some(({ features }) => graph(features) > 0)) return rankedBy(pool, graph);
  const [words, vectors] = [valueOf("wordScore"), valueOf("vectorScore")];
  return rankedBy(pool, (features) => words(features) + vectors(features));
}
