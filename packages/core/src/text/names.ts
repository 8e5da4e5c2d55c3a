import { CharClass, classAt, isApostrophe, widthAt } from "./chars.js";
import { fold } from "./fold.js";

const SPACE = 0x20;

/**
 * The name under which an entity is known: two surfaces with the same normalised name are the same
 * entity. Case, accents, width and punctuation are folded away; a possessive at the end and an
 * English article at the start are dropped; apostrophes within a word vanish ("O'Neil" is "oneil")
 * and initials stay words ("J.R.R. Tolkien" is "j r r tolkien").
 *
 * Made for surfaces as they stand in a text: normalising twice is not the same as once, because
 * "A. A. Milne" becomes "a a milne", whose first word then looks like an article.
 *
 * @returns the name, or `""` when nothing but punctuation is left. Never throws.
 */
export function normalizeName(surface: string): string {
  return spaceWords(withoutArticle(withoutPossessive(fold(surface).trim())));
}

/**
 * The normalised names that a passage's title defines: the whole title and, when it ends in a
 * qualifier in brackets ("Theodred II (Bishop of Elmham)"), the title without it.
 *
 * @returns distinct names, none empty; the whole title first.
 */
export function titleNames(title: string): string[] {
  const names = new Set<string>();
  for (const part of [title, withoutQualifier(title)]) {
    const name = normalizeName(part);
    if (name !== "") names.add(name);
  }
  return [...names];
}

const S = 0x73;

/** Folded "james's" and "the smiths'" lose the ending. */
function withoutPossessive(folded: string): string {
  const end = folded.length;
  const last = folded.charCodeAt(end - 1);
  const beforeLast = folded.charCodeAt(end - 2);
  if (last === S && isApostrophe(beforeLast)) return folded.slice(0, -2).trimEnd();
  if (isApostrophe(last) && beforeLast === S) return folded.slice(0, -1);
  return folded;
}

const ARTICLE = /^(?:the|an?)\s+/u;

/** "a. a. milne" begins with no article: only white space may follow it. */
function withoutArticle(folded: string): string {
  const rest = folded.replace(ARTICLE, "");
  // An article alone, or before mere punctuation, is all the name there is.
  return rest === folded || spaceWords(rest) === "" ? folded : rest;
}

/** The words with single spaces between them: everything that is no letter, mark or number parts words, except apostrophes and joiners. */
function spaceWords(text: string): string {
  let out = "";
  let wordStart = -1;
  for (let i = 0; i < text.length;) {
    const width = widthAt(text, i);
    const charClass = classAt(text, i);
    if (isWordCharacter(charClass)) {
      if (wordStart < 0) wordStart = i;
    } else {
      if (wordStart >= 0) {
        out += text.slice(wordStart, i);
        wordStart = -1;
      }
      if (isDetachedPossessive(text, i, charClass)) out = out.trimEnd();
      else if (!joins(text, i, charClass) && out !== "" && out.charCodeAt(out.length - 1) !== SPACE) out += " ";
    }
    i += width;
  }
  if (wordStart >= 0) out += text.slice(wordStart);
  return out.trimEnd();
}

function isWordCharacter(charClass: number): boolean {
  return charClass >= CharClass.Letter && charClass !== CharClass.Apostrophe && charClass !== CharClass.Ignorable;
}

/** True for what stands inside a word without parting it. */
function joins(text: string, index: number, charClass: number): boolean {
  if (charClass === CharClass.Ignorable) return true;
  if (charClass !== CharClass.Apostrophe) return false;
  return (
    index > 0 &&
    index + 1 < text.length &&
    isWordCharacter(classAt(text, index - 1)) &&
    isWordCharacter(classAt(text, index + 1))
  );
}

/** Some tokenised texts part the possessive from its word: "children 's literature". */
function isDetachedPossessive(text: string, index: number, charClass: number): boolean {
  if (charClass !== CharClass.Apostrophe || text.charCodeAt(index + 1) !== S) return false;
  return index + 2 >= text.length || !isWordCharacter(classAt(text, index + 2));
}

/** The title without its last bracketed part; the title itself when it does not end in one. */
export function withoutQualifier(title: string): string {
  const trimmed = title.trimEnd();
  if (!trimmed.endsWith(")")) return title;
  let depth = 0;
  for (let i = trimmed.length - 1; i >= 0; i--) {
    const character = trimmed[i];
    if (character === ")") depth++;
    else if (character === "(" && --depth === 0) return trimmed.slice(0, i);
  }
  return title;
}
