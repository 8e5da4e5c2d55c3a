/** A comparison as lines of text: trigraph's ranking with its evidence, and BM25's beside it. */
import type { Passage, RetrievedPassage } from "@trigraph/core";
import { titleOf, type Comparison, type GoldRanks } from "./compare.js";
import { beside, hang, wrap } from "./layout.js";
import type { Retriever } from "./measures.js";
import { describePath, oneLine, type Link, type Quote } from "./path.js";
import type { Style } from "./terminal.js";

/** From this width on the rankings stand side by side. */
const TWO_COLUMNS = 96;
const GAP = " │ ";
/** Of a quoted sentence. */
const LONGEST_QUOTE = 220;

type PassageOf = (id: string) => Passage;

/** What a listing shows already, to be referred to. */
interface Shown {
  readonly ranks: ReadonlyMap<string, number>;
  /** Quoted texts, with the rank of the passage that they were first quoted for. */
  readonly quotes: Map<string, number>;
}

export function renderComparison(comparison: Comparison, passageOf: PassageOf, style: Style): string[] {
  const { width } = style;
  if (width < TWO_COLUMNS) {
    return [...renderTriGraph(comparison, passageOf, style), "", ...renderBm25(comparison, style)];
  }
  const rightWidth = Math.round((width - GAP.length) * 0.32);
  const leftWidth = width - GAP.length - rightWidth;
  return beside(
    renderTriGraph(comparison, passageOf, { ...style, width: leftWidth }),
    renderBm25(comparison, { ...style, width: rightWidth }),
    leftWidth,
    style.colors.dim(GAP),
  );
}

/** What the marks and labels mean. */
export function renderLegend(hasGold: boolean, { colors, width }: Style): string[] {
  const mark = hasGold
    ? [`  ${colors.green("✓")}    `, "the passage holds evidence for the answer (gold)"]
    : ["  +    ", "only this ranking shows the passage"];
  return [
    mark,
    [
      "  path ",
      "how trigraph came to the passage: from a name in the question, from name to name. “here” is the passage",
    ],
    ["  via  ", "the text in which two names of the path meet; #1 is the passage at rank 1"],
    ["  says ", "the passage's sentence that is closest to the question"],
  ].flatMap(([label, text]) => hang(label, text, width));
}

function renderTriGraph(comparison: Comparison, passageOf: PassageOf, style: Style): string[] {
  const { colors, width } = style;
  const { question, trigraph, bm25, gold } = comparison;
  const others = new Set(bm25?.map(({ id }) => id));
  const shown = {
    ranks: new Map(trigraph.map(({ passage, rank }) => [passage.id, rank])),
    quotes: new Map<string, number>(),
  };
  const lines = [colors.bold(colors.underline("trigraph"))];
  // The others have nothing to do with the question and only fill up the k.
  const found = trigraph.filter(({ evidence }) => evidence?.via !== "fill");
  if (found.length === 0) lines.push(...wrap("no passage shares a name or a word with the question", width));
  for (const hit of found) {
    const mark = markOf(hit.passage.id, gold, others, bm25 !== undefined);
    lines.push(...renderTitle(hit.rank, mark, hit.passage, trigraph.length, style));
    lines.push(...renderEvidence(question.question, hit, shown, passageOf, style));
  }
  lines.push(...renderMissed(gold, "trigraph", trigraph.length, style));
  return lines;
}

function renderBm25({ trigraph, bm25, gold }: Comparison, style: Style): string[] {
  const { colors, width } = style;
  const lines = [colors.bold(colors.underline("BM25"))];
  if (bm25 === undefined) return [...lines, ...wrap("needs at least three passages", width)];
  if (bm25.length === 0) return [...lines, ...wrap("no passage shares a word with the question", width)];
  const others = new Set(trigraph.map(({ passage }) => passage.id));
  for (const [i, passage] of bm25.entries()) {
    lines.push(...renderTitle(i + 1, markOf(passage.id, gold, others, true), passage, bm25.length, style));
  }
  lines.push(...renderMissed(gold, "bm25", bm25.length, style));
  return lines;
}

type Mark = "✓" | "+" | " ";

/** Gold where that is known, else what the other ranking does not show. */
function markOf(
  id: string,
  gold: readonly GoldRanks[] | undefined,
  others: ReadonlySet<string>,
  hasOthers: boolean,
): Mark {
  if (gold !== undefined) return gold.some((passage) => passage.id === id) ? "✓" : " ";
  return hasOthers && !others.has(id) ? "+" : " ";
}

function renderTitle(rank: number, mark: Mark, passage: Passage, count: number, { colors, width }: Style): string[] {
  const label = `${mark === "✓" ? colors.green(mark) : mark} ${String(rank).padStart(String(count).length)} `;
  const title = oneLine(titleOf(passage));
  return hang(label, mark === "✓" ? colors.bold(colors.green(title)) : colors.bold(title), width);
}

function renderEvidence(
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

/** The gold passages that the ranking does not show. */
function renderMissed(
  gold: readonly GoldRanks[] | undefined,
  retriever: Retriever,
  shown: number,
  { colors, width }: Style,
): string[] {
  const missed = (gold ?? []).filter(({ [retriever]: rank }) => rank === undefined || rank > shown);
  return missed.flatMap(({ title, [retriever]: rank }) =>
    hang(
      `${colors.red("✗")} `,
      `${oneLine(title)}: ${rank === undefined ? "not found" : `only at rank ${rank}`}`,
      width,
    ),
  );
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
