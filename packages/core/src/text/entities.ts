import { isLeadingAbbreviation } from "./abbreviations.js";
import type { EntityMention } from "./analyzer.js";
import { isMonth, isWeekday, isYear } from "./dates.js";
import { isPlural, opensSentence, opensTitle } from "./function-words.js";
import { MAX_MENTION_ITEMS, NameReader } from "./name-parts.js";
import { findNameRoles, Role, type NameRoles } from "./name-roles.js";
import { normalizeName } from "./names.js";
import { quotedTitleAt } from "./quoted-titles.js";
import { ItemKind, type Items } from "./scanner.js";
import type { ItemRange } from "./sentences.js";
import { isCurrency, isDoubleQuote, isHyphen, opensQuote } from "./symbols.js";
import { TaggedText } from "./tagged-text.js";
import type { SentenceTags } from "./tags.js";
import type { Word } from "./words.js";

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
  tags: SentenceTags,
): EntityMention[] {
  const tagged = new TaggedText(text, items, words, tags);
  const finder = new MentionFinder(tagged, findNameRoles(tagged, sentences));
  for (const sentence of sentences) finder.collect(sentence);
  return finder.mentions;
}

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

const DEFINING_VERBS: ReadonlySet<string> = new Set(["is", "was", "are", "were"]);

class MentionFinder {
  readonly mentions: EntityMention[] = [];
  readonly #tagged: TaggedText;
  readonly #roles: Uint8Array;
  readonly #established: ReadonlySet<string>;
  readonly #reader: NameReader;

  constructor(tagged: TaggedText, { roles, established }: NameRoles) {
    this.#tagged = tagged;
    this.#roles = roles;
    this.#established = established;
    this.#reader = new NameReader(tagged, roles);
  }

  /** Adds the sentence's mentions. */
  collect(sentence: ItemRange): void {
    const { end } = sentence;
    let inQuotes = false;
    let i = sentence.first;
    while (i < end) {
      const next = this.#collectAt(i, sentence, inQuotes);
      if (this.#tagged.items.kinds[i] === ItemKind.Symbol && isDoubleQuote(this.#tagged.unit(i))) {
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
    const word = this.#tagged.words[index];
    if (word?.isNumber) {
      if (isYear(word.term) && this.#standsAlone(index, sentence)) this.#add(index, index + 1);
      return index + 1;
    }
    if (!inQuotes && this.#tagged.items.kinds[index] === ItemKind.Symbol && opensQuote(this.#tagged.unit(index))) {
      const title = quotedTitleAt(this.#tagged, index, sentence.end);
      if (title === undefined) return index + 1;
      this.#add(title.first, title.end);
      return title.closing + 1;
    }
    return index + 1;
  }

  #collectName(index: number, sentence: ItemRange): number {
    let start = index;
    let inTitle = false;
    if (this.#roles[index] === Role.Grammar) {
      // Leading words of grammar belong to a title, an article does not: it is no part of a name.
      const after = this.#reader.afterGrammar(index, sentence.end);
      const name = this.#roles[after] === Role.Name ? after : this.#reader.afterSmall(after, sentence.end);
      if (name >= sentence.end || this.#roles[name] !== Role.Name) return after;
      while (start < after && !opensTitle(this.#tagged.term(start))) start++;
      const opener = this.#tagged.term(start);
      inTitle = start < after && opener !== "a" && opener !== "an";
      if (!inTitle) start = name;
    } else if (this.#roles[index] === Role.Initial && !this.#leads(index, sentence)) {
      if (this.#isDefined(index, sentence)) this.#add(index, index + 1);
      return index + 1;
    }
    const end = this.#reader.nameEnd(start, sentence.end, inTitle);
    const from = this.#withArabicArticle(start, sentence.first);
    if (!this.#isDiscarded(start, end, sentence)) this.#add(from, end);
    return end;
  }

  /** Takes in the article of "al-Qaeda" where no name precedes it. */
  #withArabicArticle(start: number, sentenceStart: number): number {
    if (
      start - 2 < sentenceStart ||
      !this.#tagged.items.touchesPrevious(start) ||
      !this.#tagged.items.touchesPrevious(start - 1)
    )
      return start;
    if (this.#tagged.items.kinds[start - 1] !== ItemKind.Symbol || !isHyphen(this.#tagged.unit(start - 1)))
      return start;
    const article = this.#tagged.term(start - 2);
    return article === "al" || article === "el" ? start - 2 : start;
  }

  /**
   * Whether a capitalised dictionary word that begins a sentence is the first word of a name. What needs no tag is
   * looked at first: to ask for one is to have the sentence tagged.
   */
  #leads(index: number, { end }: ItemRange): boolean {
    const word = this.#tagged.words[index];
    if (word === undefined || index + 1 >= end || this.#tagged.unit(index + 1) === 0x3a) return false;
    if (this.#tagged.term(index + 1) === "of" && (RELATIONS.has(word.term) || isPlural(word.term))) return false;
    const limit = Math.min(end, index + MAX_MENTION_ITEMS);
    if (this.#reader.nextNamePart(index + 1, limit, false) === 0) return false;
    const tag = this.#tagged.tag(index);
    if (opensSentence(word.term)) return tag === "AUX";
    return LEADING_TAGS.has(tag) && !(tag === "VERB" && (word.term.endsWith("ing") || word.term.endsWith("ed")));
  }

  /** Whether the text shows a lone dictionary word at the start of a sentence to be a name. */
  #isDefined(index: number, sentence: ItemRange): boolean {
    const term = this.#tagged.term(index);
    if (opensSentence(term) || term.length === 1) return false;
    if (this.#established.has(term)) return !isMonth(term) && !isWeekday(term);
    if (sentence.first !== 0 || index > 1) return false;
    const next = index + 1;
    if (next >= sentence.end) return false;
    return DEFINING_VERBS.has(this.#tagged.term(next)) || this.#tagged.unit(next) === 0x28;
  }

  /** Initials alone, titles of respect alone, days and months that are dates. */
  #isDiscarded(start: number, end: number, sentence: ItemRange): boolean {
    if (end - start !== 1) return false;
    const term = this.#tagged.term(start);
    if (this.#tagged.items.ends[start] - this.#tagged.items.starts[start] === 1 || isWeekday(term)) return true;
    if (isMonth(term)) return this.#isDate(start, sentence);
    return isLeadingAbbreviation(term) && end < sentence.end && this.#tagged.unit(end) === 0x2e;
  }

  #isDate(index: number, { first, end }: ItemRange): boolean {
    const before = index > first ? this.#tagged.words[index - 1] : undefined;
    if (before !== undefined && (before.isNumber || before.form === "19th" || DATE_PREPOSITIONS.has(before.term)))
      return true;
    for (let i = index + 1; i < end && i <= index + 2; i++) {
      const after = this.#tagged.words[i];
      if (after !== undefined) return after.isNumber || after.form === "19th";
      if (this.#tagged.unit(i) !== 0x2c && this.#tagged.unit(i) !== 0x2e) return false;
    }
    return false;
  }

  /** A year, and no amount of money or per cent. */
  #standsAlone(index: number, { first, end }: ItemRange): boolean {
    if (index > first && this.#tagged.items.touchesPrevious(index) && isCurrency(this.#tagged.unit(index - 1)))
      return false;
    return index + 1 >= end || this.#tagged.unit(index + 1) !== 0x25;
  }

  #add(first: number, end: number): void {
    const start = this.#tagged.items.starts[first];
    const stop = this.#tagged.items.ends[end - 1];
    const name = normalizeName(this.#tagged.text.slice(start, stop));
    if (name !== "") this.mentions.push({ start, end: stop, name });
  }
}
