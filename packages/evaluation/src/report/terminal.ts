import DrawnTable from "cli-table3";
import type { Table } from "./tables.js";

/** Tables with aligned columns for the terminal. */
export function drawTables(tables: readonly Table[]): string {
  return tables
    .map(({ title, columns, rows, note }) =>
      [title, draw(columns, rows), note, ""].filter((part) => part !== undefined),
    )
    .map((parts) => `${parts.join("\n")}\n`)
    .join("");
}

function draw(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const none = "";
  const table = new DrawnTable({
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
