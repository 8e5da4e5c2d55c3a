/** Items and their scores, the best first. */
export interface Best {
  readonly items: Float64Array;
  /** By item. */
  readonly scores: Float64Array;
}

export function scoresByItem({ items, scores }: Best): ReadonlyMap<number, number> {
  return new Map(Array.from(items, (item, i) => [item, scores[i]]));
}

/**
 * The best `limit` of the items offered: score descending, ties by the given order.
 *
 * A binary heap with the worst on top, so that keeping all of a million offers, which a question for as many passages
 * asks for, takes some twenty steps an offer. With limits of some dozens, the usual case, almost every offer is refused
 * at the top.
 */
export class BestList {
  length = 0;
  readonly limit: number;
  private readonly scores: Float64Array;
  private readonly items: Float64Array;
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
    return this.length < this.limit ? -Infinity : this.scores[0];
  }

  offer(item: number, score: number): void {
    if (this.length < this.limit) this.rise(this.length++, item, score);
    else if (this.limit > 0 && this.comesBefore(item, score, 0)) this.sink(item, score);
  }

  /** What was kept, the best first. */
  ranked(): Best {
    const { items, scores, length } = this;
    const places = Uint32Array.from({ length }, (_, place) => place);
    places.sort((a, b) => scores[b] - scores[a] || this.compareItems(items[a], items[b]));
    return {
      items: Float64Array.from(places, (place) => items[place]),
      scores: Float64Array.from(places, (place) => scores[place]),
    };
  }

  /** Fills the free place with the item, or with what stands above it and is better. */
  private rise(place: number, item: number, score: number): void {
    while (place > 0) {
      const above = (place - 1) >>> 1;
      if (this.comesBefore(item, score, above)) break;
      this.move(above, place);
      place = above;
    }
    this.put(place, item, score);
  }

  /** Replaces the worst item. */
  private sink(item: number, score: number): void {
    const { items, scores, length } = this;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= length) break;
      if (below + 1 < length && this.comesBefore(items[below], scores[below], below + 1)) below++;
      if (!this.comesBefore(item, score, below)) break;
      this.move(below, place);
      place = below;
    }
    this.put(place, item, score);
  }

  private move(from: number, to: number): void {
    this.put(to, this.items[from], this.scores[from]);
  }

  private put(place: number, item: number, score: number): void {
    this.items[place] = item;
    this.scores[place] = score;
  }

  private comesBefore(item: number, score: number, place: number): boolean {
    const other = this.scores[place];
    return score > other || (score === other && this.compareItems(item, this.items[place]) < 0);
  }
}
