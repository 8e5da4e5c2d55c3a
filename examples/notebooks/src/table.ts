/** A table as Markdown, which viewers show in their own colours. What is put into it is escaped. */
import type { Table } from "mdast";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { toMarkdown } from "mdast-util-to-markdown";
import { shown, type Shown } from "./shown.ts";

type Cell = string | number;

/** @param rows at least one; the columns are named by the first */
export function table(rows: readonly Readonly<Record<string, Cell>>[]): Shown {
  const columns = Object.keys(rows[0]);
  const tree: Table = {
    type: "table",
    align: columns.map((name) => (typeof rows[0][name] === "number" ? "right" : "left")),
    children: [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((cells) => ({
      type: "tableRow",
      children: cells.map((cell) => ({ type: "tableCell", children: [{ type: "text", value: String(cell) }] })),
    })),
  };
  return shown("text/markdown", toMarkdown(tree, { extensions: [gfmTableToMarkdown()] }));
}
