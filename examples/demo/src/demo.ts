/** The ways in which the demo runs. */
import process from "node:process";
import { wrap, type Style } from "@trigraph/console/print";
import { allPassages } from "@trigraph/console/read";
import { TriGraph } from "@trigraph/core";
import type { Arguments } from "./arguments.js";
import { readBundledCorpus, readBundledQuestions } from "./bundled.js";
import { Contest } from "./compare.js";
import { UsageError } from "./errors.js";
import { allToJson, toJson } from "./json.js";
import { openOrBuild } from "./index-cache.js";
import { promptForQuestions } from "./prompt.js";
import { renderComparison, renderLegend } from "./render.js";
import {
  renderInFull,
  renderIntroduction,
  renderLines,
  renderNextSteps,
  renderTotals,
  type Numbered,
} from "./summary.js";

export type Print = (text: string) => void;

export async function runDemo(args: Arguments, style: Style, print: Print): Promise<void> {
  const { question, corpora } = args;
  if (corpora.length === 0 && question === undefined) return showBundled(args, style, print);
  const interactive = question === undefined && !args.json && process.stdin.isTTY && process.stdout.isTTY;
  if (question === undefined && !interactive) {
    throw new UsageError(
      'expected a question to ask of your texts, such as npm start -- --corpus ./docs "a question". ' +
        "In a terminal, without --json, the demo would ask for one",
    );
  }
  const contest = corpora.length === 0 ? await bundledContest() : await contestOver(corpora);
  const where = `${contest.passages.size} ${contest.passages.size === 1 ? "passage" : "passages"} in ${corpora.length === 0 ? "the bundled corpus" : corpora.join(", ")}`;
  if (question === undefined) {
    printLines([...wrap(`${where}. An empty line ends.`, style.width), "", ...renderLegend(false, style)], print);
    return promptForQuestions(async (line) => {
      const comparison = await contest.ask({ question: line }, args.k);
      printLines(["", ...renderComparison(comparison, contest.passageOf, style)], print);
    });
  }
  const comparison = await contest.ask({ question }, args.k);
  if (args.json) return printJson({ passages: contest.passages.size, ...toJson(comparison) }, print);
  const { bold, dim } = style.colors;
  printLines(
    [
      ...wrap(`${bold(question)} ${dim(`(${where})`)}`, style.width),
      "",
      ...renderComparison(comparison, contest.passageOf, style),
      "",
      ...renderLegend(false, style),
    ],
    print,
  );
}

async function showBundled({ k, all, json }: Arguments, style: Style, print: Print): Promise<void> {
  const contest = await bundledContest();
  const questions = await readBundledQuestions();
  const judged: Numbered[] = [];
  for (const [i, question] of questions.entries()) {
    const { gold, ...comparison } = await contest.ask(question, k);
    judged.push({ ...comparison, gold: gold!, number: i + 1 });
  }
  if (json) return printJson(allToJson(contest.passages.size, judged), print);

  const inFull = all ? judged : firstOfEachType(judged);
  const others = judged.filter((each) => !inFull.includes(each));
  printLines(
    [
      ...renderIntroduction(judged.length, contest.passages.size, style),
      ...inFull.flatMap((each) => renderInFull(each, judged.length, contest.passageOf, style)),
      ...renderLines(others, style),
      ...renderTotals(judged, style),
      ...renderNextSteps(style),
    ],
    print,
  );
}

async function bundledContest(): Promise<Contest> {
  const passages = await readBundledCorpus();
  return new Contest(passages, await openOrBuild(passages));
}

async function contestOver(corpora: readonly string[]): Promise<Contest> {
  const passages = await allPassages(corpora);
  const trigraph = await TriGraph.create();
  await trigraph.upsert(passages);
  return new Contest(passages, trigraph);
}

/** What is shown in full by default: chosen before anything is known of the answers. */
function firstOfEachType(judged: readonly Numbered[]): Numbered[] {
  const typeOf = ({ question }: Numbered) => question.type;
  return judged.filter((each, i) => judged.findIndex((other) => typeOf(other) === typeOf(each)) === i);
}

function printLines(lines: readonly string[], print: Print): void {
  print(lines.map((line) => `${line}\n`).join(""));
}

function printJson(value: unknown, print: Print): void {
  print(`${JSON.stringify(value, null, 2)}\n`);
}
