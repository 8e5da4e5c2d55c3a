import type { Spread } from "./measures.js";
import { formatCount, formatMB, formatNumber, formatPercent, type ReportTable } from "./report.js";
import type { SpeedReport } from "./speed.js";

/** A column for each corpus, a row for each figure. */
export function speedTables(reports: readonly SpeedReport[]): ReportTable[] {
  const columns = ["", ...reports.map(({ corpus, passages }) => `${formatCount(passages)} ${corpus}`)];
  const table = (title: string, figures: readonly Figure[], note?: string): ReportTable => ({
    title,
    columns,
    rows: figures.map(([name, cell]) => [name, ...reports.map(cell)]),
    ...(note === undefined ? {} : { note }),
  });
  return [
    table("Building", BUILDING, "On one core, in memory. In brackets the least and the most of several runs."),
    table("Space, MB", SPACE, "In the process: what opening the saved index adds after garbage collection."),
    table("Asking, ms a question", ASKING, "After a warm-up; k = 5; no embedder. Stages are means."),
    table("Changing one passage, ms", CHANGING, "Median (least – most). On disk: durable when done."),
    ...growthTables(reports),
  ];
}

type Figure = readonly [name: string, cell: (report: SpeedReport) => string];

const BUILDING: readonly Figure[] = [
  ["passages / s", ({ build }) => rate(build.passagesPerSecond)],
  ["words / s", ({ build }) => rate(build.wordsPerSecond)],
  ["words a passage", ({ words, passages }) => formatNumber(words / passages)],
  ["sentences a passage", ({ sentences, passages }) => formatNumber(sentences / passages)],
  ["entities a passage", ({ entities, passages }) => formatNumber(entities / passages)],
  ["terms", ({ terms }) => formatCount(terms)],
  ["segments", ({ build }) => formatCount(build.segments)],
  ["merge, s", ({ build }) => seconds(build.merge)],
  ["save, s", ({ build }) => formatNumber(build.save / 1000)],
  ["open, s", ({ open }) => seconds(open)],
  ["peak memory, MB", ({ build }) => formatMB(build.peakRss)],
];

const SPACE: readonly Figure[] = [
  ["on disk", ({ space }) => formatMB(space.disk)],
  ["in arrays", ({ space }) => formatMB(space.arrays)],
  ["in the process: array buffers", ({ space }) => formatMB(space.opened.arrayBuffers)],
  ["in the process: heap", ({ space }) => formatMB(space.opened.heap)],
  ["in the process: resident", ({ space }) => formatMB(space.opened.rss)],
  ["bytes a passage, in arrays", ({ space, passages }) => formatCount(space.arrays / passages)],
];

const ASKING: readonly Figure[] = [
  ["questions", ({ query }) => formatCount(query.questions)],
  ["p50", ({ query }) => figure(query.p50)],
  ["p95", ({ query }) => figure(query.p95)],
  ["mean", ({ query }) => figure(query.mean)],
  ["p50 before merge", ({ query }) => formatNumber(query.p50Unmerged)],
  ["  analyze", ({ query }) => formatNumber(query.stages.analyze)],
  ["  similarity", ({ query }) => formatNumber(query.stages.similarity)],
  ["  seeds", ({ query }) => formatNumber(query.stages.seeds)],
  ["  activation", ({ query }) => formatNumber(query.stages.activation)],
  ["  reset", ({ query }) => formatNumber(query.stages.reset)],
  ["  pagerank", ({ query }) => formatNumber(query.stages.pagerank)],
  ["  rank", ({ query }) => formatNumber(query.stages.rank)],
  ["seeds a question", ({ query }) => formatNumber(query.seeds)],
  ["activated entities", ({ query }) => formatNumber(query.activatedEntities)],
  ["sentences read", ({ query }) => formatCount(query.sentencesRead)],
  ["edges", ({ query }) => formatCount(query.edges)],
  ["recall@2 / @5, %", ({ query }) => `${formatPercent(query.recall.at2)} / ${formatPercent(query.recall.at5)}`],
];

const CHANGING: readonly Figure[] = [
  ["upsert, in memory", ({ change }) => figure(change.upsertInMemory)],
  ["delete, in memory", ({ change }) => figure(change.deleteInMemory)],
  ["upsert, on disk", ({ change }) => figure(change.upsertOnDisk)],
  ["delete, on disk", ({ change }) => figure(change.deleteOnDisk)],
];

/** How the median question's time grows from about 30,000 passages to the largest generated corpus. */
function growthTables(reports: readonly SpeedReport[]): ReportTable[] {
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
        formatNumber(largest.query.p50.min / query.p50.min),
      ]),
    },
  ];
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
