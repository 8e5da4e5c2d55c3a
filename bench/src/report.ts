import type { Table } from "@trigraph/evaluation/node";
import { markdownTable } from "markdown-table";
import { writeFileSync } from "node:fs";
import type { Machine } from "./machine.js";

/** Tables as Markdown, for README and DESIGN. */
export function renderMarkdown(tables: readonly Table[], machine: Machine): string {
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
