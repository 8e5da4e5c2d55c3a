import type { Report, Times } from "./report.js";

/** Decimal digits that engines agree on: logarithms may differ in the last ones. */
const DIGITS = 10;

/** A report or its times as JSON, numbers to 10 significant digits. */
export function renderJson(value: Report | Times): string {
  return `${JSON.stringify(value, roundNumber, 1)}\n`;
}

function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(DIGITS)) : value;
}
