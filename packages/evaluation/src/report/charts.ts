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

const WIDTH = 760;
const LABELS = 170;
/** Characters that fit beside a facet. */
const LONGEST_LABEL = 28;

export async function drawCharts(report: Report, times: Times): Promise<Charts> {
  // Both are heavy, and ES modules only.
  const [Plot, { parseHTML }] = await Promise.all([import("@observablehq/plot"), import("linkedom")]);
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const names = report.methods.map(({ name }) => name);
  const layout = { document, width: WIDTH, marginLeft: LABELS, marginRight: 60 };

  const atDepths = recallPoints(report);
  const recall = Plot.plot({
    ...layout,
    height: 70 + report.settings.ks.length * (20 + 18 * names.length),
    x: { domain: [0, 100], label: "recall, %", grid: true },
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
    ...layout,
    height: 70 + 18 * names.length,
    x: { type: "log", label: "milliseconds a question: dot p50, line to p95", grid: true },
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
      ...layout,
      marginRight: 160,
      width: WIDTH + 100,
      height: 70 + groups * (20 + 18 * (names.length - 1)),
      x: { label: `recall@${report.settings.cut} less that of ${names[0]}, points`, grid: true },
      y: { domain: names.slice(1), label: null },
      fy: facets(points),
      marks: [Plot.ruleX([0]), ...intervalMarks(points)],
    });
    return plot.outerHTML;
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
  const tickFormat = (name: string) => (name.length > LONGEST_LABEL ? `…${name.slice(1 - LONGEST_LABEL)}` : name);
  return { label: null, domain: [...new Set(points.map(({ facet }) => facet))], tickFormat };
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
