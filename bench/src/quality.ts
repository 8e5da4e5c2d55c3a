import type { Passage } from "@trigraph/core";
import { needsSeveral, placesOf, type Question } from "@trigraph/evaluation";
import type { Table } from "@trigraph/evaluation/node";
import { SET_NAMES, TITLES, type DataFolder, type SetName } from "./data-sets.js";
import type { Method } from "./methods.js";
import { DEPTH, meanRecall, questionRecall, type Ranking, type Recall } from "./rankings.js";
import { formatPercent, note } from "./report.js";

export interface QualityOptions {
  /** Drop the field `title` of all passages. */
  readonly withoutTitles: boolean;
  /** Only the first questions of each set, and no mix. */
  readonly quick: boolean;
  /** How many failing questions of each column to keep, of each method. */
  readonly failures: number;
}

/** What one method reaches on one set of questions. */
export interface QualityResult {
  readonly method: string;
  readonly column: string;
  readonly questions: number;
  readonly recall: Recall;
  readonly failures: readonly Failure[];
}

/** A question of which not all evidence is among the first five. */
export interface Failure {
  readonly question: string;
  readonly recallAt5: number;
  /** Titles of the gold passages. */
  readonly gold: readonly Hit[];
  readonly returned: readonly Hit[];
}

export interface Hit {
  readonly title: string;
  /** Of a gold passage: it is among the first five. Of a returned one: it is gold. */
  readonly right: boolean;
}

export interface QualityReport {
  readonly titles: boolean;
  readonly results: readonly QualityResult[];
}

/** Questions and the corpus they are asked of. */
interface Task {
  readonly passages: readonly Passage[];
  readonly columns: readonly { readonly name: string; readonly questions: readonly Question[] }[];
}

const QUICK_QUESTIONS = 60;

/** Recall of each method on each data set. One index serves all questions asked of a corpus. */
export async function measureQuality(
  data: DataFolder,
  methods: readonly Method[],
  options: QualityOptions,
): Promise<QualityReport> {
  const results: QualityResult[] = [];
  for (const task of readTasks(data, options)) {
    const byId = new Map(task.passages.map((passage) => [passage.id, passage]));
    const passages = options.withoutTitles ? task.passages.map(({ id, text }) => ({ id, text })) : task.passages;
    for (const method of methods) {
      const searcher = await method.build(passages);
      for (const { name, questions } of task.columns) {
        const rankings: Ranking[] = [];
        for (const question of questions) {
          rankings.push({ question, ids: await searcher.search(question.question, DEPTH) });
        }
        const recall = meanRecall(rankings);
        note(`${method.name}, ${name}: ${cell(recall)}`);
        const failures = failuresOf(rankings, byId).slice(0, options.failures);
        results.push({ method: method.name, column: name, questions: questions.length, recall, failures });
      }
      await searcher.close();
    }
  }
  return { titles: !options.withoutTitles, results };
}

function* readTasks(data: DataFolder, { quick }: QualityOptions): Generator<Task> {
  for (const name of SET_NAMES) {
    const { passages, questions } = data.readSet(name);
    const asked = quick ? questions.slice(0, QUICK_QUESTIONS) : questions;
    const columns = [{ name: TITLES[name], questions: asked }];
    if (name === "novel") columns.push({ name: "novel, 2+ passages", questions: asked.filter(needsSeveral) });
    yield { passages, columns };
  }
  if (quick) return;
  const { passages, questions } = data.readMix();
  const mixed: readonly SetName[] = ["hotpotqa", "musique"];
  yield {
    passages,
    columns: mixed.map((name) => ({ name: `${TITLES[name]} in mix`, questions: questions.get(name) ?? [] })),
  };
}

function failuresOf(rankings: readonly Ranking[], passages: ReadonlyMap<string, Passage>): Failure[] {
  const titleOf = (id: string) => {
    const passage = passages.get(id);
    return `${passage?.title ?? passage?.text.slice(0, 40) ?? "?"} [${id}]`;
  };
  const failures: Failure[] = [];
  for (const ranking of rankings) {
    const recallAt5 = questionRecall(5, ranking);
    if (recallAt5 === 1) continue;
    const top = ranking.ids.slice(0, 5);
    const gold = [...new Set(placesOf(ranking.question).flat())];
    failures.push({
      question: ranking.question.question,
      recallAt5,
      gold: gold.map((id) => ({ title: titleOf(id), right: top.includes(id) })),
      returned: top.map((id) => ({ title: titleOf(id), right: gold.includes(id) })),
    });
  }
  return failures;
}

/** A row for each method, a column for each set of questions. */
export function qualityTables({ titles, results }: QualityReport): Table[] {
  const columns = [...new Map(results.map(({ column, questions }) => [column, `${column} (${questions})`]))];
  const methods = [...new Set(results.map(({ method }) => method))];
  const rows = methods.map((method) => [
    method,
    ...columns.map(([name]) => {
      const result = results.find((each) => each.method === method && each.column === name);
      return result === undefined ? "–" : cell(result.recall);
    }),
  ]);
  return [
    {
      title: `Recall@2 / @5 / @10 in %, ${titles ? "with titles" : "without titles"}`,
      columns: ["", ...columns.map(([, heading]) => heading)],
      rows,
      note: "In brackets how many questions. novel: evidence recall, the share of the placed statements.",
    },
  ];
}

/** The failing questions, one block each. */
export function renderFailures({ results }: QualityReport): string {
  const blocks = results.flatMap(({ method, column, failures }) =>
    failures.map(({ question, recallAt5, gold, returned }) =>
      [
        `${column}, ${method}: recall@5 ${formatPercent(recallAt5)}`,
        `  ${question}`,
        ...gold.map(({ title, right }) => `    gold ${right ? "+" : "-"} ${title}`),
        ...returned.map(({ title, right }, i) => `       ${i + 1} ${right ? "+" : " "} ${title}`),
      ].join("\n"),
    ),
  );
  return blocks.join("\n\n");
}

function cell({ at2, at5, at10 }: Recall): string {
  return [at2, at5, at10].map(formatPercent).join(" / ");
}
