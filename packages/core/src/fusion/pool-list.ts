import { type RankedPassage, withoutRounding } from "../retrieve/ranked.js";

/** One of the rankings that give the pool their best passages. */
export class PoolList {
  /** The best first. */
  readonly passages: readonly number[];
  /** The score of the first; 1 in an empty list. */
  private readonly best: number;
  private readonly length: number;
  private readonly scores: ReadonlyMap<number, number>;
  /** From 0; passages of equal score share one. */
  private readonly ranks = new Map<number, number>();

  /** @param ranking the best first. @param length of the list: how much of the ranking counts */
  constructor(ranking: readonly RankedPassage[], length: number) {
    const list = ranking.slice(0, length);
    this.best = list.length === 0 ? 1 : list[0].score;
    this.length = length;
    this.passages = list.map(({ number }) => number);
    this.scores = new Map(list.map(({ number, score }) => [number, score]));
    let rank = 0;
    list.forEach(({ number, score }, i) => {
      if (i > 0 && withoutRounding(score) < withoutRounding(list[i - 1].score)) rank = i;
      this.ranks.set(number, rank);
    });
  }

  /** By the score of the first; 0 outside the list. */
  relativeScore(passage: number): number {
    return (this.scores.get(passage) ?? 0) / this.best;
  }

  /** Those outside the list have its length for their rank, so that nothing depends on what stands behind it. */
  rank(passage: number): number {
    return this.ranks.get(passage) ?? this.length;
  }

  /** ln(1 + rank). */
  logRank(passage: number): number {
    return Math.log1p(this.rank(passage));
  }
}
