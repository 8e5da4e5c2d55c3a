import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A seeded stream of random numbers: the same on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  fraction(): number;
  /** Uniform among 0 … count − 1. */
  below(count: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/**
 * @param stream streams of one seed are independent of each other: the generator jumps 2^64 steps ahead for each.
 */
export function seededRandom(seed: number, stream = 0): Random {
  const generator = xoroshiro128plus(seed);
  for (let i = 0; i < stream; i++) generator.jump();
  // The first numbers of neighbouring seeds resemble each other.
  for (let i = 0; i < 16; i++) generator.next();
  const fraction = () => (generator.next() >>> 0) / 0x1_0000_0000;
  const below = (count: number) => Math.floor(fraction() * count);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[below(items.length)],
  };
}

/**
 * Ranks 0 … count − 1 after Zipf and Mandelbrot: P(rank) is nearly proportional to 1 / (rank + offset). A greater
 * offset flattens the head. Drawn by inverting the continuous distribution, so it takes no table however many ranks
 * there are:
 *
 *     P(rank ≥ r) = 1 − ln((r + offset) / offset) / ln((count + offset) / offset)
 */
export class Zipf {
  readonly #count: number;
  readonly #offset: number;
  readonly #logSpan: number;

  constructor(count: number, offset: number) {
    this.#count = count;
    this.#offset = offset;
    this.#logSpan = Math.log((count + offset) / offset);
  }

  draw(random: Random): number {
    const rank = Math.floor(this.#offset * Math.exp(random.fraction() * this.#logSpan) - this.#offset);
    return Math.min(rank, this.#count - 1);
  }

  /** The probability of a rank. */
  share(rank: number): number {
    return Math.log((rank + 1 + this.#offset) / (rank + this.#offset)) / this.#logSpan;
  }
}

/** A permutation of 0 … size − 1 without a table: `x → (x · factor + shift) mod size`, factor and size coprime. */
export class Shuffle {
  readonly #size: number;
  readonly #factor: number;
  readonly #shift: number;

  /** @param size at most 2^26, so that products stay exact. */
  constructor(size: number, random: Random) {
    this.#size = size;
    this.#shift = random.below(size);
    // Near the golden section neighbours land far apart.
    let factor = Math.max(1, Math.round(size * (0.6 + 0.03 * random.fraction())));
    while (greatestCommonDivisor(factor, size) !== 1) factor++;
    this.#factor = factor % size;
  }

  apply(x: number): number {
    return (x * this.#factor + this.#shift) % this.#size;
  }
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
