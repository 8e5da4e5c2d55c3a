import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { UsageError } from "./errors.js";

export const USAGE = `Usage: npm run example -- compare                        the bundled notes and questions
       npm run example -- compare FOLDER QUESTIONS       your own

FOLDER           its .md and .txt files are split into passages
QUESTIONS        JSON Lines {"question", "answers"?, "quotes"?}: wordings of the right answer, and what the evidence says,
                 word for word; each quote must stand in the files
--methods A,B    what to compare, the others with the first. Default trigraph,bm25,langchain-vectors;
                 also llamaindex-vectors, langchain-ensemble, no-vectors and the others of trigraph-eval methods
--report FOLDER  write the whole report, as a page, Markdown and JSON
-h, --help       print this`;

/** The two that most would take instead: words, and vectors. */
const DEFAULT_METHODS = "trigraph,bm25,langchain-vectors";

const BUNDLED = {
  folder: fileURLToPath(new URL("../../notes", import.meta.url)),
  questions: fileURLToPath(new URL("../questions.jsonl", import.meta.url)),
};

export interface Arguments {
  readonly folder: string;
  readonly questions: string;
  readonly methods: readonly string[];
  /** Undefined: no report is written. */
  readonly report: string | undefined;
  readonly help: boolean;
}

const OPTIONS = {
  methods: { type: "string", default: DEFAULT_METHODS },
  report: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** @throws UsageError */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = orUsageError(() =>
    parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS }),
  );
  const { methods, report, help } = values;
  const options = { methods: methods.split(",").map((name) => name.trim()), report, help };
  if (positionals.length === 0) return { ...BUNDLED, ...options };
  if (positionals.length !== 2) {
    throw new UsageError(`expected a folder and a file of questions, or neither; got ${positionals.join(" ")}`);
  }
  return { folder: positionals[0], questions: positionals[1], ...options };
}

function orUsageError<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
