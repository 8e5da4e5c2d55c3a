import { CharClass, classAt, isSpacelessClass, isWordClass, widthAt } from "./chars.js";

/** Kinds of lexical items. */
export const ItemKind = {
  /** Letters, marks and digits, with apostrophes, joiners and number separators inside. */
  Word: 1,
  /** A run of a script without spaces between words. */
  Spaceless: 2,
  /** The possessive ending: apostrophe and s. */
  Possessive: 3,
  /** Any other visible character. */
  Symbol: 4,
  /** A blank line or another end of a paragraph. */
  Paragraph: 5,
} as const;

/**
 * Longest word or run in UTF-16 units; what is longer is cut into several items. It bounds the work
 * and the memory of everything that looks at one item.
 */
const MAX_ITEM_LENGTH = 255;

/** The lexical items of one text, in order, as parallel columns. White space is what lies between them. */
export class Items {
  readonly kinds: number[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  get count(): number {
    return this.kinds.length;
  }

  push(kind: number, start: number, end: number): void {
    this.kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
  }

  /** True when nothing stands between the item and the one before it. */
  touchesPrevious(index: number): boolean {
    return index > 0 && this.starts[index] === this.ends[index - 1];
  }
}

/** Cuts a text into lexical items, in time linear in its length. Never throws, whatever the text. */
export function scan(text: string): Items {
  const items = new Items();
  const length = text.length;
  let i = 0;
  while (i < length) {
    const charClass = classAt(text, i);
    if (charClass === CharClass.Space || charClass === CharClass.Ignorable) {
      i += widthAt(text, i);
    } else if (isWordClass(charClass)) {
      const end = wordEnd(text, i);
      items.push(ItemKind.Word, i, end);
      i = end;
    } else if (charClass === CharClass.Apostrophe && isPossessive(text, i)) {
      items.push(ItemKind.Possessive, i, i + 2);
      i += 2;
    } else if (charClass === CharClass.LineBreak) {
      i = scanLineBreaks(text, i, items);
    } else if (isSpacelessClass(charClass)) {
      const end = spacelessEnd(text, i, charClass);
      items.push(ItemKind.Spaceless, i, end);
      i = end;
    } else {
      const end = i + widthAt(text, i);
      items.push(ItemKind.Symbol, i, end);
      i = end;
    }
  }
  return items;
}

function wordEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_ITEM_LENGTH);
  let i = start;
  let previous: number = CharClass.Letter;
  while (i < limit) {
    const charClass = classAt(text, i);
    let step: number;
    if (isWordClass(charClass)) step = widthAt(text, i);
    else step = joinerLength(text, i, charClass, previous);
    if (step === 0 || i + step > limit) break;
    i += step;
    previous = charClass;
  }
  return i;
}

/** Units of a separator that belongs to the word at both its sides, with what it brings along; 0 when the word ends here. */
function joinerLength(text: string, index: number, charClass: number, previous: number): number {
  const next = index + 1 < text.length ? classAt(text, index + 1) : CharClass.Other;
  switch (charClass) {
    case CharClass.Ignorable:
      // Not before a surrogate pair's second half: joiners are one unit.
      return widthAt(text, index) === 1 && isWordClass(next) ? 1 : 0;
    case CharClass.Apostrophe:
      return (next === CharClass.Letter || next === CharClass.Mark) && !isPossessive(text, index) ? 1 : 0;
    case CharClass.Other: {
      if (previous !== CharClass.Digit || next !== CharClass.Digit) return 0;
      const unit = text.charCodeAt(index);
      if (unit === 0x2e) return 1; // "3.5"
      if (unit === 0x2c && isDigitGroup(text, index + 1)) return 1; // "1,500"
      return 0;
    }
    default:
      return 0;
  }
}

/** Exactly three digits. */
function isDigitGroup(text: string, index: number): boolean {
  for (let i = index; i < index + 3; i++) {
    if (i >= text.length || classAt(text, i) !== CharClass.Digit) return false;
  }
  return index + 3 >= text.length || classAt(text, index + 3) !== CharClass.Digit;
}

/** An apostrophe followed by an s that ends a word. */
function isPossessive(text: string, index: number): boolean {
  if ((text.charCodeAt(index + 1) | 0x20) !== 0x73) return false;
  if (index + 2 >= text.length) return true;
  const after = classAt(text, index + 2);
  if (isWordClass(after) || isSpacelessClass(after)) return false;
  if (after !== CharClass.Apostrophe) return true;
  // "she's've" goes on; "'the queen's'" ends.
  return index + 3 >= text.length || classAt(text, index + 3) !== CharClass.Letter;
}

function spacelessEnd(text: string, start: number, script: number): number {
  const limit = Math.min(text.length, start + MAX_ITEM_LENGTH);
  let i = start;
  while (i < limit) {
    const charClass = classAt(text, i);
    if (charClass !== script && charClass !== CharClass.Mark && charClass !== CharClass.Ignorable) break;
    const width = widthAt(text, i);
    if (i + width > limit) break;
    i += width;
  }
  return i;
}

/** Passes over white space from a line break on; notes a paragraph's end when it holds a blank line or a paragraph separator. */
function scanLineBreaks(text: string, start: number, items: Items): number {
  let breaks = 0;
  let i = start;
  for (; i < text.length; i++) {
    const charClass = classAt(text, i);
    if (charClass === CharClass.Space) continue;
    if (charClass !== CharClass.LineBreak) break;
    const unit = text.charCodeAt(i);
    if (unit === 0x0a && text.charCodeAt(i - 1) === 0x0d && i > start) continue;
    breaks += unit === 0x2029 || unit === 0x0c ? 2 : 1;
  }
  if (breaks >= 2) items.push(ItemKind.Paragraph, start, i);
  return i;
}
