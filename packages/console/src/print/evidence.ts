/** What brought a passage, as lines of text. */
import type { Passage, RetrievedPassage } from "@trigraph/core";
import { hang } from "./layout.js";
import { oneLine, titleOf } from "./names.js";
import { describePath, type Link, type Quote } from "./path.js";
import type { Style } from "./style.js";

/** Of a quoted sentence. */
const LONGEST_QUOTE = 220;

export type PassageOf = (id: string) => Passage;

/** What a listing shows already, to be referred to. */
export interface Shown {
  readonly ranks: ReadonlyMap<string, number>;
  /** Quoted texts, with the rank of the passage that they were first quoted for. */
  readonly quotes: Map<string, number>;
}

/** The path to a hit, the texts in which its names meet, and the hit's own sentence; none without evidence. */
export function renderEvidence(
  question: string,
  { rank, evidence }: RetrievedPassage,
  shown: Shown,
  passageOf: PassageOf,
  { colors, width }: Style,
): string[] {
  if (evidence === undefined) return [];
  const { stations, links } = describePath(question, evidence, passageOf);
  const label = (name: string) => `    ${colors.dim(name.padEnd(4))} `;
  const describeLink = ({ passageId, quote }: Link): string => {
    const place = shown.ranks.has(passageId) ? `#${shown.ranks.get(passageId)}` : `“${titleOf(passageOf(passageId))}”`;
    if (quote === undefined) return `both stand in ${place}`;
    const before = shown.quotes.get(quote.text);
    if (before !== undefined && before !== rank) return `the same as for #${before}`;
    shown.quotes.set(quote.text, rank);
    return `${place}: ${inQuotes(quote, colors.cyan)}`;
  };
  const names = stations.map((name, i) => (i === 0 || i === stations.length - 1 ? name : colors.cyan(name)));
  return [
    ...hang(label("path"), names.join(colors.dim(" → ")), width),
    ...links.flatMap((link) => hang(label("via"), describeLink(link), width)),
    ...(evidence.sentence === undefined
      ? []
      : hang(label("says"), inQuotes({ text: evidence.sentence.text, names: [] }, colors.cyan), width)),
  ];
}

/** In quotation marks, on one line, names marked; what is long is cut around the names. */
function inQuotes({ text, names }: Quote, mark: (name: string) => string): string {
  const from = text.length <= LONGEST_QUOTE ? 0 : wordStart(text, (names.at(0)?.start ?? 0) - LONGEST_QUOTE / 4);
  const last = names.at(-1)?.end ?? 0;
  const to = text.length - from <= LONGEST_QUOTE ? text.length : wordEnd(text, Math.max(from + LONGEST_QUOTE, last));
  let marked = "";
  let at = from;
  for (const { start, end } of names) {
    if (start < at) continue;
    marked += text.slice(at, start) + mark(text.slice(start, end));
    at = end;
  }
  return `“${from > 0 ? "… " : ""}${oneLine(marked + text.slice(at, to))}${to < text.length ? " …" : ""}”`;
}

function wordStart(text: string, index: number): number {
  return index <= 0 ? 0 : text.indexOf(" ", index) + 1;
}

function wordEnd(text: string, index: number): number {
  const end = text.indexOf(" ", index);
  return end < 0 ? text.length : end;
}
