import { isLeadingAbbreviation } from "./abbreviations.js";
import { isApostrophe } from "./chars.js";
import { isMonth, isYear } from "./dates.js";
import { closesTitle, isParticle, isPlural, isTitleParticle } from "./function-words.js";
import { Role } from "./name-roles.js";
import { ItemKind } from "./scanner.js";
import { isHyphen } from "./symbols.js";
import type { TaggedText } from "./tagged-text.js";
import { Caps, type Word } from "./words.js";

/** Longest mention in items. */
export const MAX_MENTION_ITEMS = 24;

/** Longest chain of particles ("van der", "of the", "de la"). */
const MAX_PARTICLES = 3;

/** Words before a person's name: no institution belongs to whoever stands before them in the genitive. */
const PERSON_TITLES: ReadonlySet<string> = new Set(
  (
    "president prime minister chancellor king queen prince princess emperor empress duke duchess count countess lord " +
    "lady sir dame pope bishop archbishop cardinal saint general colonel major captain admiral senator governor mayor " +
    "judge justice doctor professor secretary ambassador sultan chief director brother sister uncle aunt"
  ).split(" "),
);

/** Reads names word by word: what joins the words of one name. */
export class NameReader {
  readonly #tagged: TaggedText;
  readonly #roles: Uint8Array;

  constructor(tagged: TaggedText, roles: Uint8Array) {
    this.#tagged = tagged;
    this.#roles = roles;
  }

  /** The item after the name that begins at `start`. */
  nameEnd(start: number, sentenceEnd: number, inTitle: boolean): number {
    const limit = Math.min(sentenceEnd, start + MAX_MENTION_ITEMS);
    let end = start + 1;
    while (end < limit) {
      const next = this.nextNamePart(end, limit, inTitle);
      if (next === 0) break;
      end = next;
    }
    return end;
  }

  /** The item after the name's next part when the name goes on at `index`, else 0. */
  nextNamePart(index: number, limit: number, inTitle: boolean): number {
    const word = this.#tagged.words[index];
    if (word !== undefined) return this.#nextWordPart(word, index, limit, inTitle);
    if (this.#tagged.items.kinds[index] === ItemKind.Possessive) {
      return this.#isInstitution(index + 1, limit) ? index + 2 : 0;
    }
    if (this.#tagged.items.kinds[index] !== ItemKind.Symbol) return 0;
    return this.#nextPartAfterSymbol(this.#tagged.unit(index), index, limit);
  }

  /** The first item from `index` on that is no capitalised word of grammar. */
  afterGrammar(index: number, limit: number): number {
    let i = index;
    while (i < limit && this.#roles[i] === Role.Grammar) i++;
    return i;
  }

  /** The item after at most two small words of a title ("How to Train Your Dragon"). */
  afterSmall(index: number, limit: number): number {
    let i = index;
    while (i < limit && i < index + 2) {
      const word = this.#tagged.words[i];
      if (word === undefined || word.caps !== Caps.None || !isTitleParticle(word.term)) break;
      i++;
    }
    return i;
  }

  #nextWordPart(word: Word, index: number, limit: number, inTitle: boolean): number {
    const role = this.#roles[index];
    if (role === Role.Name) return index + 1;
    if (role === Role.Grammar) {
      if (word.term === "i") return index + 1; // "Elizabeth I"
      const name = this.afterGrammar(index, limit);
      if (name < limit && this.#roles[name] === Role.Name) return name + 1;
      if (name !== index + 1) return 0;
      return word.term === "a" || closesTitle(word.term) ? name : 0; // "Company A", "Knocked Up"
    }
    if (word.isNumber) return this.#isNumberOfName(word, index) ? index + 1 : 0;
    if (word.caps !== Caps.None) return 0;
    return this.#afterParticles(index, limit, inTitle);
  }

  /** "Apollo 11", but neither a year nor a day of a month. */
  #isNumberOfName(word: Word, index: number): boolean {
    if (word.term.length > 4 || isYear(word.term)) return false;
    if (isMonth(this.#tagged.term(index - 1)) || isMonth(this.#tagged.term(index + 1))) return false;
    // "in London 500 people"
    const after = this.#tagged.words[index + 1];
    if (after !== undefined) return after.caps !== Caps.None || !(isPlural(after.term) || after.term === "people");
    return this.#tagged.unit(index + 1) !== 0x25;
  }

  #afterParticles(index: number, limit: number, inTitle: boolean): number {
    let i = index;
    while (i < limit && i < index + MAX_PARTICLES) {
      const word = this.#tagged.words[i];
      if (word === undefined || word.caps !== Caps.None) break;
      if (!(inTitle ? isTitleParticle(word.term) : isParticle(word.term))) break;
      i++;
    }
    if (i === index) return 0;
    // "Harun al-Rashid"
    if (
      i < limit &&
      this.#tagged.items.kinds[i] === ItemKind.Symbol &&
      isHyphen(this.#tagged.unit(i)) &&
      this.#tagged.items.touchesPrevious(i)
    )
      i++;
    if (i >= limit) return 0;
    // "War of 1812"
    if (
      i === index + 1 &&
      this.#tagged.term(index) === "of" &&
      isYear(this.#tagged.term(i)) &&
      !isMonth(this.#tagged.term(index - 1))
    )
      return i + 1;
    if (this.#roles[i] !== Role.Name) return 0;
    // "Boso the Elder", but "in Paris the Germans"
    if (!inTitle && i === index + 1 && this.#tagged.term(index) === "the" && !this.#tagged.words[i]?.isCommon) return 0;
    return i + 1;
  }

  #nextPartAfterSymbol(unit: number, index: number, limit: number): number {
    const next = index + 1;
    if (next >= limit) return 0;
    const touches = this.#tagged.items.touchesPrevious(index);
    if (unit === 0x2e) {
      return touches && this.#isAbbreviated(index - 1) && this.#roles[next] === Role.Name ? next + 1 : 0;
    }
    if (unit === 0x26) return this.#roles[next] === Role.Name ? next + 1 : 0;
    if (!touches) return 0;
    if (isHyphen(unit)) return this.#afterHyphen(next, limit);
    if (unit === 0x3a) return this.#afterColon(next, limit);
    if (isApostrophe(unit)) {
      const endsInS = (this.#tagged.text.charCodeAt(this.#tagged.items.starts[index] - 1) | 0x20) === 0x73;
      return endsInS && this.#isInstitution(next, limit) ? next + 1 : 0;
    }
    // "AC/DC"
    if (unit === 0x2f && this.#tagged.items.touchesPrevious(next) && this.#tagged.words[next]?.caps === Caps.Upper)
      return next + 1;
    return 0;
  }

  /** "Jean-Luc", "F-16", "Stratford-upon-Avon" */
  #afterHyphen(next: number, limit: number): number {
    if (this.#roles[next] === Role.Name) return next + 1;
    if (!this.#tagged.items.touchesPrevious(next)) return 0;
    const word = this.#tagged.words[next];
    if (word === undefined) return 0;
    if (word.isNumber && !isYear(word.term)) return next + 1;
    const second = next + 1;
    if (
      second + 1 >= limit ||
      !this.#tagged.items.touchesPrevious(second) ||
      !this.#tagged.items.touchesPrevious(second + 1)
    )
      return 0;
    if (this.#tagged.items.kinds[second] !== ItemKind.Symbol || !isHyphen(this.#tagged.unit(second))) return 0;
    return this.#roles[second + 1] === Role.Name ? second + 2 : 0;
  }

  /** The subtitle in "Witchboard 2: The Devil's Doorway". */
  #afterColon(next: number, limit: number): number {
    if (this.#tagged.items.touchesPrevious(next)) return 0;
    const article = this.#tagged.term(next);
    const isArticle = article === "the" || article === "a" || article === "an";
    const name = isArticle && this.#tagged.isCapitalised(next) ? next + 1 : next;
    const role = name < limit ? this.#roles[name] : Role.None;
    return role === Role.Name || role === Role.Initial ? name + 1 : 0;
  }

  /** An initial or an abbreviated title of respect. */
  #isAbbreviated(index: number): boolean {
    const term = this.#tagged.term(index);
    return term.length === 1 || isLeadingAbbreviation(term);
  }

  /** "College" in "King William's College", but neither "Macron" nor "President Macron" in "France's President Macron". */
  #isInstitution(index: number, limit: number): boolean {
    if (index >= limit || this.#roles[index] !== Role.Name) return false;
    const word = this.#tagged.words[index];
    return word !== undefined && word.isCommon && !PERSON_TITLES.has(word.term);
  }
}
