import { parseArgs } from "node:util";
import { UsageError } from "./errors.js";

export const USAGE = `Usage: npm start                                     the bundled questions
       npm start -- "question"                       one question over the bundled corpus
       npm start -- --corpus PATH "question"         one question over your own texts
       npm start -- --corpus PATH                    asks for questions, in a terminal

--corpus PATH   a .jsonl file with one passage a line: {"id": "…", "title": "…", "text": "…", "metadata": {…}},
                title and metadata optional; or a .md or .txt file; or a folder, whose .md and .txt files are
                split into passages. May be given several times.
--k N           how many passages to show of each ranking. Default 5
--all           show all bundled questions in full
--json          print JSON
--no-color      print without colours, as with NO_COLOR=1
-h, --help      print this`;

export interface Arguments {
  readonly question: string | undefined;
  /** Paths; empty for the bundled corpus. */
  readonly corpora: readonly string[];
  readonly k: number;
  readonly all: boolean;
  readonly json: boolean;
  readonly noColor: boolean;
  readonly help: boolean;
}

/** @param env of the process: npm keeps there the options that come before its `--` */
export function parseArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Arguments {
  // Without this a question meant for other texts would be answered over the bundled ones.
  if (env.npm_config_corpus !== undefined) {
    throw new UsageError('--corpus: npm took it for an option of its own; write npm start -- --corpus PATH "question"');
  }
  const { values, positionals } = parse(args);
  // A question without quotes arrives as its words.
  const question = positionals.length === 0 ? undefined : positionals.join(" ").trim();
  if (question === "") throw new UsageError("expected a question, got only white space");
  const corpora = values.corpus;
  if (corpora.includes("")) throw new UsageError("--corpus: expected the path of a file or folder, got an empty one");
  if (values.all && (question !== undefined || corpora.length > 0)) {
    throw new UsageError("--all shows all bundled questions in full; it goes with neither a question nor --corpus");
  }
  const { all, json, help } = values;
  return { question, corpora, k: readK(values.k), all, json, noColor: values["no-color"], help };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        corpus: { type: "string", multiple: true, default: [] },
        k: { type: "string", default: "5" },
        all: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        "no-color": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readK(text: string): number {
  const k = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(k) && k >= 1) return k;
  throw new UsageError(`--k: expected a whole number of at least 1, got "${text}"`);
}
