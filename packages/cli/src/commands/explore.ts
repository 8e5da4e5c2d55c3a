import { explore, toHtml } from "@trigraph/explorer";
import { Command } from "commander";
import { askOptions, type AskOptions, readQuestion } from "../ask.js";
import { writeFile } from "../file.js";
import { withIndex } from "../open.js";
import { count, toJson } from "../print.js";
import { EXIT, type Terminal } from "../terminal.js";

interface ExploreOptions extends AskOptions {
  readonly out: string;
}

const HELP = `
The page needs neither a server nor a network: open it in a browser. --json prints what it shows instead.`;

/** `trigraph explore` */
export function exploreCommand(terminal: Terminal, end: (code: number) => void): Command {
  return askOptions(new Command("explore").description("a page that shows the same passages and the paths as a graph"))
    .option("-o, --out <file>", "the page", "trigraph.html")
    .addHelpText("after", HELP)
    .action(async (words: string[], options: ExploreOptions) => {
      const { out, signal } = terminal;
      const { question, filter, embedder } = await readQuestion(words, options);
      await withIndex(options.in, { readOnly: true, embedder }, async (index) => {
        const exploration = await explore(index, question, { k: options.k, filter, signal });
        if (options.json) out.write(toJson(exploration));
        else {
          await writeFile(options.out, [toHtml(exploration)], signal);
          out.write(`${options.out}: ${count(exploration.passages.length)} passages and what led to them\n`);
        }
        if (exploration.passages.every(({ score }) => score === 0)) end(EXIT.findings);
      });
    });
}
