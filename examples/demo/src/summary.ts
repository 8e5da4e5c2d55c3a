/** All bundled questions as text: some in full, one line for each of the others, the totals, the losses. */
import { hang, padStart, table, wrap, type Style } from "@trigraph/console/print";
import type { Passage } from "@trigraph/core";
import type { Comparison, GoldRanks } from "./compare.js";
import { CUT, foundAt, outcomeOf, totalsOf, type Outcome, type Retriever, type Totals } from "./measures.js";
import { renderComparison, renderLegend } from "./render.js";

/** A bundled question and what came of it; all of them have gold. */
export type Judged = Comparison & { readonly gold: readonly GoldRanks[] };

/** With its place in the file, 1 for the first. */
export type Numbered = Judged & { readonly number: number };

export function renderIntroduction(questions: number, passages: number, style: Style): string[] {
  const { colors, width } = style;
  return [
    ...wrap(
      colors.bold(`${questions} questions over ${passages} passages of Wikipedia, answered by trigraph and by BM25`),
      width,
    ),
    "",
    ...wrap(
      "What a question asks for is spread over several passages, and often it names only the first of them. " +
        "BM25 looks for the question's words; trigraph also follows the names that passages share.",
      width,
    ),
    "",
    ...renderLegend(true, style),
    "",
  ];
}

export function renderInFull(
  comparison: Numbered,
  of: number,
  passageOf: (id: string) => Passage,
  style: Style,
): string[] {
  const { colors, width } = style;
  const { number, question, gold } = comparison;
  const outcome = outcomeOf(gold);
  const counts = `trigraph ${foundAt(CUT, gold, "trigraph")} of ${gold.length}, BM25 ${foundAt(CUT, gold, "bm25")} of ${gold.length}`;
  return [
    colors.dim("─".repeat(width)),
    ...hang(`${number}/${of}  `, colors.bold(question.question), width),
    ...wrap(`Answer: ${question.answer}. Gold in the top ${CUT}: ${counts}: ${inColor(outcome, style)}`, width),
    "",
    ...renderComparison(comparison, passageOf, style),
    "",
  ];
}

/** The questions that are not shown in full. */
export function renderLines(comparisons: readonly Numbered[], style: Style): string[] {
  if (comparisons.length === 0) return [];
  const { colors, width } = style;
  return [
    colors.dim("─".repeat(width)),
    ...wrap(
      `${colors.bold(`The other ${comparisons.length} questions`)}, with how many of their gold passages are in the top ${CUT}. ` +
        "In full above: the first question of each type, whatever came of it. --all shows all in full.",
      width,
    ),
    "",
    colors.dim(" #        trigraph  BM25"),
    ...comparisons.flatMap(({ number, question, gold }) => {
      const share = (retriever: Retriever) => `${foundAt(CUT, gold, retriever)}/${gold.length}`;
      const outcome = inColor(outcomeOf(gold), style);
      const [trigraph, bm25] = [padStart(share("trigraph"), 8), padStart(share("bm25"), 4)];
      return hang(`${padStart(String(number), 2)}  ${outcome}  ${trigraph}  ${bm25}  `, question.question, width);
    }),
    "",
  ];
}

export function renderTotals(comparisons: readonly Numbered[], style: Style): string[] {
  const { colors, width } = style;
  const totals = totalsOf(comparisons.map(({ gold }) => gold));
  const losses = comparisons.filter(({ gold }) => outcomeOf(gold) === "lost");
  return [
    colors.dim("─".repeat(width)),
    colors.bold(`All ${totals.questions} questions`),
    "",
    ...table(measureRows(totals)),
    "",
    ...wrap("recall@k: the share of a question's gold passages that are in the top k, on average.", width),
    ...wrap(
      `Against BM25, by gold passages in the top ${CUT}: ${totals.outcomes.won} won, ${totals.outcomes.tied} tied, ${totals.outcomes.lost} lost.`,
      width,
    ),
    "",
    ...(losses.length === 0 ? [`No question was lost.`] : [colors.bold(`Lost: where BM25 does better`)]),
    ...losses.flatMap(({ number, question, gold }) => [
      "",
      ...hang(`${String(number).padStart(2)}  `, question.question, width),
      ...gold.flatMap(({ title, trigraph, bm25 }) =>
        hang("      ", `${title}: trigraph ${rankInWords(trigraph)}, BM25 ${rankInWords(bm25)}`, width),
      ),
    ]),
    "",
  ];
}

export function renderNextSteps({ width }: Style): string[] {
  return [
    ["A question of yours:  ", 'npm start -- "Who is the father of the director of Summer Skin?"'],
    ["Your own texts:       ", 'npm start -- --corpus ./docs "a question"'],
    ["More:                 ", "npm start -- --help"],
  ].flatMap(([label, command]) => hang(label, command, width));
}

function measureRows({ questions, measures: { trigraph, bm25 } }: Totals): string[][] {
  return [
    ["", "trigraph", "BM25"],
    ["recall@2", percent(trigraph.recallAt2), percent(bm25.recallAt2)],
    ["recall@5", percent(trigraph.recallAt5), percent(bm25.recallAt5)],
    ["all gold in top 5", `${trigraph.allGoldAt5} of ${questions}`, `${bm25.allGoldAt5} of ${questions}`],
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function rankInWords(rank: number | undefined): string {
  return rank === undefined ? "not found" : `rank ${rank}`;
}

function inColor(outcome: Outcome, { colors }: Style): string {
  const text = outcome.padEnd(4);
  return outcome === "won" ? colors.green(text) : outcome === "lost" ? colors.red(text) : text;
}
