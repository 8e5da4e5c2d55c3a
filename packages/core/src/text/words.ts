import { fold } from "./fold.js";
import { isFunctionWord } from "./function-words.js";

/** How a word is capitalised. */
export const Caps = {
  /** No capital letter, or a script without case. */
  None: 0,
  /** The first letter alone, or a single letter. */
  Title: 1,
  /** Every letter, of two or more. */
  Upper: 2,
  /** Otherwise: "McDonald", "iPhone". */
  Mixed: 3,
} as const;

/** What is known of a word by its spelling alone. */
export interface Word {
  /** The index term; empty when folding leaves nothing. */
  readonly term: string;
  readonly caps: number;
  readonly isFunctionWord: boolean;
  /** In lower case an English dictionary word that is no name: "king", "rose". */
  readonly isCommon: boolean;
  /** Digits only. */
  readonly isNumber: boolean;
  /** What the tagger reads in the word's place; empty for scripts without case, which it cannot judge. */
  readonly form: string;
}

/**
 * The English part-of-speech tagger as this module needs it: pure, and knowing each form as one
 * token.
 */
export interface Tagger {
  /** Whether the word is in the tagger's dictionary just as it is spelled, and one token to it. */
  knows(word: string): boolean;
  /** The tags of forms joined by single spaces, one each. */
  tag(forms: string): readonly string[];
}

/** Longest word that is looked up in the dictionary, in UTF-16 units. */
const MAX_FORM_LENGTH = 32;

/** The prime of FNV-1a (Fowler, Noll, Vo). */
const HASH_FACTOR = 0x01000193;

/** Slots that are looked at for a word: with a quarter of them filled, chance never makes a run so long. */
const MAX_PROBES = 64;

/** Words kept; when there are more, all are forgotten. What is known of a word depends on nothing but the word. */
const CAPACITY = 1 << 16;

/**
 * Stand-ins for words that the dictionary lacks. wink-nlp tags an unknown word by its shape and its
 * last letters alone, so one unknown word of each kind does for all of them, and the tagger's own
 * cache stops growing. None of them may be in the dictionary.
 */
const UNKNOWN_NAME = "Qzvx";
const UNKNOWN_NOUN = "qzvx";

/** Endings by which unknown words in small letters are tagged VERB, ADV, ADJ, NOUN or PROPN, longest first. */
const ENDINGS = ["able", "tish", "like", "less", "llah", "stan", "gton", "abad", "land", "tnam"].concat(
  ["ing", "ous", "ful", "ary", "ier", "est", "ity", "ion", "pur"],
  ["ed", "ly", "fy", "ky", "es", "er", "or"],
);

/** Beginnings by which those are tagged that have no such ending: ADJ. */
const BEGINNINGS = ["anti", "post", "non"];

const NUMBER_FORM = "7";
const ORDINAL_FORM = "19th";
const DECADE_FORM = "1990s";

/** Verbs' contracted endings; what stands before them carries the tag. */
const CONTRACTIONS = ["n't", "'ll", "'re", "'ve", "'d", "'m"];

/** Looks up words, and remembers them. */
export class WordBook {
  readonly #tagger: Tagger;
  /**
   * Open addressing over the words' characters, so that a word is found without being cut out of its text: a `Map`
   * of strings would have to copy and hash each. Holds a word's place in `#surfaces`, counted from 1; 0 is free.
   */
  readonly #slots = new Uint32Array(CAPACITY * 4);
  readonly #hashes = new Int32Array(CAPACITY);
  #surfaces: string[] = [];
  #words: Word[] = [];

  constructor(tagger: Tagger) {
    this.#tagger = tagger;
  }

  /** The word that stands in the text from `start` to `end`. */
  lookUp(text: string, start = 0, end = text.length): Word {
    let hash = 0;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), HASH_FACTOR);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    let probes = 0;
    for (let place = this.#slots[slot]; place !== 0; place = this.#slots[slot]) {
      if (this.#hashes[place - 1] === hash && isAt(text, start, end, this.#surfaces[place - 1])) {
        return this.#words[place - 1];
      }
      // Words made to collide are described anew each time, which is slower but bounded.
      if (++probes === MAX_PROBES) return this.#describe(detached(text.slice(start, end)));
      slot = (slot + 1) & mask;
    }
    if (this.#words.length === CAPACITY) {
      this.#slots.fill(0);
      this.#surfaces = [];
      this.#words = [];
      slot = hash & mask;
    }
    const surface = detached(text.slice(start, end));
    const word = this.#describe(surface);
    this.#hashes[this.#words.length] = hash;
    this.#surfaces.push(surface);
    this.#slots[slot] = this.#words.push(word);
    return word;
  }

  #describe(surface: string): Word {
    const folded = withoutJoiners(fold(surface));
    const term = termOf(folded);
    const caps = capsOf(surface);
    const isNumber = DIGITS.test(folded);
    const stem = contractionStem(folded) || folded;
    const lowerKnown = !isNumber && stem.length <= MAX_FORM_LENGTH && this.#tagger.knows(stem);
    return {
      term,
      caps,
      isFunctionWord: isFunctionWord(stem),
      isCommon: lowerKnown && this.#tagger.tag(stem)[0] !== "PROPN",
      isNumber,
      form: this.#form(surface, folded, caps),
    };
  }

  /** A form that the tagger takes for one token whatever it has read before. */
  #form(surface: string, folded: string, caps: number): string {
    const first = folded.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) return numberForm(folded);
    if (caps === Caps.None && !CASED.test(folded)) return "";
    if (folded.length > MAX_FORM_LENGTH) return caps === Caps.None ? UNKNOWN_NOUN : UNKNOWN_NAME;
    const stem = contractionStem(folded);
    if (stem !== "") return this.#form(stem, stem, Caps.None);
    if (ASCII_WORD.test(surface) && caps !== Caps.Mixed) {
      if (this.#tagger.knows(surface)) return surface;
      // Only these three spellings of a dictionary word are let through, so that there are finitely many.
      if (this.#tagger.knows(surface.toLowerCase())) return surface;
    }
    if (caps !== Caps.None) return UNKNOWN_NAME;
    if (this.#tagger.knows(folded)) return folded;
    for (const ending of ENDINGS) if (folded.endsWith(ending)) return UNKNOWN_NOUN + ending;
    for (const beginning of BEGINNINGS) if (folded.startsWith(beginning)) return beginning + UNKNOWN_NOUN;
    return UNKNOWN_NOUN;
  }
}

/** Whether the part of the text is this word. */
function isAt(text: string, start: number, end: number, word: string): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}

const ASCII_WORD = /^[A-Za-z]+$/;
const CASED = /[\p{Ll}\p{Lu}\p{Lt}]/u;
const SMALL = /\p{Ll}/u;
const CAPITAL = /[\p{Lu}\p{Lt}]/u;
const DIGITS = /^[0-9]+$/;
const ORDINAL = /^[0-9]+(?:st|nd|rd|th)$/;
const DECADE = /^[0-9]+s$/;
const NO_TERM_CHARACTER = /[^\p{L}\p{M}\p{N}.\u2044]|(?<!\p{N})\.|\.(?!\p{N})/gu;
const JOINERS = /\p{Cf}/gu;

function numberForm(folded: string): string {
  if (ORDINAL.test(folded)) return ORDINAL_FORM;
  return DECADE.test(folded) ? DECADE_FORM : NUMBER_FORM;
}

function capsOf(surface: string): number {
  if (ASCII_WORD.test(surface)) {
    const first = surface.charCodeAt(0) <= 0x5a;
    if (surface === surface.toLowerCase()) return Caps.None;
    if (first && surface.length === 1) return Caps.Title;
    if (surface === surface.toUpperCase()) return Caps.Upper;
    return first && surface.slice(1) === surface.slice(1).toLowerCase() ? Caps.Title : Caps.Mixed;
  }
  if (!CAPITAL.test(surface)) return Caps.None;
  const width = String.fromCodePoint(surface.codePointAt(0) ?? 0).length;
  const rest = surface.slice(width);
  if (CAPITAL.test(surface.slice(0, width)) && !CAPITAL.test(rest)) return Caps.Title;
  return SMALL.test(surface) ? Caps.Mixed : Caps.Upper;
}

/** What stands before a contracted verb or "not"; empty when nothing is contracted. */
function contractionStem(folded: string): string {
  if (folded === "cannot") return "can";
  for (const ending of CONTRACTIONS) {
    const at = folded.length - ending.length;
    if (at > 0 && sameEnding(folded, at, ending)) {
      if (ending !== "n't") return folded.slice(0, at);
      if (folded.startsWith("ca") && at === 2) return "can";
      if (folded.startsWith("wo") && at === 2) return "will";
      if (folded.startsWith("sha") && at === 3) return "shall";
      return folded.slice(0, at);
    }
  }
  return "";
}

function sameEnding(word: string, at: number, ending: string): boolean {
  for (let i = 0; i < ending.length; i++) {
    const expected = ending[i];
    const found = word[at + i];
    if (expected === "'" ? !isApostropheCharacter(found) : found !== expected) return false;
  }
  return true;
}

function isApostropheCharacter(character: string): boolean {
  return character === "'" || character === "’" || character === "ʼ" || character === "‘";
}

function withoutJoiners(folded: string): string {
  return ASCII_WORD.test(folded) ? folded : folded.replace(JOINERS, "");
}

/** Letters, marks and digits, the period inside a number, and the stroke that NFKC puts into "½". */
function termOf(folded: string): string {
  return ASCII_WORD.test(folded) ? folded : folded.replace(NO_TERM_CHARACTER, "");
}

/** A copy that does not keep the text alive from which the word was cut: engines share the memory of long substrings. */
function detached(surface: string): string {
  return surface.length < 13 ? surface : ` ${surface}`.slice(1);
}
