import { hang, oneLine, titleOf, type Style } from "@trigraph/console/print";
import { Command } from "commander";
import { ask, askOptions, type AskOptions, type Found } from "../ask.js";
import { EXCERPT } from "../defaults.js";
import type { Terminal } from "../terminal.js";

interface SearchOptions extends AskOptions {
  readonly full: boolean;
}

/** `trigraph search` */
export function searchCommand(terminal: Terminal, end: (code: number) => void): Command {
  return askOptions(new Command("search").description("the passages that answer a question"))
    .option("--full", "print whole passages", false)
    .action(async (words: string[], options: SearchOptions) => {
      const render = (found: Found, style: Style) => renderHits(found, options.full, style);
      await ask(words, options, { explain: false, render }, terminal, end);
    });
}

function renderHits({ hits }: Found, full: boolean, { colors, width }: Style): string[] {
  const digits = String(hits.length).length;
  const indent = " ".repeat(digits + 2);
  return hits.flatMap(({ rank, score, passage }) => {
    const { id, text } = passage;
    const title = `${colors.bold(oneLine(titleOf(passage)))} ${colors.dim(`${score.toFixed(3)}  ${oneLine(id)}`)}`;
    const shown = full ? text.split("\n") : [excerpt(oneLine(text))];
    return [
      ...hang(`${String(rank).padStart(digits)}. `, title, width),
      ...shown.flatMap((line) => hang(indent, line, width)),
    ];
  });
}

function excerpt(text: string): string {
  if (text.length <= EXCERPT) return text;
  const space = text.lastIndexOf(" ", EXCERPT);
  return `${text.slice(0, space > 0 ? space : EXCERPT)} …`;
}
