import type { Table } from "@trigraph/evaluation/node";
import type { ThreadedBuild } from "./build-speed.js";
import type { Spread } from "./measures.js";
import { formatCount, formatMB, formatNumber, formatPercent } from "./report.js";
import type { SpeedReport } from "./speed.js";
import { ADDED, COMMITS, type Phase, type PhaseReport, PHASES } from "./storage-speed.js";

/** A column for each corpus, a row for each figure. */
export function speedTables(reports: readonly SpeedReport[]): Table[] {
  const columns = ["", ...reports.map(({ corpus, passages }) => `${formatCount(passages)} ${corpus}`)];
  const table = (title: string, figures: readonly Figure[], note?: string): Table => ({
    title,
    columns,
    rows: figures.map(([name, cell]) => [name, ...reports.map(cell)]),
    ...(note === undefined ? {} : { note }),
  });
  return [
    table("Building", BUILDING, "On one core, in memory. Of several runs the median, least and most."),
    ...(reports.some(({ build }) => build.threaded !== undefined)
      ? [table("Building with worker threads", THREADED, "And without, in turn: the better of two runs each.")]
      : []),
    table("Space, MB", SPACE, "After garbage collection."),
    table(
      "Asking, ms a question",
      ASKING,
      "After a warm-up; k = 5; no embedder. Of each question the least time of several runs. Stages: means.",
    ),
    table("Work a question, mean", WORK),
    table(
      "Changing one passage, ms",
      CHANGING,
      `Median (least – most) of 20, beside merges of ${ADDED}. On disk: durable when done.`,
    ),
    ...reports.map(storageTable),
    table(
      "Asking while a merge runs in the background, ms",
      BESIDE_MERGE,
      "Median (least – most); with the wait for a turn.",
    ),
    ...growthTables(reports),
  ];
}

type Figure = readonly [name: string, cell: (report: SpeedReport) => string];

const BUILDING: readonly Figure[] = [
  ["passages / s", ({ build }) => rate(build.passagesPerSecond)],
  ["words / s", ({ build }) => rate(build.wordsPerSecond)],
  ["passages / s of processor time", ({ build }) => rate(build.passagesPerCpuSecond)],
  ["words a passage", ({ build, passages }) => formatNumber(build.words / passages)],
  ["sentences a passage", ({ build, passages }) => formatNumber(build.sentences / passages)],
  ["entities a passage", ({ build, passages }) => formatNumber(build.entities / passages)],
  ["terms", ({ build }) => formatCount(build.terms)],
  ["segments before merge", ({ build }) => formatCount(build.segments)],
  ["merge, s", ({ build }) => seconds(build.merge)],
  ["save, s", ({ build }) => formatNumber(build.save / 1000)],
  ["open, s", ({ query }) => formatNumber(query.open / 1000)],
];

const THREADED: readonly Figure[] = [
  ["threads", threaded(({ threads }) => formatCount(threads))],
  ["passages / s", threaded(({ passagesPerSecond }) => formatCount(passagesPerSecond))],
  ["without", threaded(({ passagesPerSecondAlone }) => formatCount(passagesPerSecondAlone))],
  ["faster by", threaded((each) => formatNumber(each.passagesPerSecond / each.passagesPerSecondAlone))],
  ["processor time by that without", threaded(({ cpuRatio }) => formatNumber(cpuRatio))],
];

const SPACE: readonly Figure[] = [
  ["on disk", ({ build }) => formatMB(build.diskBytes)],
  ["arrays", ({ build }) => formatMB(build.arrayBytes)],
  ["arrays, bytes a passage", ({ build, passages }) => formatCount(build.arrayBytes / passages)],
  ["opening adds: array buffers", ({ query }) => formatMB(query.opened.arrayBuffers)],
  ["opening adds: heap", ({ query }) => formatMB(query.opened.heap)],
  ["opening adds: resident", ({ query }) => formatMB(query.opened.rss)],
  ["whole process, resident", ({ query }) => formatMB(query.process.rss)],
  ["most while building, resident", ({ build }) => formatMB(build.peakRss)],
];

const ASKING: readonly Figure[] = [
  ["questions", ({ query }) => formatCount(query.questions)],
  ["p50", ({ query }) => formatNumber(query.p50)],
  ["p95", ({ query }) => formatNumber(query.p95)],
  ["mean", ({ query }) => formatNumber(query.mean)],
  ["p50 of stages 1 and 2 alone", ({ query }) => formatNumber(query.p50WithoutFusion)],
  ["p50 by that", ({ query }) => formatNumber(query.p50 / query.p50WithoutFusion)],
  ["p50 of single runs", ({ query }) => figure(query.p50OfRuns)],
  ["p50 before merge", ({ build }) => formatNumber(build.p50Unmerged)],
  ["analyze", ({ query }) => formatNumber(query.stages.analyze)],
  ["similarity", ({ query }) => formatNumber(query.stages.similarity)],
  ["seeds", ({ query }) => formatNumber(query.stages.seeds)],
  ["activation", ({ query }) => formatNumber(query.stages.activation)],
  ["reset", ({ query }) => formatNumber(query.stages.reset)],
  ["pagerank", ({ query }) => formatNumber(query.stages.pagerank)],
  ["fusion", ({ query }) => formatNumber(query.stages.fusion)],
  ["rank", ({ query }) => formatNumber(query.stages.rank)],
];

const WORK: readonly Figure[] = [
  ["seeds", ({ query }) => formatNumber(query.work.seeds)],
  ["activated entities", ({ query }) => formatNumber(query.work.activatedEntities)],
  ["sentences read", ({ query }) => formatCount(query.work.sentencesRead)],
  ["edges of push", ({ query }) => formatCount(query.work.edges)],
  ["recall@2 / @5, %", ({ query }) => `${formatPercent(query.recall.at2)} / ${formatPercent(query.recall.at5)}`],
];

const CHANGING: readonly Figure[] = [
  ["upsert, in memory", ({ build }) => figure(build.changes.upsert)],
  ["delete, in memory", ({ build }) => figure(build.changes.delete)],
  ["upsert, on disk", ({ query }) => figure(query.changes.upsert)],
  ["delete, on disk", ({ query }) => figure(query.changes.delete)],
  ["upsert, on disk, beside the merges that indexing left", ({ storage }) => optional(storage.add.each)],
];

const BESIDE_MERGE: readonly Figure[] = [
  ["a question", ({ storage }) => optional(storage.background.each)],
  ["a question of an index as indexing left it, alone", ({ storage }) => optional(storage.open.each)],
];

const PHASE_NAMES: Readonly<Record<Phase, string>> = {
  index: `index, in ${COMMITS} commits`,
  open: "open",
  add: `add ${ADDED} passages, one by one`,
  delete: "delete every tenth",
  merge: "merge",
  background: "merge in the background, 55 % being dead",
};

/** What the phases take, a row each. */
function storageTable({ corpus, passages, storage }: SpeedReport): Table {
  const row = (phase: Phase, { took, longestWait, peakRss, segments, diskBytes }: PhaseReport) => [
    PHASE_NAMES[phase],
    formatNumber(took / 1000),
    longestWait === undefined ? "" : formatNumber(longestWait),
    formatMB(peakRss),
    formatCount(segments),
    formatMB(diskBytes),
  ];
  return {
    title: `In a folder: ${formatCount(passages)} ${corpus}`,
    columns: ["", "s", "others wait at most, ms", "resident at most, MB", "segments after", "on disk after, MB"],
    rows: PHASES.map((phase) => row(phase, storage[phase])),
    note: "One after the other, each in a process of its own that opens the index first. Others wait: for a turn of the event loop.",
  };
}

function optional(each: Spread | undefined): string {
  return each === undefined ? "" : figure(each);
}

/** How the median question's time grows from about 30,000 passages to the largest generated corpus. */
function growthTables(reports: readonly SpeedReport[]): Table[] {
  const largest = reports.reduce((a, b) => (b.passages > a.passages ? b : a));
  const bases = reports.filter(({ passages }) => passages > 20_000 && passages < 40_000);
  if (bases.length === 0 || largest.passages < 100_000) return [];
  return [
    {
      title: `Growth of the median question's time to ${formatCount(largest.passages)} passages`,
      columns: ["from", "passages ×", "time ×"],
      rows: bases.map(({ corpus, passages, query }) => [
        `${formatCount(passages)} ${corpus}`,
        formatNumber(largest.passages / passages),
        formatNumber(largest.query.p50 / query.p50),
      ]),
    },
  ];
}

function threaded(cell: (build: ThreadedBuild) => string): Figure[1] {
  return ({ build }) => (build.threaded === undefined ? "" : cell(build.threaded));
}

function rate({ min, median, max }: Spread): string {
  return min === max ? formatCount(median) : `${formatCount(median)} (${formatCount(min)} – ${formatCount(max)})`;
}

function figure({ min, median, max }: Spread): string {
  const [low, middle, high] = [min, median, max].map(formatNumber);
  return low === high ? middle : `${middle} (${low} – ${high})`;
}

function seconds({ min, median, max }: Spread): string {
  return figure({ min: min / 1000, median: median / 1000, max: max / 1000 });
}
