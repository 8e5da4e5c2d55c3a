import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Seeded random numbers, the same on every machine. */
export class Random {
  readonly #generator;

  /** Streams of one seed differ as seeds do. */
  constructor(seed: number, stream = 0) {
    // Neighbouring seeds must not resemble each other: multipliers of the golden section spread them.
    this.#generator = xoroshiro128plus(Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
    for (let i = 0; i < 8; i++) this.#generator.next();
  }

  /** Uniform among 0 … count − 1. */
  below(count: number): number {
    return uniformInt(this.#generator, 0, count - 1);
  }

  /** Uniform among from … to, both included. */
  between(from: number, to: number): number {
    return uniformInt(this.#generator, from, to);
  }

  /** True once in so many times. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}
