import type { Nodes, PhrasingContent, RootContent, Table as TableNode } from "mdast";
import type { Report, Times } from "./report.js";
import { describeReport, formatPercent, tablesOf, type Table } from "./tables.js";

/** A report as Markdown: its tables, and the questions that the first method loses. All text is escaped. */
export async function renderMarkdown(report: Report, times: Times): Promise<string> {
  // These packages are ES modules only; loaded when needed, they serve the CommonJS build as well.
  const [{ toMarkdown }, { gfmTableToMarkdown }] = await Promise.all([
    import("mdast-util-to-markdown"),
    import("mdast-util-gfm-table"),
  ]);
  const children: RootContent[] = [
    heading(1, "Evaluation of retrieval"),
    paragraph(describeReport(report)),
    ...tablesOf(report, times).flatMap(section),
    ...lossSection(report),
  ];
  return toMarkdown({ type: "root", children } satisfies Nodes, { extensions: [gfmTableToMarkdown()] });
}

function section({ title, columns, rows, note }: Table): RootContent[] {
  const table: TableNode = {
    type: "table",
    align: columns.map((_, i) => (i === 0 ? "left" : "right")),
    children: [columns, ...rows].map((row) => ({
      type: "tableRow",
      children: row.map((cell) => ({ type: "tableCell", children: text(cell) })),
    })),
  };
  return [heading(2, title), table, ...(note === undefined ? [] : [paragraph(note)])];
}

function lossSection({ losses, questions, methods, settings: { cut } }: Report): RootContent[] {
  if (methods.length < 2) return [];
  const [first, ...others] = methods.map(({ name }) => name);
  const asked = new Map(questions.map(({ id, question }) => [id, question]));
  const lists = others.flatMap((name): RootContent[] => {
    const lost = losses.filter(({ method }) => method === name);
    if (lost.length === 0) return [paragraph(`To ${name}: none.`)];
    const items = lost.map(
      ({ id, first: mine, other }) =>
        `${asked.get(id)} (${id}): ${formatPercent(mine)} against ${formatPercent(other)}`,
    );
    return [
      paragraph(`To ${name}: ${lost.length}.`),
      {
        type: "list",
        spread: false,
        children: items.map((item) => ({ type: "listItem", spread: false, children: [paragraph(item)] })),
      },
    ];
  });
  return [heading(2, `Where ${first} loses: recall@${cut} in %`), ...lists];
}

function heading(depth: 1 | 2, value: string): RootContent {
  return { type: "heading", depth, children: text(value) };
}

function paragraph(value: string): RootContent & { type: "paragraph" } {
  return { type: "paragraph", children: text(value) };
}

function text(value: string): PhrasingContent[] {
  return [{ type: "text", value }];
}
