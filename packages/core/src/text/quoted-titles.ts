import { ItemKind } from "./scanner.js";
import { isDoubleQuote } from "./symbols.js";
import type { TaggedText } from "./tagged-text.js";
import { Caps } from "./words.js";

/** Longest quoted title in items. */
const MAX_TITLE_ITEMS = 24;

const GRAVE = 0x60;
const APOSTROPHE = 0x27;

/** A title between quotation marks as a half-open range of items, and the item of the closing mark. */
export interface QuotedTitle {
  readonly first: number;
  readonly end: number;
  readonly closing: number;
}

/** The title whose opening quotation mark stands at `index`, if what is quoted is a title. */
export function quotedTitleAt(tagged: TaggedText, index: number, sentenceEnd: number): QuotedTitle | undefined {
  const doubled = tagged.unit(index) === GRAVE && tagged.unit(index + 1) === GRAVE;
  const first = doubled ? index + 2 : index + 1;
  const closing = closingMark(tagged, first, Math.min(sentenceEnd, first + MAX_TITLE_ITEMS));
  if (closing === 0 || !isTitle(tagged, first, closing)) return undefined;
  let end = closing;
  while (tagged.words[end - 1] === undefined) end--;
  return { first, end, closing };
}

function closingMark(tagged: TaggedText, first: number, limit: number): number {
  for (let i = first; i < limit; i++) {
    if (tagged.items.kinds[i] !== ItemKind.Symbol) continue;
    const unit = tagged.unit(i);
    if (isDoubleQuote(unit)) return i;
    if (unit === APOSTROPHE && tagged.items.touchesPrevious(i + 1) && tagged.unit(i + 1) === APOSTROPHE) return i;
  }
  return 0;
}

/**
 * Two words or more, the first capitalised. In small letters only words of grammar, or words no
 * English dictionary has ("Sesión continua"); then the last is capitalised, or none of them English.
 */
function isTitle(tagged: TaggedText, first: number, end: number): boolean {
  let count = 0;
  let names = 0;
  let endsSmall = false;
  for (let i = first; i < end; i++) {
    const word = tagged.words[i];
    if (word === undefined) continue;
    const small = word.caps === Caps.None && !word.isNumber;
    if (small && (count === 0 || (word.isCommon && !word.isFunctionWord))) return false;
    count++;
    if (word.caps !== Caps.None && !word.isFunctionWord) names++;
    endsSmall = small && word.isFunctionWord;
  }
  return count > 1 && names > 0 && !endsSmall && tagged.words[first] !== undefined;
}
