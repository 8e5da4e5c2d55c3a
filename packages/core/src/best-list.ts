/**
 * The best `limit` of the items offered: score descending, ties by the given order.
 *
 * A sorted array, not a heap: limits are some dozens, almost every offer is refused at the first
 * comparison, and the result is needed sorted.
 */
export class BestList {
  readonly scores: Float64Array;
  readonly items: Float64Array;
  length = 0;
  readonly limit: number;
  private readonly compareItems: (a: number, b: number) => number;

  /** @param compareItems orders items of equal score; negative when `a` comes first. */
  constructor(limit: number, compareItems: (a: number, b: number) => number) {
    this.limit = limit;
    this.scores = new Float64Array(limit);
    this.items = new Float64Array(limit);
    this.compareItems = compareItems;
  }

  /** What a score must reach to have a chance: the least score of a full list. */
  get threshold(): number {
    return this.length < this.limit ? -Infinity : this.scores[this.limit - 1];
  }

  offer(item: number, score: number): void {
    const { scores, items, limit } = this;
    // Almost every offer is refused by the last place; the others are placed by binary search.
    if (this.length === limit && (limit === 0 || !this.comesBefore(item, score, limit - 1))) return;
    let place = 0;
    for (let end = this.length; place < end;) {
      const middle = (place + end) >>> 1;
      if (this.comesBefore(item, score, middle)) end = middle;
      else place = middle + 1;
    }
    if (this.length < limit) this.length++;
    scores.copyWithin(place + 1, place, this.length - 1);
    items.copyWithin(place + 1, place, this.length - 1);
    scores[place] = score;
    items[place] = item;
  }

  private comesBefore(item: number, score: number, place: number): boolean {
    const other = this.scores[place];
    return score > other || (score === other && this.compareItems(item, this.items[place]) < 0);
  }
}
