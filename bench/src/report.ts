import Table from "cli-table3";
import { markdownTable } from "markdown-table";
import { writeFileSync } from "node:fs";
import type { Machine } from "./machine.js";

/** A table of finished cells: the first column names the row, the others hold figures. */
export interface ReportTable {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What the figures are. */
  readonly note?: string;
}

/** Tables with aligned columns for the terminal. */
export function renderTerminal(tables: readonly ReportTable[]): string {
  return tables
    .map((table) => `${table.title}\n${drawTable(table)}${table.note ? `\n${table.note}` : ""}\n`)
    .join("\n");
}

/** The same as Markdown, for README and DESIGN. */
export function renderMarkdown(tables: readonly ReportTable[], machine: Machine): string {
  const parts = tables.map(({ title, columns, rows, note }) => {
    const table = markdownTable([columns, ...rows], { align: columns.map((_, i) => (i === 0 ? "l" : "r")) });
    return `**${title}**\n\n${table}\n${note ? `\n${note}\n` : ""}`;
  });
  return [...parts, `${describe(machine)}\n`].join("\n");
}

export function describe({ cpu, cores, memoryGB, platform, node, date }: Machine): string {
  return `${date}, Node ${node}, ${platform}, ${cores} cores of ${cpu}, ${memoryGB} GB.`;
}

export function writeJson(file: string, report: object): void {
  writeFileSync(file, `${JSON.stringify(report, roundNumber, 2)}\n`);
}

function drawTable({ columns, rows }: ReportTable): string {
  const none = "";
  const table = new Table({
    head: [...columns],
    colAligns: columns.map((_, i) => (i === 0 ? "left" : "right")),
    chars: {
      ...{ top: none, "top-mid": none, "top-left": none, "top-right": none },
      ...{ bottom: none, "bottom-mid": none, "bottom-left": none, "bottom-right": none },
      ...{ left: none, "left-mid": none, mid: none, "mid-mid": none, right: none, "right-mid": none },
      middle: " ",
    },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 1 },
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
}

/** Six significant digits: more says nothing, and makes files hard to compare. */
function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Three significant digits, as far as they are behind the point. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function formatPercent(share: number): string {
  return Number.isFinite(share) ? (share * 100).toFixed(1) : "–";
}

export function formatMB(bytes: number): string {
  return formatNumber(bytes / 1e6);
}

/** Notes on standard error how far a long run has come; standard output holds the results alone. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
