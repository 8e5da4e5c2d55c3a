/** Blocks of a document, joined and split into passages of a bounded size. */

/** Code is kept line by line; prose may be split at sentence ends. */
export interface Block {
  readonly kind: "prose" | "code";
  readonly text: string;
}

/** What stands under one heading, up to the next. */
export interface Section {
  /** The headings above, the outermost first. */
  readonly headings: readonly string[];
  readonly blocks: readonly Block[];
}

/** Characters. Some eight sentences: about the paragraph of an encyclopedia that the retriever is tuned to. */
const LONGEST = 1200;
/** A passage shorter than this takes in the block after it. */
const SHORTEST = 400;

/** The passages of one section: short blocks joined, long ones split, none longer than `LONGEST`. */
export function splitIntoPassages(blocks: readonly Block[]): string[] {
  const passages: string[] = [];
  for (const piece of blocks.flatMap(splitBlock)) {
    const last = passages.at(-1);
    const fits = last !== undefined && last.length + 2 + piece.length <= LONGEST;
    if (fits && (last.length < SHORTEST || piece.length < SHORTEST / 2))
      passages[passages.length - 1] = `${last}\n\n${piece}`;
    else passages.push(piece);
  }
  return passages;
}

function splitBlock({ kind, text }: Block): string[] {
  if (text.length <= LONGEST) return [text];
  return fill(kind === "code" ? text.split(/(?<=\n)/) : segments(text, "sentence")).map((piece) => piece.trimEnd());
}

/** Parts one after the other, as many together as fit. A part that is too long by itself is split at words, or anywhere. */
function fill(parts: readonly string[]): string[] {
  const pieces: string[] = [];
  let current = "";
  const small = parts.flatMap((part) => (part.length <= LONGEST ? [part] : fillWords(part)));
  for (const part of small) {
    if (current.length + part.length > LONGEST) {
      pieces.push(current);
      current = "";
    }
    current += part;
  }
  if (current.trim() !== "") pieces.push(current);
  return pieces;
}

function fillWords(text: string): string[] {
  const words = segments(text, "word");
  if (words.some((word) => word.length > LONGEST)) return fill(segments(text, "grapheme"));
  return fill(words);
}

function segments(text: string, granularity: "sentence" | "word" | "grapheme"): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment);
}
