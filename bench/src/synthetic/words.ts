import { Shuffle, Zipf, type Random } from "./random.js";

const ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl r s sh sk sp st t th tr v w z".split(" ");
const VOWELS = "a e i o u ai ea oo".split(" ");
const CODAS = ["", "n", "r", "l", "s", "m", "t", "x"];

const SYLLABLES = ONSETS.length * VOWELS.length;
const TWO_SYLLABLES = SYLLABLES ** 2 * CODAS.length;
const THREE_SYLLABLES = SYLLABLES ** 3 * CODAS.length;

/**
 * The pronounceable word of a number: onset, vowel, onset, vowel …, coda. Different numbers give different words,
 * since every syllable begins with a consonant and the vowels between two consonants are one of VOWELS.
 *
 * @param syllables 2 or more
 */
function spell(number: number, syllables: number): string {
  let word = CODAS[number % CODAS.length];
  let rest = Math.floor(number / CODAS.length);
  for (let i = 0; i < syllables; i++) {
    const syllable = rest % SYLLABLES;
    rest = Math.floor(rest / SYLLABLES);
    word = ONSETS[syllable % ONSETS.length] + VOWELS[Math.floor(syllable / ONSETS.length)] + word;
  }
  return word;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Frequent words are short. */
const SHORT_WORDS = 4000;

/** Made-up words in small letters. The offset makes the commonest about as frequent as "film" in Wikipedia (0.5 %). */
export class Vocabulary {
  readonly words: readonly string[];
  readonly #zipf: Zipf;

  constructor(size: number, random: Random) {
    const short = new Shuffle(TWO_SYLLABLES, random);
    const long = new Shuffle(2 ** 26, random);
    const words: string[] = [];
    for (let i = 0; i < size; i++) {
      words.push(i < SHORT_WORDS ? spell(short.apply(i), 2) : spell(long.apply(i), 3));
    }
    this.words = words;
    this.#zipf = new Zipf(size, 10);
  }

  draw(random: Random): string {
    return this.words[this.#zipf.draw(random)];
  }
}

const GIVEN_NAMES = 2000;
const FAMILY_NAMES = 20_000;

/**
 * The names of entities by number: four in ten have one word, four two, and two three. Names of several words share
 * them: there are 2,000 given names, 500 of which also serve as middle names, and 20,000 family names. Different
 * numbers (up to 10 million) have different names.
 */
export class Names {
  readonly #single: Shuffle;
  readonly #pair: Shuffle;
  readonly #given: readonly string[];
  readonly #family: readonly string[];

  constructor(random: Random) {
    this.#single = new Shuffle(Math.min(2 ** 26, THREE_SYLLABLES), random);
    this.#pair = new Shuffle(GIVEN_NAMES * FAMILY_NAMES, random);
    const given = new Shuffle(TWO_SYLLABLES, random);
    this.#given = Array.from({ length: GIVEN_NAMES }, (_, i) => capitalised(spell(given.apply(i), 2)));
    const family = new Shuffle(2 ** 26, random);
    this.#family = Array.from({ length: FAMILY_NAMES }, (_, i) => capitalised(spell(family.apply(i), 3)));
  }

  of(entity: number): string {
    const group = Math.floor(entity / 10);
    const kind = entity % 10;
    if (kind < 4) return capitalised(spell(this.#single.apply(group * 4 + kind), 3));
    const pair = this.#pair.apply(group * 6 + kind - 4);
    const given = this.#given[pair % GIVEN_NAMES];
    const family = this.#family[Math.floor(pair / GIVEN_NAMES)];
    return kind < 8 ? `${given} ${family}` : `${given} ${this.#given[group % 500]} ${family}`;
  }
}

/** English words of grammar, the commonest first. */
const GRAMMAR = (
  "the of and in a to was is by for with as on that it from at his an are were which has its be this had also he " +
  "their not been or who her one but after during have into other than some when first two may between such over all " +
  "most she more under these through about only then where while before both any against because until since each no " +
  "out up can did within along near without among"
).split(" ");

const grammarZipf = new Zipf(GRAMMAR.length, 2);

export function drawGrammar(random: Random): string {
  return GRAMMAR[grammarZipf.draw(random)];
}
