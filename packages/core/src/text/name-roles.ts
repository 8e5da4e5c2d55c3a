import type { ItemRange } from "./sentences.js";
import { ItemKind } from "./scanner.js";
import { opensPhrase } from "./symbols.js";
import type { TaggedText } from "./tagged-text.js";
import { Caps, type Word } from "./words.js";

/** What a word can be in a name. */
export const Role = {
  None: 0,
  /** Part of a name. */
  Name: 1,
  /** A dictionary word capitalised by its position. */
  Initial: 2,
  /** A word of grammar, capitalised though its position does not ask for it. */
  Grammar: 3,
} as const;

/** Least words of a sentence that is taken for one in capitals throughout. */
const MIN_LOUD_WORDS = 6;

/** Tags of what follows a participle rather than a name. */
const GRAMMAR_TAGS: ReadonlySet<string> = new Set(["ADP", "DET", "PRON", "ADV", "SCONJ"]);

/** Words of grammar that are names when they are in capitals throughout. */
const ACRONYMS: ReadonlySet<string> = new Set(["us", "it", "who"]);

/** What the words of a text can be in names. */
export interface NameRoles {
  /** `Role` by item. */
  readonly roles: Uint8Array;
  /** Dictionary words that are capitalised where their position does not ask for it. */
  readonly established: ReadonlySet<string>;
}

/** Gives each word of the sentences its role. */
export function findNameRoles(tagged: TaggedText, sentences: readonly ItemRange[]): NameRoles {
  const finder = new RoleFinder(tagged);
  for (const sentence of sentences) finder.classify(sentence);
  return finder;
}

class RoleFinder implements NameRoles {
  readonly roles: Uint8Array;
  readonly established = new Set<string>();
  readonly #tagged: TaggedText;

  constructor(tagged: TaggedText) {
    this.#tagged = tagged;
    this.roles = new Uint8Array(tagged.items.count);
  }

  /** Gives each word of the sentence its role. */
  classify({ first, end }: ItemRange): void {
    const loud = this.#isLoud(first, end);
    let initial = true;
    for (let i = first; i < end; i++) {
      const word = this.#tagged.words[i];
      if (word === undefined) {
        if (this.#tagged.items.kinds[i] === ItemKind.Symbol && opensPhrase(this.#tagged.unit(i))) initial = true;
        continue;
      }
      if (word.caps !== Caps.None) {
        const role = this.#roleOf(word, i, loud, initial || this.#beginsLine(i));
        this.roles[i] = role;
        if (role === Role.Name && word.isCommon && this.#shows(i)) this.established.add(word.term);
      }
      initial = false;
    }
  }

  /** Whether capitals say nothing: a headline, or text in capitals. */
  #isLoud(first: number, end: number): boolean {
    let count = 0;
    for (let i = first; i < end; i++) {
      const word = this.#tagged.words[i];
      if (word === undefined || word.isNumber || word.form === "") continue;
      if (word.caps === Caps.None) return false;
      count++;
    }
    return count >= MIN_LOUD_WORDS;
  }

  #roleOf(word: Word, index: number, loud: boolean, initial: boolean): number {
    if (word.isFunctionWord) {
      if (!loud && this.#isAcronym(word, index)) return Role.Name;
      const namesMonth = word.term === "may" && !initial;
      if (namesMonth) return Role.Name;
      if (!initial) return loud && word.caps === Caps.Upper ? Role.None : Role.Grammar;
      // "Will Smith", "May 1997". The tag comes last: to ask for it is to have the sentence tagged.
      return (word.term === "will" || word.term === "may") && this.#tagged.tag(index) === "AUX"
        ? Role.Initial
        : Role.None;
    }
    if (!word.isCommon) return initial && this.#isParticiple(word, index) ? Role.None : Role.Name;
    if (loud) return Role.None;
    return initial ? Role.Initial : Role.Name;
  }

  /** "Coached by": a verb the dictionary lacks, since a preposition or the like follows. */
  #isParticiple(word: Word, index: number): boolean {
    if (!(word.term.endsWith("ed") || word.term.endsWith("ing") || word.term.endsWith("ly"))) return false;
    return GRAMMAR_TAGS.has(this.#tagged.tag(index + 1));
  }

  /** A word of grammar in capitals only: "I. V. Sasi", "the US", "AT&T". */
  #isAcronym(word: Word, index: number): boolean {
    const next = this.#tagged.items.touchesPrevious(index + 1) ? this.#tagged.unit(index + 1) : 0;
    if (word.term.length === 1) return next === 0x2e;
    return word.caps === Caps.Upper && (ACRONYMS.has(word.term) || next === 0x26);
  }

  /**
   * Whether the word's capital shows it to be a name by itself: it stands alone, or is a surname
   * ("Janet Yang"). "Golf" in "Open Golf Championship" shows nothing about "Golf".
   */
  #shows(index: number): boolean {
    if (this.#tagged.isCapitalised(index + 1)) return false;
    return !this.#tagged.isCapitalised(index - 1) || !this.#tagged.words[index - 1]?.isCommon;
  }

  #beginsLine(index: number): boolean {
    if (index === 0 || this.#tagged.items.touchesPrevious(index)) return false;
    for (let i = this.#tagged.items.ends[index - 1]; i < this.#tagged.items.starts[index]; i++) {
      if (this.#tagged.text.charCodeAt(i) === 0x0a) return true;
    }
    return false;
  }
}
