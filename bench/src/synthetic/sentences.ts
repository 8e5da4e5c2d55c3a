import { countWords } from "../measures.js";
import type { Random } from "./random.js";
import type { Relation } from "./relations.js";
import { drawGrammar, type Names, type Vocabulary } from "./words.js";

/** First words of sentences. Only English words of grammar and adverbs: a made-up word with a capital would be a name. */
const OPENERS = "The In During After It When However Although For At Many By Later Under As Both Since Some This".split(
  " ",
);

/** What stands before a name; none of them joins two names into one. */
const CONNECTORS = "with in by from near for against under and after to like at".split(" ");

const YEAR_SHARE = 0.3;

/** Writes sentences. Between two names there is always a word in small letters that is no particle. */
export class SentenceWriter {
  /** The names written since the list was last emptied. */
  readonly mentioned: string[] = [];
  readonly #random: Random;
  readonly #vocabulary: Vocabulary;
  readonly #names: Names;

  constructor(random: Random, vocabulary: Vocabulary, names: Names) {
    this.#random = random;
    this.#vocabulary = vocabulary;
    this.#names = names;
  }

  /** A sentence of about `length` words that mentions the entities. */
  filler(length: number, entities: readonly number[]): string {
    return `${this.#random.pick(OPENERS)}${this.#tail(length - 1, entities)}.`;
  }

  /** "Subject is a …" */
  definition(subject: number, length: number, entities: readonly number[]): string {
    return `${this.#name(subject)} is a${this.#tail(length - 3, entities)}.`;
  }

  /** One sentence that says that `to` is the `relation` of `from`, with the noun that a question uses. */
  fact(from: number, { noun }: Relation, to: number, length: number, bystanders: readonly number[]): string {
    const tail = length - 8;
    switch (this.#random.below(3)) {
      case 0:
        return `The ${noun} of ${this.#name(from)} was ${this.#name(to)},${this.#tail(tail, bystanders)}.`;
      case 1:
        return `${this.#name(from)} had ${this.#name(to)} as its ${noun}${this.#tail(tail, bystanders)}.`;
      default: {
        const first = this.#name(from);
        const aside = this.#tail(Math.max(2, tail), []);
        return `${first},${aside}, chose as ${noun} the young ${this.#name(to)}.`;
      }
    }
  }

  /** The same with a verb that shares no word with a question that uses the noun. */
  factByVerb(from: number, { verb }: Relation, to: number, length: number): string {
    return `${this.#name(from)} was ${verb} by ${this.#name(to)}${this.#tail(length - 6, [])}.`;
  }

  #name(entity: number): string {
    const name = this.#names.of(entity);
    this.mentioned.push(name);
    return name;
  }

  /** " word word with Name word word in 1957": starts with a space, a made-up word follows it and every name. */
  #tail(length: number, entities: readonly number[]): string {
    const random = this.#random;
    const gap = length / (entities.length + 1);
    let text = ` ${this.#vocabulary.draw(random)}`;
    let next = 0;
    for (let count = 1; count < length || next < entities.length; count++) {
      if (next < entities.length && count >= (next + 1) * gap) {
        const name = this.#name(entities[next++]);
        text += ` ${random.pick(CONNECTORS)} ${name} ${this.#vocabulary.draw(random)}`;
        count += 1 + countWords(name);
      } else {
        text += ` ${random.chance(0.5) ? drawGrammar(random) : this.#vocabulary.draw(random)}`;
      }
    }
    // Recent years are commoner.
    if (random.chance(YEAR_SHARE)) text += ` in ${2020 - Math.floor(200 * random.fraction() ** 2)}`;
    return text;
  }
}
