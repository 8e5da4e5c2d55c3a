/** Blocks of lines of a known width. Widths count terminal columns: an ideograph has two, a colour code none. */
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** The text in lines of at most the given width. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(width, 1), { hard: true }).split("\n");
}

/** The text beside its label, wrapped lines under the first. */
export function hang(label: string, text: string, width: number): string[] {
  const indent = stringWidth(label);
  return wrap(text, width - indent).map((line, i) => (i === 0 ? label : " ".repeat(indent)) + line);
}

/** Two blocks side by side. */
export function beside(left: readonly string[], right: readonly string[], leftWidth: number, gap: string): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) =>
    `${padEnd(left[i] ?? "", leftWidth)}${gap}${right[i] ?? ""}`.trimEnd(),
  );
}

/** A table whose columns are as wide as they need; all but the first are right-aligned. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column]))));
  return rows.map((row) => row.map((cell, i) => (i === 0 ? padEnd : padStart)(cell, widths[i])).join("   "));
}

function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(width - stringWidth(text), 0));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(width - stringWidth(text), 0)) + text;
}
