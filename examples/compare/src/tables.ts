import { needsSeveral, placesOf, type Question, type Report } from "@trigraph/evaluation";
import type { Table } from "@trigraph/evaluation/node";
import { ANSWER_PASSAGES } from "./answers.js";

/** @param accuracies contain accuracy by method */
export function tablesOf(
  report: Report,
  questions: readonly Question[],
  accuracies: ReadonlyMap<string, number>,
): Table[] {
  return [summary(report, accuracies), byQuestion(report, questions)];
}

function summary({ methods, groups: [all], settings }: Report, accuracies: ReadonlyMap<string, number>): Table {
  const figures = new Map(all.measures.map(({ measure, methods }) => [measure, methods]));
  const recalls = settings.ks.map((k) => figures.get(`recall@${k}`)!);
  const atCut = figures.get(`recall@${settings.cut}`)!;
  return {
    title: `Means in %, over ${all.questions} questions`,
    columns: [
      "",
      ...settings.ks.map((k) => `recall@${k}`),
      "contain accuracy",
      `recall@${settings.cut} less the first's`,
    ],
    rows: methods.map(({ name }, m) => [
      name,
      ...recalls.map((recall) => percent(recall[m].mean)),
      percent(accuracies.get(name)),
      difference(atCut[m].versusFirst),
    ]),
    note:
      `Recall: statements of the evidence that the first passages hold. Contain accuracy: answers made from the first ` +
      `${ANSWER_PASSAGES} passages that contain the right one.\nDifferences in points, with their 95 % interval.`,
  };
}

function byQuestion({ methods, questions: asked, settings: { cut } }: Report, questions: readonly Question[]): Table {
  const count = (share: number | undefined, of: number) =>
    share === undefined ? "–" : `${Math.round(share * of)}/${of}`;
  return {
    title: `Statements of the evidence in the first ${cut} passages; * takes more than one passage`,
    columns: ["", ...methods.map(({ name }) => name)],
    rows: questions.map((question, q) => [
      `${needsSeveral(question) ? "*" : " "} ${question.question}`,
      ...asked[q].methods.map(({ measures }) => count(measures[`recall@${cut}`], placesOf(question).length)),
    ]),
  };
}

function percent(share: number | undefined): string {
  return share === undefined ? "–" : (share * 100).toFixed(1);
}

function difference(versus: Report["groups"][0]["measures"][0]["methods"][0]["versusFirst"]): string {
  if (versus === null) return "–";
  const points = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(1)}`;
  const [low, high] = versus.interval;
  return `${points(versus.difference)} (${points(low)} … ${points(high)})`;
}
