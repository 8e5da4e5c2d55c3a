const PAGE_BITS = 10;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

/**
 * An array of 32-bit counts, zero at first, that never changes: an edit makes a new array that shares
 * all untouched pages. So a reader keeps its state for as long as it likes, and a commit that touches
 * a few counts of a million costs a few pages.
 */
export class PagedCounts {
  static readonly EMPTY = new PagedCounts(new Map());

  private readonly pages: ReadonlyMap<number, Uint32Array>;

  private constructor(pages: ReadonlyMap<number, Uint32Array>) {
    this.pages = pages;
  }

  get(index: number): number {
    const page = this.pages.get(index >>> PAGE_BITS);
    return page === undefined ? 0 : page[index & PAGE_MASK];
  }

  /** Every index whose count is not 0, ascending, with the count. */
  *entries(): Iterable<[index: number, count: number]> {
    for (const number of [...this.pages.keys()].sort((a, b) => a - b)) {
      const page = this.pages.get(number)!;
      for (let i = 0; i < PAGE_SIZE; i++) if (page[i] !== 0) yield [number * PAGE_SIZE + i, page[i]];
    }
  }

  edit(): PagedCountsDraft {
    return new PagedCountsDraft(this.pages, (pages) => new PagedCounts(pages));
  }
}

/** A copy under change; pages are copied when they are first written. */
export class PagedCountsDraft {
  private readonly pages: Map<number, Uint32Array>;
  private readonly own = new Set<number>();
  private readonly seal: (pages: ReadonlyMap<number, Uint32Array>) => PagedCounts;

  constructor(pages: ReadonlyMap<number, Uint32Array>, seal: (pages: ReadonlyMap<number, Uint32Array>) => PagedCounts) {
    this.pages = new Map(pages);
    this.seal = seal;
  }

  add(index: number, amount: number): void {
    this.page(index)[index & PAGE_MASK] += amount;
  }

  setBit(bit: number): void {
    this.page(bit >>> 5)[(bit >>> 5) & PAGE_MASK] |= 1 << (bit & 31);
  }

  freeze(): PagedCounts {
    return this.seal(this.pages);
  }

  private page(index: number): Uint32Array {
    const number = index >>> PAGE_BITS;
    const page = this.pages.get(number);
    if (page !== undefined && this.own.has(number)) return page;
    const copy = page?.slice() ?? new Uint32Array(PAGE_SIZE);
    this.pages.set(number, copy);
    this.own.add(number);
    return copy;
  }
}
