import { isLeadingAbbreviation, isNumberingAbbreviation, isTrailingAbbreviation } from "./abbreviations.js";
import { opensSentence } from "./function-words.js";
import { ItemKind, type Items } from "./scanner.js";

/** Longest sentence in UTF-16 units; what is longer is cut, at white space where there is any. */
export const MAX_SENTENCE_LENGTH = 2000;

/** A sentence as a half-open range of items. Its span in the text runs from the first item's start to the last one's end. */
export interface ItemRange {
  readonly first: number;
  readonly end: number;
}

const PERIOD = 0x2e;
const ELLIPSIS = 0x2026;

/** . ! ? … end a sentence when white space and no small letter follows. */
const WESTERN_ENDS: ReadonlySet<number> = new Set([PERIOD, 0x21, 0x3f, ELLIPSIS, 0x203d, 0x2047, 0x2048, 0x2049]);

/** 。 ！ ？ ｡ । ॥ ؟ ۔ ។ ။ ። end a sentence wherever they stand. */
const FULL_ENDS: ReadonlySet<number> = new Set([
  0x3002, 0xff01, 0xff1f, 0xff61, 0x0964, 0x0965, 0x061f, 0x06d4, 0x17d4, 0x104b, 0x1362,
]);

const CLOSING = new Set([...`)]}"'”’»›」』】）］〉》`].map((character) => character.charCodeAt(0)));
const OPENING = new Set([...`([{"'“‘„«‹「『【（［〈《\``].map((character) => character.charCodeAt(0)));

/**
 * Finds the sentences of a scanned text. Sentences without a word are left out; every word lies in
 * exactly one. Linear in the number of items.
 */
export function splitSentences(text: string, items: Items): ItemRange[] {
  const sentences: ItemRange[] = [];
  let first = 0;
  let i = 0;
  while (i < items.count) {
    if (items.kinds[i] === ItemKind.Paragraph) {
      addSentence(sentences, items, first, i);
      first = ++i;
      continue;
    }
    const end = sentenceEndAt(text, items, first, i);
    if (end > 0) {
      addSentence(sentences, items, first, end);
      first = end;
      i = end;
    } else i++;
  }
  addSentence(sentences, items, first, items.count);
  return sentences;
}

/** The item after the sentence when the symbol at `index` ends it, else 0. */
function sentenceEndAt(text: string, items: Items, first: number, index: number): number {
  if (items.kinds[index] !== ItemKind.Symbol) return 0;
  const unit = text.charCodeAt(items.starts[index]);
  const full = FULL_ENDS.has(unit);
  if (!full && !WESTERN_ENDS.has(unit)) return 0;
  // Of several ends in a row the last one decides: a run is looked at once, which keeps "......" linear.
  if (isEnd(text, items, index + 1) && items.touchesPrevious(index + 1)) return 0;
  const end = afterClosing(text, items, index + 1);
  if (end === items.count || items.kinds[end] === ItemKind.Paragraph) return end;
  if (full) return end;
  if (items.touchesPrevious(end)) return 0;
  return nextBegins(text, items, first, index, end) ? end : 0;
}

function isEnd(text: string, items: Items, index: number): boolean {
  if (index >= items.count || items.kinds[index] !== ItemKind.Symbol) return false;
  const unit = text.charCodeAt(items.starts[index]);
  return WESTERN_ENDS.has(unit) || FULL_ENDS.has(unit);
}

/** Skips the quotes and brackets that close right after a sentence, and the '' of tokenised texts. */
function afterClosing(text: string, items: Items, index: number): number {
  let i = index;
  for (; i < items.count && items.kinds[i] === ItemKind.Symbol; i++) {
    const unit = text.charCodeAt(items.starts[i]);
    if (!CLOSING.has(unit)) break;
    if (items.touchesPrevious(i)) continue;
    const doubled =
      unit === 0x27 &&
      i + 1 < items.count &&
      items.touchesPrevious(i + 1) &&
      text.charCodeAt(items.starts[i + 1]) === 0x27;
    if (!doubled) break;
    i++;
  }
  return i;
}

/** Whether the items from `next` on begin a new sentence after the end mark at `index`. */
function nextBegins(text: string, items: Items, first: number, index: number, next: number): boolean {
  let i = next;
  while (
    i < items.count &&
    i < next + 4 &&
    items.kinds[i] === ItemKind.Symbol &&
    OPENING.has(text.charCodeAt(items.starts[i]))
  )
    i++;
  if (i >= items.count) return true;
  if (items.kinds[i] === ItemKind.Spaceless || items.kinds[i] === ItemKind.Paragraph) return true;
  if (items.kinds[i] !== ItemKind.Word) return false;
  const word = text.slice(items.starts[i], items.ends[i]);
  if (beginsSmall(word)) return false;
  const unit = text.charCodeAt(items.starts[index]);
  const isWord = items.kinds[index - 1] === ItemKind.Word && index > first;
  if (unit === ELLIPSIS || (unit === PERIOD && isEnd(text, items, index - 1) && items.touchesPrevious(index))) {
    return isStarter(text, items, i);
  }
  if (unit !== PERIOD || !isWord || !items.touchesPrevious(index)) return true;
  return periodEnds(text, items, first, index, i);
}

/** Whether a single period after a word ends a sentence, given the item of the word that follows. */
function periodEnds(text: string, items: Items, first: number, index: number, next: number): boolean {
  const start = items.starts[index - 1];
  const end = items.ends[index - 1];
  if (end - start > 8) return true;
  const spelled = text.slice(start, end);
  const before = spelled.toLowerCase();
  if (isLeadingAbbreviation(before)) return false;
  if (isNumberingAbbreviation(before) && isDigits(text[items.starts[next]])) return false;
  // An initial, or the last letter of "U.S." and "e.g.".
  if (before.length === 1 && !isDigits(before)) return isStarter(text, items, next);
  if (isTrailingAbbreviation(spelled)) return isStarter(text, items, next);
  // "1. Introduction"
  return !(index - 1 === first && isDigits(before));
}

/** A capitalised word that is likelier the first of a sentence than the next of a name. */
function isStarter(text: string, items: Items, index: number): boolean {
  const word = text.slice(items.starts[index], items.ends[index]);
  if (word.length > 1) return opensSentence(word.toLowerCase());
  // "A. A. Milne"
  const isInitial = items.touchesPrevious(index + 1) && text.charCodeAt(items.ends[index]) === PERIOD;
  return (word === "A" || word === "I") && !isInitial;
}

function beginsSmall(word: string): boolean {
  const character = String.fromCodePoint(word.codePointAt(0) ?? 0);
  return character !== character.toUpperCase() && character === character.toLowerCase();
}

function isDigits(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}

/** Adds the range as one sentence, or as several when it is too long; ranges without a word are dropped. */
function addSentence(sentences: ItemRange[], items: Items, first: number, end: number): void {
  let from = first;
  while (from < end) {
    const to = cutAt(items, from, end);
    if (hasWord(items, from, to)) sentences.push({ first: from, end: to });
    from = to;
  }
}

/** The end of the longest allowed sentence from `first` on: before the last white space within the limit, or where it must be. */
function cutAt(items: Items, first: number, end: number): number {
  const limit = items.starts[first] + MAX_SENTENCE_LENGTH;
  if (items.ends[end - 1] <= limit) return end;
  let last = first + 1;
  let lastSpaced = 0;
  for (let i = first + 1; i < end && items.ends[i] <= limit; i++) {
    last = i + 1;
    if (!items.touchesPrevious(i + 1)) lastSpaced = i + 1;
  }
  return lastSpaced > 0 ? lastSpaced : last;
}

function hasWord(items: Items, first: number, end: number): boolean {
  for (let i = first; i < end; i++) {
    if (items.kinds[i] === ItemKind.Word || items.kinds[i] === ItemKind.Spaceless) return true;
  }
  return false;
}
