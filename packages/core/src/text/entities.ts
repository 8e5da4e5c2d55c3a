import { isLeadingAbbreviation } from "./abbreviations.js";
import type { EntityMention } from "./analyzer.js";
import { isApostrophe } from "./chars.js";
import { isMonth, isWeekday, isYear } from "./dates.js";
import { closesTitle, isParticle, isTitleParticle, opensSentence, opensTitle } from "./function-words.js";
import { normalizeName } from "./names.js";
import { ItemKind, type Items } from "./scanner.js";
import type { ItemRange } from "./sentences.js";
import { Caps, type Word } from "./words.js";

/**
 * Entity mentions by rule. A mention is
 *
 * - a run of name words, joined across particles ("Bank of England"), initials ("J. R. R. Tolkien"),
 *   hyphens, "&" and the possessive of an institution ("King William's College");
 * - a title in quotation marks whose large words are capitalised ("Gone with the Wind");
 * - a year (1000 to 2099) that stands alone.
 *
 * A name word is a capitalised word, whatever its tag: the tagger's dictionary holds hardly a name,
 * and calls "Rose" in "Rose Byrne" a verb. Where every word would be capitalised (at the start of a
 * sentence, a line or a quotation) a dictionary word is a name only if the text shows it: a name
 * follows it, it is capitalised elsewhere, or the first sentence defines it. Words of grammar are
 * names nowhere, but may stand within one where they are capitalised ("Interview With A Hitman").
 */
export function findMentions(
  text: string,
  items: Items,
  sentences: readonly ItemRange[],
  words: readonly (Word | undefined)[],
  tags: readonly string[],
): EntityMention[] {
  const finder = new MentionFinder(text, items, words, tags);
  for (const sentence of sentences) finder.classify(sentence);
  for (const sentence of sentences) finder.collect(sentence);
  return finder.mentions;
}

/** What a word can be in a name. */
const Role = {
  None: 0,
  /** Part of a name. */
  Name: 1,
  /** A dictionary word capitalised by its position. */
  Initial: 2,
  /** A word of grammar, capitalised though its position does not ask for it. */
  Grammar: 3,
} as const;

/** Longest mention and longest quoted title, in items. */
const MAX_MENTION_ITEMS = 24;

/** Least words of a sentence that is taken for one in capitals throughout. */
const MIN_LOUD_WORDS = 6;

/** Longest chain of particles ("van der", "of the", "de la"). */
const MAX_PARTICLES = 3;

const PERSON_TITLES: ReadonlySet<string> = new Set(
  (
    "president prime minister chancellor king queen prince princess emperor empress duke duchess count countess lord " +
    "lady sir dame pope bishop archbishop cardinal saint general colonel major captain admiral senator governor mayor " +
    "judge justice doctor professor secretary ambassador sultan chief director brother sister uncle aunt"
  ).split(" "),
);

/** Tags of dictionary words that may begin a name at the start of a sentence when a name follows ("Rose Byrne", "Will Smith"). */
const LEADING_TAGS: ReadonlySet<string> = new Set(["PROPN", "NOUN", "ADJ", "VERB", "AUX", "NUM", "X"]);

/** Dictionary words that begin a sentence with "of" and a name, but no name ("Son of Hugh"). */
const RELATIONS: ReadonlySet<string> = new Set(
  (
    "son daughter father mother wife husband brother sister widow heir child part member author capital head death " +
    "birth end list name use type kind series number group half one rest copy director producer owner native"
  ).split(" "),
);

/** Words before a month that make it a date. */
const DATE_PREPOSITIONS: ReadonlySet<string> = new Set(
  "in of on since until till by early mid late during from to between and through last next this every each before after".split(
    " ",
  ),
);

/** Tags of what follows a participle rather than a name. */
const GRAMMAR_TAGS: ReadonlySet<string> = new Set(["ADP", "DET", "PRON", "ADV", "SCONJ"]);

const ACRONYMS: ReadonlySet<string> = new Set(["us", "it", "who"]);

const DEFINING_VERBS: ReadonlySet<string> = new Set(["is", "was", "are", "were"]);

class MentionFinder {
  readonly mentions: EntityMention[] = [];
  readonly #text: string;
  readonly #items: Items;
  readonly #words: readonly (Word | undefined)[];
  readonly #tags: readonly string[];
  readonly #roles: Uint8Array;
  /** Dictionary words that are capitalised where their position does not ask for it. */
  readonly #established = new Set<string>();

  constructor(text: string, items: Items, words: readonly (Word | undefined)[], tags: readonly string[]) {
    this.#text = text;
    this.#items = items;
    this.#words = words;
    this.#tags = tags;
    this.#roles = new Uint8Array(items.count);
  }

  /** Gives each word of the sentence its role. */
  classify({ first, end }: ItemRange): void {
    const loud = this.#isLoud(first, end);
    let initial = true;
    for (let i = first; i < end; i++) {
      const word = this.#words[i];
      if (word === undefined) {
        if (this.#items.kinds[i] === ItemKind.Symbol && opensPhrase(this.#unit(i))) initial = true;
        continue;
      }
      if (word.caps !== Caps.None) {
        const role = this.#roleOf(word, i, loud, initial || this.#beginsLine(i));
        this.#roles[i] = role;
        if (role === Role.Name && word.isCommon && this.#shows(i)) this.#established.add(word.term);
      }
      initial = false;
    }
  }

  /** Adds the sentence's mentions. */
  collect(sentence: ItemRange): void {
    const { end } = sentence;
    let inQuotes = false;
    let i = sentence.first;
    while (i < end) {
      const next = this.#collectAt(i, sentence, inQuotes);
      if (this.#items.kinds[i] === ItemKind.Symbol && isDoubleQuote(this.#unit(i))) {
        // A title that was taken whole ends with its own closing mark.
        inQuotes = next === i + 1 ? !inQuotes : false;
      }
      i = next;
    }
  }

  /** Adds the mention that begins at the item, if one does, and returns the item to go on with. */
  #collectAt(index: number, sentence: ItemRange, inQuotes: boolean): number {
    const role = this.#roles[index];
    if (role !== Role.None) return this.#collectName(index, sentence);
    const word = this.#words[index];
    if (word?.isNumber) {
      if (isYear(word.term) && this.#standsAlone(index, sentence)) this.#add(index, index + 1);
      return index + 1;
    }
    if (!inQuotes && this.#items.kinds[index] === ItemKind.Symbol && opensQuote(this.#unit(index))) {
      return this.#collectQuoted(index, sentence);
    }
    return index + 1;
  }

  #collectName(index: number, sentence: ItemRange): number {
    let start = index;
    let inTitle = false;
    if (this.#roles[index] === Role.Grammar) {
      // Leading words of grammar belong to a title, an article does not: it is no part of a name.
      const after = this.#afterGrammar(index, sentence.end);
      const name = this.#roles[after] === Role.Name ? after : this.#afterSmall(after, sentence.end);
      if (name >= sentence.end || this.#roles[name] !== Role.Name) return after;
      while (start < name && !opensTitle(this.#term(start))) start++;
      inTitle = start < name && this.#term(start) !== "a" && this.#term(start) !== "an";
      if (!inTitle) start = name;
      if (start > after - 1 && name > after) start = name;
    } else if (this.#roles[index] === Role.Initial && !this.#leads(index, sentence)) {
      if (this.#isDefined(index, sentence)) this.#add(index, index + 1);
      return index + 1;
    }
    const end = this.#nameEnd(start, sentence.end, inTitle);
    const from = this.#withArabicArticle(start, sentence.first);
    if (!this.#isDiscarded(start, end, sentence)) this.#add(from, end);
    return end;
  }

  /** The first item from `index` on that is no capitalised word of grammar. */
  #afterGrammar(index: number, limit: number): number {
    let i = index;
    while (i < limit && this.#roles[i] === Role.Grammar) i++;
    return i;
  }

  /** The item after at most two small words of a title ("How to Train Your Dragon"). */
  #afterSmall(index: number, limit: number): number {
    let i = index;
    while (i < limit && i < index + 2) {
      const word = this.#words[i];
      if (word === undefined || word.caps !== Caps.None || !isTitleParticle(word.term)) break;
      i++;
    }
    return i;
  }

  /** The item after the name that begins at `start`. */
  #nameEnd(start: number, sentenceEnd: number, inTitle: boolean): number {
    const limit = Math.min(sentenceEnd, start + MAX_MENTION_ITEMS);
    let end = start + 1;
    while (end < limit) {
      const next = this.#nextNamePart(end, limit, inTitle);
      if (next === 0) break;
      end = next;
    }
    return end;
  }

  /** The item after the name's next part when the name goes on at `index`, else 0. */
  #nextNamePart(index: number, limit: number, inTitle: boolean): number {
    const word = this.#words[index];
    if (word !== undefined) return this.#nextWordPart(word, index, limit, inTitle);
    if (this.#items.kinds[index] === ItemKind.Possessive) {
      return this.#isInstitution(index + 1, limit) ? index + 2 : 0;
    }
    if (this.#items.kinds[index] !== ItemKind.Symbol) return 0;
    return this.#nextPartAfterSymbol(this.#unit(index), index, limit);
  }

  #nextWordPart(word: Word, index: number, limit: number, inTitle: boolean): number {
    const role = this.#roles[index];
    if (role === Role.Name) return index + 1;
    if (role === Role.Grammar) {
      if (word.term === "i") return index + 1; // "Elizabeth I"
      const name = this.#afterGrammar(index, limit);
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
    if (isMonth(this.#term(index - 1)) || isMonth(this.#term(index + 1))) return false;
    // "in London 500 people"
    const after = this.#words[index + 1];
    if (after !== undefined) return after.caps !== Caps.None || !(isPlural(after.term) || after.term === "people");
    return this.#unit(index + 1) !== 0x25;
  }

  #afterParticles(index: number, limit: number, inTitle: boolean): number {
    let i = index;
    while (i < limit && i < index + MAX_PARTICLES) {
      const word = this.#words[i];
      if (word === undefined || word.caps !== Caps.None) break;
      if (!(inTitle ? isTitleParticle(word.term) : isParticle(word.term))) break;
      i++;
    }
    if (i === index) return 0;
    // "Harun al-Rashid"
    if (
      i < limit &&
      this.#items.kinds[i] === ItemKind.Symbol &&
      isHyphen(this.#unit(i)) &&
      this.#items.touchesPrevious(i)
    )
      i++;
    if (i >= limit) return 0;
    // "War of 1812"
    if (i === index + 1 && this.#term(index) === "of" && isYear(this.#term(i)) && !isMonth(this.#term(index - 1)))
      return i + 1;
    if (this.#roles[i] !== Role.Name) return 0;
    // "Boso the Elder", but "in Paris the Germans"
    if (!inTitle && i === index + 1 && this.#term(index) === "the" && !this.#words[i]?.isCommon) return 0;
    return i + 1;
  }

  #nextPartAfterSymbol(unit: number, index: number, limit: number): number {
    const next = index + 1;
    if (next >= limit) return 0;
    const touches = this.#items.touchesPrevious(index);
    if (unit === 0x2e) {
      return touches && this.#isAbbreviated(index - 1) && this.#roles[next] === Role.Name ? next + 1 : 0;
    }
    if (unit === 0x26) return this.#roles[next] === Role.Name ? next + 1 : 0;
    if (!touches) return 0;
    if (isHyphen(unit)) return this.#afterHyphen(next, limit);
    if (unit === 0x3a) return this.#afterColon(next, limit);
    if (isApostrophe(unit)) {
      const endsInS = (this.#text.charCodeAt(this.#items.starts[index] - 1) | 0x20) === 0x73;
      return endsInS && this.#isInstitution(next, limit) ? next + 1 : 0;
    }
    // "AC/DC"
    if (unit === 0x2f && this.#items.touchesPrevious(next) && this.#words[next]?.caps === Caps.Upper) return next + 1;
    return 0;
  }

  /** "Jean-Luc", "F-16", "Stratford-upon-Avon" */
  #afterHyphen(next: number, limit: number): number {
    if (this.#roles[next] === Role.Name) return next + 1;
    if (!this.#items.touchesPrevious(next)) return 0;
    const word = this.#words[next];
    if (word === undefined) return 0;
    if (word.isNumber && !isYear(word.term)) return next + 1;
    const second = next + 1;
    if (second + 1 >= limit || !this.#items.touchesPrevious(second) || !this.#items.touchesPrevious(second + 1))
      return 0;
    if (this.#items.kinds[second] !== ItemKind.Symbol || !isHyphen(this.#unit(second))) return 0;
    return this.#roles[second + 1] === Role.Name ? second + 2 : 0;
  }

  /** The subtitle in "Witchboard 2: The Devil's Doorway". */
  #afterColon(next: number, limit: number): number {
    if (this.#items.touchesPrevious(next)) return 0;
    const article = this.#term(next);
    const isArticle = article === "the" || article === "a" || article === "an";
    const name = isArticle && this.#isCapitalised(next) ? next + 1 : next;
    const role = name < limit ? this.#roles[name] : Role.None;
    return role === Role.Name || role === Role.Initial ? name + 1 : 0;
  }

  /** An initial or an abbreviated title of respect. */
  #isAbbreviated(index: number): boolean {
    const term = this.#term(index);
    return term.length === 1 || isLeadingAbbreviation(term);
  }

  /** "College" in "King William's College", but neither "Macron" nor "President Macron" in "France's President Macron". */
  #isInstitution(index: number, limit: number): boolean {
    if (index >= limit || this.#roles[index] !== Role.Name) return false;
    const word = this.#words[index];
    return word !== undefined && word.isCommon && !PERSON_TITLES.has(word.term);
  }

  /** Takes in the article of "al-Qaeda" where no name precedes it. */
  #withArabicArticle(start: number, sentenceStart: number): number {
    if (start - 2 < sentenceStart || !this.#items.touchesPrevious(start) || !this.#items.touchesPrevious(start - 1))
      return start;
    if (this.#items.kinds[start - 1] !== ItemKind.Symbol || !isHyphen(this.#unit(start - 1))) return start;
    const article = this.#term(start - 2);
    return article === "al" || article === "el" ? start - 2 : start;
  }

  /** Whether a capitalised dictionary word that begins a sentence is the first word of a name. */
  #leads(index: number, { end }: ItemRange): boolean {
    const word = this.#words[index];
    if (word === undefined || (opensSentence(word.term) && this.#tags[index] !== "AUX")) return false;
    if (!LEADING_TAGS.has(this.#tags[index])) return false;
    if (this.#tags[index] === "VERB" && (word.term.endsWith("ing") || word.term.endsWith("ed"))) return false;
    if (index + 1 >= end || this.#unit(index + 1) === 0x3a) return false;
    if (this.#term(index + 1) === "of" && (RELATIONS.has(word.term) || isPlural(word.term))) return false;
    return this.#nextNamePart(index + 1, Math.min(end, index + MAX_MENTION_ITEMS), false) !== 0;
  }

  /** Whether the text shows a lone dictionary word at the start of a sentence to be a name. */
  #isDefined(index: number, sentence: ItemRange): boolean {
    const term = this.#term(index);
    if (opensSentence(term) || term.length === 1) return false;
    if (this.#established.has(term)) return !isMonth(term) && !isWeekday(term);
    if (sentence.first !== 0 || index > 1) return false;
    const next = index + 1;
    if (next >= sentence.end) return false;
    return DEFINING_VERBS.has(this.#term(next)) || this.#unit(next) === 0x28;
  }

  /** Initials alone, titles of respect alone, days and months that are dates. */
  #isDiscarded(start: number, end: number, sentence: ItemRange): boolean {
    if (end - start !== 1) return false;
    const term = this.#term(start);
    if (this.#items.ends[start] - this.#items.starts[start] === 1 || isWeekday(term)) return true;
    if (isMonth(term)) return this.#isDate(start, sentence);
    return isLeadingAbbreviation(term) && end < sentence.end && this.#unit(end) === 0x2e;
  }

  #isDate(index: number, { first, end }: ItemRange): boolean {
    const before = index > first ? this.#words[index - 1] : undefined;
    if (before !== undefined && (before.isNumber || before.form === "19th" || DATE_PREPOSITIONS.has(before.term)))
      return true;
    for (let i = index + 1; i < end && i <= index + 2; i++) {
      const after = this.#words[i];
      if (after !== undefined) return after.isNumber || after.form === "19th";
      if (this.#unit(i) !== 0x2c && this.#unit(i) !== 0x2e) return false;
    }
    return false;
  }

  /** A year, and no amount of money or per cent. */
  #standsAlone(index: number, { first, end }: ItemRange): boolean {
    if (index > first && this.#items.touchesPrevious(index) && isCurrency(this.#unit(index - 1))) return false;
    return index + 1 >= end || this.#unit(index + 1) !== 0x25;
  }

  /** Adds the title in quotation marks that begins at the item, if it is one. */
  #collectQuoted(index: number, { end }: ItemRange): number {
    const first = this.#unit(index) === 0x60 && this.#unit(index + 1) === 0x60 ? index + 2 : index + 1;
    const close = this.#closingQuote(first, Math.min(end, first + MAX_MENTION_ITEMS));
    if (close === 0 || !this.#isTitle(first, close)) return index + 1;
    let last = close - 1;
    while (last > first && this.#words[last] === undefined) last--;
    this.#add(first, last + 1);
    return close + 1;
  }

  #closingQuote(first: number, limit: number): number {
    for (let i = first; i < limit; i++) {
      if (this.#items.kinds[i] !== ItemKind.Symbol) continue;
      const unit = this.#unit(i);
      if (isDoubleQuote(unit)) return i;
      if (unit === 0x27 && this.#items.touchesPrevious(i + 1) && this.#unit(i + 1) === 0x27) return i;
    }
    return 0;
  }

  /**
   * Two words or more, the first capitalised. In small letters only words of grammar, or words no
   * English dictionary has ("Sesión continua"); then the last is capitalised, or none of them English.
   */
  #isTitle(first: number, end: number): boolean {
    let count = 0;
    let names = 0;
    let endsSmall = false;
    for (let i = first; i < end; i++) {
      const word = this.#words[i];
      if (word === undefined) continue;
      const small = word.caps === Caps.None && !word.isNumber;
      if (small && (count === 0 || (word.isCommon && !word.isFunctionWord))) return false;
      count++;
      if (word.caps !== Caps.None && !word.isFunctionWord) names++;
      endsSmall = small && word.isFunctionWord;
    }
    return count > 1 && names > 0 && !endsSmall && this.#words[first] !== undefined;
  }

  /** Whether capitals say nothing: a headline, or text in capitals. */
  #isLoud(first: number, end: number): boolean {
    let count = 0;
    for (let i = first; i < end; i++) {
      const word = this.#words[i];
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
      // "Will Smith", "May 1997"
      return this.#tags[index] === "AUX" && (word.term === "will" || word.term === "may") ? Role.Initial : Role.None;
    }
    if (!word.isCommon) return initial && this.#isParticiple(word, index) ? Role.None : Role.Name;
    if (loud) return Role.None;
    return initial ? Role.Initial : Role.Name;
  }

  /** "Coached by": a verb the dictionary lacks, since a preposition or the like follows. */
  #isParticiple(word: Word, index: number): boolean {
    if (!(word.term.endsWith("ed") || word.term.endsWith("ing") || word.term.endsWith("ly"))) return false;
    return GRAMMAR_TAGS.has(this.#tags[index + 1] ?? "");
  }

  /** A word of grammar in capitals only: "I. V. Sasi", "the US", "AT&T". */
  #isAcronym(word: Word, index: number): boolean {
    const next = this.#items.touchesPrevious(index + 1) ? this.#unit(index + 1) : 0;
    if (word.term.length === 1) return next === 0x2e;
    return word.caps === Caps.Upper && (ACRONYMS.has(word.term) || next === 0x26);
  }

  /**
   * Whether the word's capital shows it to be a name by itself: it stands alone, or is a surname
   * ("Janet Yang"). "Golf" in "Open Golf Championship" shows nothing about "Golf".
   */
  #shows(index: number): boolean {
    if (this.#isCapitalised(index + 1)) return false;
    return !this.#isCapitalised(index - 1) || !this.#words[index - 1]?.isCommon;
  }

  #isCapitalised(index: number): boolean {
    const word = this.#words[index];
    return word !== undefined && word.caps !== Caps.None;
  }

  #beginsLine(index: number): boolean {
    if (index === 0 || this.#items.touchesPrevious(index)) return false;
    for (let i = this.#items.ends[index - 1]; i < this.#items.starts[index]; i++) {
      if (this.#text.charCodeAt(i) === 0x0a) return true;
    }
    return false;
  }

  #add(first: number, end: number): void {
    const start = this.#items.starts[first];
    const stop = this.#items.ends[end - 1];
    const name = normalizeName(this.#text.slice(start, stop));
    if (name !== "") this.mentions.push({ start, end: stop, name });
  }

  #term(index: number): string {
    return this.#words[index]?.term ?? "";
  }

  #unit(index: number): number {
    return index < this.#items.count ? this.#text.charCodeAt(this.#items.starts[index]) : 0;
  }
}

/** "films", but neither "duchess" nor "bus" */
function isPlural(term: string): boolean {
  return term.endsWith("s") && !term.endsWith("ss") && !term.endsWith("us");
}

/** Marks after which a capital is due to position: an opening quotation mark, a colon, a bullet. */
function opensPhrase(unit: number): boolean {
  return isDoubleQuote(unit) || opensQuote(unit) || unit === 0x3a || unit === 0x2018 || unit === 0x2022;
}

/** " “ « and the `` of tokenised texts. */
function opensQuote(unit: number): boolean {
  return unit === 0x22 || unit === 0x201c || unit === 0x201e || unit === 0xab || unit === 0x60;
}

function isDoubleQuote(unit: number): boolean {
  return unit === 0x22 || unit === 0x201c || unit === 0x201d || unit === 0xab || unit === 0xbb;
}

function isHyphen(unit: number): boolean {
  return unit === 0x2d || unit === 0x2010 || unit === 0x2011 || unit === 0x2013;
}

function isCurrency(unit: number): boolean {
  return unit === 0x24 || unit === 0xa3 || unit === 0xa5 || unit === 0x20ac || unit === 0x20b9;
}
