/** Recall with its interval, for each method of a comparison. */
import { dot, ruleX, ruleY, text } from "@observablehq/plot";
import type { Group, Report } from "@trigraph/evaluation";
import { picture } from "./picture.ts";
import type { Shown } from "./shown.ts";

const COLORS = { mark: "#2f6fad", worse: "#b3541e" };

interface Row {
  readonly facet: string;
  readonly method: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Mean recall at some depths over all questions, in percent, with 95 % intervals. */
export function recallChart({ groups: [all], methods }: Report, depths: readonly number[]): Shown {
  const rows = depths.flatMap((k) =>
    figuresOf(all, k).map(({ method, mean, interval: [low, high] }) => ({
      ...{ facet: `recall@${k}`, method, value: 100 * mean, low: 100 * low, high: 100 * high },
    })),
  );
  return chart(rows, {
    names: methods.map(({ name }) => name),
    label: "recall, %",
    domain: [0, 100],
  });
}

/** Recall at a depth less that of the first method, in points, for all questions and for each type. */
export function differenceChart({ groups, methods: [first, ...others] }: Report, k: number): Shown {
  const rows = groups.flatMap((group) =>
    figuresOf(group, k).flatMap(({ method, versusFirst }) => {
      if (versusFirst === null) return [];
      const [low, high] = versusFirst.interval;
      const facet = `${group.name} (${group.questions})`;
      return [{ facet, method, value: 100 * versusFirst.difference, low: 100 * low, high: 100 * high }];
    }),
  );
  return chart(rows, {
    names: others.map(({ name }) => name),
    label: `recall@${k} less that of ${first.name}, points`,
  });
}

function figuresOf(group: Group, k: number) {
  return group.measures.find(({ measure }) => measure === `recall@${k}`)?.methods ?? [];
}

interface Axes {
  readonly names: readonly string[];
  readonly label: string;
  readonly domain?: readonly [number, number];
}

function chart(rows: readonly Row[], { names, label, domain }: Axes): Shown {
  const facets = [...new Set(rows.map(({ facet }) => facet))];
  const stroke = ({ high }: Row) => (high < 0 ? COLORS.worse : COLORS.mark);
  const percent = ({ value }: Row) => value.toFixed(1);
  return picture({
    ...{
      width: 760,
      height: 74 + facets.length * (22 * names.length + 16),
      marginLeft: 150,
      marginRight: 160,
      marginBottom: 44,
    },
    x: { ...(domain === undefined ? {} : { domain }), label, grid: true, nice: true, inset: 6 },
    y: { domain: names, label: null },
    fy: { domain: facets, label: null },
    marks: [
      domain === undefined ? ruleX([0]) : null,
      ruleY(rows, { fy: "facet", y: "method", x1: "low", x2: "high", stroke, strokeWidth: 2 }),
      dot(rows, { fy: "facet", y: "method", x: "value", fill: stroke, r: 4 }),
      text(rows, { fy: "facet", y: "method", x: "value", text: percent, dy: -9, stroke: "white", fill: "#1f2328" }),
    ],
  });
}
