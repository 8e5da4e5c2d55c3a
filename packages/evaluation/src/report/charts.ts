/** Charts as SVG, drawn by Observable Plot when the report is written. Lines and letters have the page's colour. */
import type { Report, Times } from "./report.js";
import { labelOf, measureOf } from "./tables.js";

export interface Charts {
  /** Recall of each method at each depth, with intervals. */
  readonly recall: string;
  /** Recall at the cut of the other methods less the first's, with intervals, for each group; undefined for one method. */
  readonly difference: string | undefined;
  /** p50 and p95 of a question. */
  readonly latency: string;
}

/** Mid-tones that stand out from white and from black. */
const MARK = "#3f7fbf";
const WARN = "#cf6a32";

/** Pixels: of the part between the labels, of letters, and what a letter takes at most on average. */
const PLOT_WIDTH = 520;
const FONT_SIZE = 12;
const LETTER_WIDTH = 7.2;
/** Between a label and what it stands beside. */
const GAP = 16;
/** So that dots at the ends are whole. */
const INSET = 6;
/** Characters of a facet's label. */
const LONGEST_LABEL = 28;

export async function drawCharts(report: Report, times: Times): Promise<Charts> {
  // Both are heavy, and ES modules only.
  const [Plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom")]);
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const names = report.methods.map(({ name }) => name);
  const atDepths = recallPoints(report);
  const recall = Plot.plot({
    ...layoutFor(atDepths),
    height: 70 + report.settings.ks.length * (20 + 18 * names.length),
    x: { domain: [0, 100], inset: INSET, label: "recall, %", grid: true },
    y: { domain: names, label: null },
    fy: facets(atDepths),
    marks: intervalMarks(atDepths),
  });
  const latencies = times.methods.map(({ method, query }) => ({
    method,
    p50: floor(query.p50),
    p95: floor(query.p95),
  }));
  const latency = Plot.plot({
    ...layoutFor([]),
    height: 70 + 18 * names.length,
    x: { type: "log", inset: INSET, label: "milliseconds a question: dot p50, line to p95", grid: true },
    y: { domain: names, label: null },
    marks: [
      Plot.ruleY(latencies, { y: "method", x1: "p50", x2: "p95", stroke: MARK }),
      Plot.dot(latencies, { y: "method", x: "p50", fill: MARK, r: 4 }),
    ],
  });
  return {
    recall: recall.outerHTML,
    difference: names.length < 2 ? undefined : difference(),
    latency: latency.outerHTML,
  };

  function difference(): string {
    const points = differencePoints(report);
    const groups = new Set(points.map(({ facet }) => facet)).size;
    const plot = Plot.plot({
      ...layoutFor(points),
      height: 70 + groups * (20 + 18 * (names.length - 1)),
      x: { inset: INSET, label: `recall@${report.settings.cut} less that of ${names[0]}, points`, grid: true },
      y: { domain: names.slice(1), label: null },
      fy: facets(points),
      marks: [Plot.ruleX([0]), ...intervalMarks(points)],
    });
    return plot.outerHTML;
  }

  /** As much room beside the plot as the methods' names on the left and the facets' on the right need. */
  function layoutFor(points: readonly Point[]) {
    const marginLeft = GAP + widthOf(names);
    const marginRight = GAP + widthOf(points.map(({ facet }) => shortened(facet)));
    const style = { fontSize: `${FONT_SIZE}px` };
    return { document, style, width: marginLeft + PLOT_WIDTH + marginRight, marginLeft, marginRight, marginBottom: 42 };
  }

  function intervalMarks(points: readonly Point[]) {
    const stroke = (d: Point) => (d.high < 0 ? WARN : MARK);
    return [
      Plot.ruleY(points, { fy: "facet", y: "method", x1: "low", x2: "high", stroke, strokeWidth: 2 }),
      Plot.dot(points, { fy: "facet", y: "method", x: "value", fill: stroke, r: 4 }),
    ];
  }
}

/** Facets in the order of the points, where Plot would sort them; long names of files and types shortened. */
function facets(points: readonly Point[]) {
  return { label: null, domain: [...new Set(points.map(({ facet }) => facet))], tickFormat: shortened };
}

function shortened(label: string): string {
  return label.length > LONGEST_LABEL ? `…${label.slice(1 - LONGEST_LABEL)}` : label;
}

/** Of the longest, in pixels; no browser is there to measure it. */
function widthOf(labels: readonly string[]): number {
  return Math.max(0, ...labels.map((label) => Math.ceil(label.length * LETTER_WIDTH)));
}

/** A value with its interval, in percent. */
interface Point {
  readonly facet: string;
  readonly method: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

function recallPoints({ groups: [all], settings: { ks } }: Report): Point[] {
  return ks.flatMap((k) =>
    measureOf(all, `recall@${k}`).methods.map(({ method, mean, interval: [low, high] }) => ({
      ...{ facet: `@${k}`, method, value: 100 * mean, low: 100 * low, high: 100 * high },
    })),
  );
}

function differencePoints({ groups, settings: { cut } }: Report): Point[] {
  const name = `recall@${cut}`;
  return groups.flatMap((group) => {
    const judged = group.measures.find(({ measure }) => measure === name);
    if (judged === undefined) return [];
    return judged.methods.flatMap(({ method, versusFirst }) => {
      if (versusFirst === null) return [];
      const [low, high] = versusFirst.interval;
      const facet = `${labelOf(group)} (${judged.questions})`;
      return [{ facet, method, value: 100 * versusFirst.difference, low: 100 * low, high: 100 * high }];
    });
  });
}

/** A logarithmic scale has no zero; clocks do not tell less than this. */
function floor(milliseconds: number): number {
  return Math.max(milliseconds, 0.001);
}
