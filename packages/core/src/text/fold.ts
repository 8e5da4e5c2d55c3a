/**
 * Folding: what two spellings of one word share. NFKC (full width, ligatures), lower case, and no
 * accents on Latin, Greek and Cyrillic letters. Vowel signs of other scripts are marks too, but
 * part of the spelling, and stay.
 */

const ACCENTED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{Mn}+/gu;

/** Letters whose stroke or ligature has no decomposition in Unicode, and the final sigma. */
const UNDECOMPOSED = /[ßæœøłđðþıħŧĸſς]/g;
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ı", "i"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["ĸ", "k"],
  ["ſ", "s"],
  ["ς", "σ"],
]);

/** Folds a word or a name. Idempotent; may change the length; never throws. */
export function fold(text: string): string {
  if (isFolded(text)) return text;
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(ACCENTED, "$1")
    .replace(UNDECOMPOSED, (letter) => REPLACEMENTS.get(letter) ?? letter)
    .normalize("NFKC");
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** True when every character is known to fold to itself: the fast path, so "no" proves nothing. */
function isFolded(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit <= 0x7f) {
      if (unit >= 0x41 && unit <= 0x5a) return false;
      continue;
    }
    const stable =
      (unit >= 0x4e00 && unit <= 0x9fff) || // Han
      (unit >= 0xac00 && unit <= 0xd7a3) || // Hangul syllables
      (unit >= 0x3041 && unit <= 0x3096) || // Hiragana
      (unit >= 0x30a1 && unit <= 0x30fa) || // Katakana
      (unit >= 0x0e01 && unit <= 0x0e32) || // Thai without SARA AM, which decomposes,
      (unit >= 0x0e40 && unit <= 0x0e46); // and without the marks, which may be put in another order
    if (!stable) return false;
  }
  return true;
}
