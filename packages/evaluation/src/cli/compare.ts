import { Command } from "commander";
import { compareReports, type MethodChange, type ReportComparison } from "../report/compare-reports.js";
import { readReport } from "../report/files.js";
import { formatInterval, formatP, formatPercent, formatPoints, type Table } from "../report/tables.js";
import { points, resamplingOptions } from "./options.js";
import { drawTables } from "../report/terminal.js";
import { EXIT, type Terminal } from "./terminal.js";

interface CompareOptions {
  readonly maxLoss?: number;
  readonly json: boolean;
  readonly seed: number;
  readonly resamples: number;
}

/** Rounding of a mean, in points: less is no loss. */
const ROUNDING = 1e-6;

/** `trigraph-eval compare` */
export function compareCommand(terminal: Terminal, end: (code: number) => void): Command {
  const command = new Command("compare")
    .description("what has changed from one report to another, by the questions and methods that both have")
    .argument("<before>", "a folder that run --out has written")
    .argument("<after>", "another one")
    .option("--max-loss <points>", "end with code 3 when a method's mean recall at some depth fell by more", points)
    .option("--json", "print JSON instead of tables", false);
  for (const option of resamplingOptions()) command.addOption(option);
  return command.action(async (before: string, after: string, options: CompareOptions) => {
    const { maxLoss, json, ...resampling } = options;
    const found = compareReports(await readReport(before), await readReport(after), resampling);
    terminal.out.write(json ? `${JSON.stringify(found, null, 1)}\n` : describe(found));
    const lost = maxLoss === undefined ? [] : losers(found, maxLoss);
    if (lost.length === 0) return;
    terminal.err.write(`lost more than ${maxLoss} points: ${lost.join(", ")}\n`);
    end(EXIT.lost);
  });
}

function losers({ methods }: ReportComparison, maxLoss: number): string[] {
  return methods.flatMap(({ method, measures }) =>
    measures
      .filter(({ measure, change }) => measure.startsWith("recall@") && -100 * change.difference > maxLoss + ROUNDING)
      .map(({ measure }) => `${method} ${measure}`),
  );
}

function describe(found: ReportComparison): string {
  const { questions, onlyBefore, onlyAfter, sameCorpus, methods } = found;
  const notes = [
    `${questions} questions in both`,
    ...(onlyBefore.length > 0 ? [`${onlyBefore.length} only before`] : []),
    ...(onlyAfter.length > 0 ? [`${onlyAfter.length} only after`] : []),
    ...(sameCorpus ? [] : ["the corpora differ"]),
  ];
  return `${notes.join("; ")}\n\n${drawTables(methods.map(tableOf))}`;
}

function tableOf({ method, measures }: MethodChange): Table {
  return {
    title: method,
    columns: ["", "before, %", "after, %", "change", "95 % interval", "p", "better", "equal", "worse"],
    rows: measures.map(({ measure, before, after, change }) => [
      ...[measure, formatPercent(before), formatPercent(after), formatPoints(change.difference)],
      ...[formatInterval(change), formatP(change.p), ...[change.better, change.equal, change.worse].map(String)],
    ]),
  };
}
