/** A fenced block of code that starts in the first column. */
export interface Block {
  /** The language: the first word after the fence; empty when there is none. */
  readonly language: string;
  /** The words after the language. */
  readonly flags: readonly string[];
  readonly code: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

export function codeBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let i = 0; i < lines.length; i++) {
    const open = /^(`{3,}|~{3,})\s*(.*)$/.exec(lines[i]);
    if (open === null) continue;
    const start = i;
    do i++;
    while (i < lines.length && lines[i].trimEnd() !== open[1]);
    if (i === lines.length) throw new Error(`the code block of line ${start + 1} is not closed`);
    const [language = "", ...flags] = open[2].split(/\s+/);
    blocks.push({ language, flags, code: lines.slice(start + 1, i).join("\n"), line: start + 1 });
  }
  return blocks;
}
