import type { TermSpan } from "./analyzer.js";
import { CharClass, classAt, widthAt } from "./chars.js";
import { fold } from "./fold.js";

/** Longest letter with its marks in UTF-16 units; further marks count as letters. */
const MAX_CLUSTER_LENGTH = 16;

/**
 * Adds the tokens of a run without spaces: its overlapping pairs of letters, or the letter itself
 * when it stands alone. A letter keeps the marks that follow it.
 */
export function pushBigrams(tokens: TermSpan[], text: string, start: number, end: number): void {
  let before = -1;
  let from = start;
  while (from < end) {
    const to = clusterEnd(text, from, end);
    if (before >= 0) pushToken(tokens, text, before, to);
    else if (to === end) pushToken(tokens, text, from, to);
    before = from;
    from = to;
  }
}

function pushToken(tokens: TermSpan[], text: string, start: number, end: number): void {
  const term = fold(text.slice(start, end));
  if (term !== "") tokens.push({ start, end, term });
}

function clusterEnd(text: string, start: number, end: number): number {
  let i = start + widthAt(text, start);
  while (i < end && i - start < MAX_CLUSTER_LENGTH) {
    const charClass = classAt(text, i);
    if (charClass !== CharClass.Mark && charClass !== CharClass.Ignorable) break;
    i += widthAt(text, i);
  }
  return i;
}
