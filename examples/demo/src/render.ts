/** A comparison as lines of text: trigraph's ranking with its evidence, and BM25's beside it. */
import type { Passage } from "@trigraph/core";
import {
  beside,
  hang,
  oneLine,
  renderEvidence,
  titleOf,
  wrap,
  type PassageOf,
  type Style,
} from "@trigraph/console/print";
import type { Comparison, GoldRanks } from "./compare.js";
import type { Retriever } from "./measures.js";

/** From this width on the rankings stand side by side. */
const TWO_COLUMNS = 96;
const GAP = " │ ";

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
