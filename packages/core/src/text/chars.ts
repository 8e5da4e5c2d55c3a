/**
 * What a character is to the scanner. Unicode properties are those of the running engine; they
 * differ between engines only for characters newly added to Unicode.
 */

export const CharClass = {
  Unknown: 0,
  Other: 1,
  Space: 2,
  LineBreak: 3,
  Letter: 4,
  Mark: 5,
  Digit: 6,
  Apostrophe: 7,
  /** Joiners and the soft hyphen: invisible, and no end of a word. */
  Ignorable: 8,
  Surrogate: 9,
  /** From here on: scripts written without spaces between words. */
  EastAsian: 10,
  Thai: 11,
  Lao: 12,
  Khmer: 13,
  Myanmar: 14,
} as const;

/** Classes of the basic plane, filled as characters are met: classifying all 65,536 at start would cost more than most programs need. */
const classes = new Uint8Array(0x10000);

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;
const MARK = /\p{M}/u;
const DECIMAL_DIGIT = /\p{Nd}/u;
const SPACE = /\s/u;
const FORMAT = /\p{Cf}/u;
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;
const THAI = /\p{sc=Thai}/u;
const LAO = /\p{sc=Lao}/u;
const KHMER = /\p{sc=Khmer}/u;
const MYANMAR = /\p{sc=Myanmar}/u;

/** The class of the character that starts at `index`; a lone surrogate is `Other`. */
export function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const known = classes[unit];
  if (known === CharClass.Surrogate) {
    const point = text.codePointAt(index)!;
    return point > 0xffff ? classify(point) : CharClass.Other;
  }
  if (known !== CharClass.Unknown) return known;
  const found = unit >= 0xd800 && unit <= 0xdfff ? CharClass.Surrogate : classify(unit);
  classes[unit] = found;
  return found === CharClass.Surrogate ? classAt(text, index) : found;
}

/** UTF-16 units of the character that starts at `index`: 1 or 2. */
export function widthAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return (unit & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

/** Letters, marks and digits of scripts with spaces between words. */
export function isWordClass(charClass: number): boolean {
  return charClass >= CharClass.Letter && charClass <= CharClass.Digit;
}

export function isSpacelessClass(charClass: number): boolean {
  return charClass >= CharClass.EastAsian;
}

/** ' and its typographic forms; the left quotation mark stands for it in some transliterations (Hawai‘i). */
export function isApostrophe(unit: number): boolean {
  return unit === 0x27 || unit === 0x2019 || unit === 0x2bc || unit === 0x2018 || unit === 0xff07;
}

function classify(point: number): number {
  if (isApostrophe(point)) return CharClass.Apostrophe;
  if (
    point === 0x0a ||
    point === 0x0d ||
    point === 0x0c ||
    point === 0x0b ||
    point === 0x85 ||
    point === 0x2028 ||
    point === 0x2029
  ) {
    return CharClass.LineBreak;
  }
  const character = String.fromCodePoint(point);
  if (WORD_CHARACTER.test(character)) return classifyWordCharacter(character);
  if (FORMAT.test(character) && point !== 0xfeff && point !== 0x200b) return CharClass.Ignorable;
  if (SPACE.test(character) || point === 0x200b) return CharClass.Space;
  return CharClass.Other;
}

function classifyWordCharacter(character: string): number {
  if (MARK.test(character)) return CharClass.Mark;
  if (DECIMAL_DIGIT.test(character)) return CharClass.Digit;
  if (EAST_ASIAN.test(character)) return CharClass.EastAsian;
  if (THAI.test(character)) return CharClass.Thai;
  if (LAO.test(character)) return CharClass.Lao;
  if (KHMER.test(character)) return CharClass.Khmer;
  if (MYANMAR.test(character)) return CharClass.Myanmar;
  return CharClass.Letter;
}
