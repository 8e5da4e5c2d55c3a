import { hang, oneLine, renderEvidence, titleOf, type Style } from "@trigraph/console/print";
import type { Evidence, RetrievedPassage } from "@trigraph/core";
import { Command } from "commander";
import { ask, askOptions, type AskOptions, type Found } from "../ask.js";
import { SHOWN_SHARES } from "../defaults.js";
import type { Terminal } from "../terminal.js";

const HELP = `
path  how the passage was reached: from a name in the question, from name to name; "here" is the passage
via   the text in which two names of the path meet; #1 is the passage at rank 1
says  the passage's sentence that is closest to the question
1, 2  what stages 1 and 2, activation and PageRank, carried along the path
3     what moved the passage most in stage 3, in log-odds; the passage's score is their probability`;

/** `trigraph explain` */
export function explainCommand(terminal: Terminal, end: (code: number) => void): Command {
  return askOptions(new Command("explain").description("the same passages, each with the path that led to it"))
    .addHelpText("after", HELP)
    .action(async (words: string[], options: AskOptions) => {
      await ask(words, options, { explain: true, render: renderReasons }, terminal, end);
    });
}

function renderReasons({ question, hits, passageOf }: Found, style: Style): string[] {
  const { colors, width } = style;
  const shown = { ranks: new Map(hits.map(({ passage, rank }) => [passage.id, rank])), quotes: new Map() };
  return hits.flatMap((hit) => [
    ...hang(
      `${hit.rank}. `,
      `${colors.bold(oneLine(titleOf(hit.passage)))} ${colors.dim(oneLine(hit.passage.id))}`,
      width,
    ),
    ...renderEvidence(question, hit, shown, passageOf, style),
    ...renderScores(hit, style),
  ]);
}

function renderScores({ evidence, score }: RetrievedPassage, { colors, width }: Style): string[] {
  if (evidence === undefined) return [];
  const line = (label: string, text: string) => hang(`    ${colors.dim(label.padEnd(4))} `, text, width);
  const { fusion } = evidence;
  const shares = (fusion?.shares ?? [])
    .slice(0, SHOWN_SHARES)
    .map(({ feature, logOdds }) => `${feature} ${logOdds < 0 ? "−" : "+"}${Math.abs(logOdds).toFixed(2)}`);
  return [
    ...line("1, 2", describePath(evidence)),
    ...line(
      "3",
      fusion === undefined ? `not judged; score ${figure(score)}` : `${figure(score)}: ${shares.join(", ")}`,
    ),
  ];
}

function describePath(evidence: Evidence): string {
  if (evidence.via !== "graph") return `similarity ${figure(evidence.similarity)}`;
  const { seed, steps, arrival } = evidence;
  const start =
    seed.kind === "entity"
      ? `${seed.entity} ${figure(seed.activation)}`
      : `${seed.entity}, similarity ${figure(seed.similarity)}`;
  const along = steps.map(({ to, contribution }) => `${to.entity} ${figure(contribution)}`);
  return `${[start, ...along].join(" → ")} → here, by ${arrival.by} ${figure(arrival.contribution)}`;
}

/** Three digits: shares of mass may be small. */
function figure(number: number): string {
  return String(Number(number.toPrecision(3)));
}
