/** What `search` and `explain` share: the question, and how it is asked. */
import { readStyle, type Style } from "@trigraph/console/print";
import type { RetrievedPassage, StoredPassage } from "@trigraph/core";
import type { Command } from "commander";
import { DEFAULT_K } from "./defaults.js";
import { embedderOf, type EmbedderOptions } from "./embedder.js";
import { filterOf } from "./filter.js";
import { noteOnVectors, withIndex } from "./open.js";
import { collect, embedderOptions, inOption, jsonOption, quietOption, wholeNumber } from "./options.js";
import { toJson, toText } from "./print.js";
import { EXIT, type Terminal } from "./terminal.js";

export interface AskOptions extends EmbedderOptions {
  readonly in: string;
  readonly k: number;
  readonly filter: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

/** What was found: only passages that have to do with the question, not those that fill up the k. */
export interface Found {
  readonly question: string;
  readonly hits: readonly RetrievedPassage[];
  /** A passage of the index by its id. */
  readonly passageOf: (id: string) => StoredPassage;
}

export function askOptions(command: Command): Command {
  const asked = inOption(command.argument("<question...>", "quoted or not"))
    .option("-k <n>", "how many passages", wholeNumber, DEFAULT_K)
    .option("-f, --filter <key=value>", "only passages with this metadata; may be given several times", collect, []);
  return quietOption(jsonOption(embedderOptions(asked))).option("--no-color", "no colours, as with NO_COLOR=1");
}

/** The question and how it is asked. @throws UsageError, CommandError */
export async function readQuestion(words: readonly string[], options: AskOptions) {
  return { question: words.join(" "), filter: filterOf(options.filter), embedder: await embedderOf(options) };
}

/** Asks the question, prints what was found as JSON or as `render` has it, and ends with 1 when that is nothing. */
export async function ask(
  words: readonly string[],
  options: AskOptions,
  { explain, render }: { explain: boolean; render: (found: Found, style: Style) => string[] },
  { out, err, signal }: Terminal,
  end: (code: number) => void,
): Promise<void> {
  const { question, filter, embedder } = await readQuestion(words, options);
  await withIndex(options.in, { readOnly: true, embedder }, async (index) => {
    const note = noteOnVectors(index, embedder);
    if (note !== undefined && !options.quiet) err.write(`${note}\n`);
    const ranked = await index.retrieve(question, { k: options.k, filter, explain, signal });
    const hits = ranked.filter(({ score }) => score > 0);
    const style = readStyle({ noColor: !options.color });
    const found = { question, hits, passageOf: (id: string) => index.get(id)! };
    out.write(options.json ? toJson({ question, hits: hits.map(toRow) }) : toText(render(found, style)));
    if (hits.length > 0) return;
    if (!options.quiet) err.write("no passage shares a name or a word with the question\n");
    end(EXIT.findings);
  });
}

function toRow({ rank, score, passage, evidence }: RetrievedPassage) {
  return { rank, score, ...passage, ...(evidence === undefined ? {} : { evidence }) };
}
