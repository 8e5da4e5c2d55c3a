/** The tables that terminal, Markdown and HTML show alike. */
import type { MeasureName } from "../measures/question.js";
import type { Comparison, Group, GroupMeasure, MethodFigure, Report, Times } from "./report.js";

/** A table of finished cells: the first column names the row, the others hold figures. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What the figures are. */
  readonly note?: string;
}

const NONE = "–";

/** What all tables of a report rest on, in one line. */
export function describeReport({ settings, corpus, questions }: Report): string {
  const { titles, embedder, chat } = settings;
  return [
    `${questions.length} questions over ${corpus.passages} passages ${titles ? "" : "without titles"}`.trim(),
    embedder === null ? "no embedder" : `vectors of ${embedder}`,
    ...(chat === null ? [] : [`answers of ${chat.answers} from ${chat.passages} passages, judged by ${chat.judge}`]),
    `seed ${settings.seed}`,
  ].join("; ");
}

/** All tables of a report; those of sets and types only when there are any. */
export function tablesOf(report: Report, times: Times): Table[] {
  const several = report.methods.length > 1;
  const byGroup = report.groups.length > 1;
  return [
    meansTable(report),
    ...(several ? [versusTable(report)] : []),
    ...(byGroup ? [groupsTable(report)] : []),
    timesTable(report, times),
  ];
}

/** Means of the measures over all questions. */
function meansTable({ groups: [all], methods, settings: { ks, cut } }: Report): Table {
  const shown = all.measures.filter(({ measure }) => isHeadline(measure, cut));
  const fewer = shown.filter(({ questions }) => questions < all.questions);
  return {
    title: `Means in %, recall at ${ks.join(", ")}`,
    columns: ["", ...shown.map(({ measure }) => measure)],
    rows: methodsOf(all).map((method) => [method, ...shown.map((each) => formatPercent(figureOf(each, method).mean))]),
    note: [
      "allGold: questions with all their evidence in the top. With evidence statements, recall counts statements.",
      ...fewer.map(({ measure, questions }) => `${measure}: ${questions} of ${all.questions} questions have it.`),
      ...methods
        .filter(({ unjudged }) => unjudged > 0)
        .map(({ name, unjudged }) => `${name}: ${unjudged} verdicts of the judge could not be read.`),
    ].join(" "),
  };
}

/** Recall at the cut of each method against the first. */
function versusTable({ groups: [all], settings: { cut, level } }: Report): Table {
  const recall = measureOf(all, `recall@${cut}`);
  const [first, ...others] = recall.methods;
  return {
    title: `Recall@${cut} against ${first.method}, in points`,
    columns: ["", "difference", `${formatLevel(level)} interval`, "p", "better", "equal", "worse"],
    rows: others.map(({ method, versusFirst }) => {
      const { difference, p, better, equal, worse } = versusFirst!;
      const counts = [better, equal, worse].map(String);
      return [method, formatPoints(difference), formatInterval(versusFirst!), formatP(p), ...counts];
    }),
    note: `Positive: better than ${first.method}. Interval by paired bootstrap, p by sign flips; questions counted.`,
  };
}

/** Recall at the cut for each set and type. */
function groupsTable({ groups, methods, settings: { cut } }: Report): Table {
  const name = `recall@${cut}`;
  const judged = groups.filter(({ measures }) => measures.some(({ measure }) => measure === name));
  return {
    title: `Recall@${cut} in % by kind of question`,
    columns: ["", "questions", ...methods.map((method) => method.name)],
    rows: judged.map((group) => {
      const { questions, methods: figures } = measureOf(group, name);
      return [labelOf(group), String(questions), ...figures.map(groupCell)];
    }),
    note: `* the interval of the difference from ${methods[0].name} does not hold 0.`,
  };
}

/** Indexing, latency and size. */
function timesTable({ methods }: Report, { embedding, methods: times }: Times): Table {
  return {
    title: "Time and space",
    columns: ["", "indexing, s", "p50, ms", "p95, ms", "p50 w/o embedding", "p95 w/o embedding", "index, MB"],
    rows: methods.map(({ name, bytes }, i) => {
      const { index, query, queryWithoutEmbedding: rest } = times[i];
      const parts = [query.p50, query.p95, rest?.p50, rest?.p95].map(formatMilliseconds);
      return [name, (index / 1000).toFixed(2), ...parts, bytes === null ? NONE : (bytes / 1e6).toFixed(1)];
    }),
    note: [
      ...(embedding === null ? [] : [`Embedding the passages took ${(embedding / 1000).toFixed(1)} s, once for all.`]),
      "Size in memory for trigraph, as saved for others; not all can tell.",
    ].join(" "),
  };
}

/** What a group is called in tables. */
export function labelOf({ by, name }: Pick<Group, "by" | "name">): string {
  return by === "all" ? "all" : `${by} ${name}`;
}

/** @throws RangeError when the group has no such measure */
export function measureOf({ measures }: Group, name: MeasureName): GroupMeasure {
  const found = measures.find(({ measure }) => measure === name);
  if (found === undefined) throw new RangeError(`the group has no ${name}`);
  return found;
}

export function formatPercent(share: number): string {
  return (share * 100).toFixed(1);
}

export function formatPoints(share: number): string {
  const points = formatPercent(share);
  return share > 0 ? `+${points}` : points;
}

export function formatInterval({ interval: [low, high] }: Pick<Comparison, "interval">): string {
  return `${formatPoints(low)} … ${formatPoints(high)}`;
}

export function formatP(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

function formatLevel(level: number): string {
  return `${Math.round(level * 100)} %`;
}

function groupCell({ mean, versusFirst }: MethodFigure): string {
  if (versusFirst === null) return formatPercent(mean);
  const [low, high] = versusFirst.interval;
  return `${formatPercent(mean)}${low > 0 || high < 0 ? "*" : ""}`;
}

/** Measures at other depths than the cut are in the JSON; recall is shown at all. */
function isHeadline(measure: MeasureName, cut: number): boolean {
  return measure.startsWith("recall@") || !measure.includes("@") || measure.endsWith(`@${cut}`);
}

function methodsOf({ measures: [first] }: Group): string[] {
  return first.methods.map(({ method }) => method);
}

function figureOf({ methods }: GroupMeasure, name: string): MethodFigure {
  return methods.find(({ method }) => method === name)!;
}

function formatMilliseconds(value: number | undefined): string {
  if (value === undefined) return NONE;
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
