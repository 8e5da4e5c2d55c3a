import { Shuffle, Zipf, type Random } from "./random.js";

/**
 * The entities of a generated corpus and where they live. There are three entities for two passages; an entity's
 * number is its rank in the Zipf law. All entities stand in a line, in shuffled order; two of three have a passage
 * that is about them, and neighbours in the line are mentioned together.
 */
export class EntitySpace {
  readonly entities: number;
  readonly #shuffle: Shuffle;
  readonly #zipf: Zipf;

  constructor(
    readonly passages: number,
    random: Random,
  ) {
    this.entities = Math.ceil(passages / 2) * 3;
    this.#shuffle = new Shuffle(this.entities, random);
    this.#zipf = new Zipf(this.entities, 2);
  }

  /** What a passage is about. */
  subjectOf(passage: number): number {
    return this.#shuffle.apply(placeOf(passage));
  }

  /** An entity near the passage's subject, about four places away. */
  neighbourOf(passage: number, random: Random): number {
    const distance = 1 + Math.floor(-4 * Math.log(1 - random.fraction()));
    const place = placeOf(passage) + (random.chance(0.5) ? distance : -distance);
    return this.#shuffle.apply((place + this.entities) % this.entities);
  }

  /** An entity after Zipf. */
  draw(random: Random): number {
    return this.#zipf.draw(random);
  }
}

function placeOf(passage: number): number {
  return Math.floor(passage / 2) * 3 + (passage % 2);
}
