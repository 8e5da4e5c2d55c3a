import { findInputs, readPassages, type Input, type ReadError } from "@trigraph/console/read";
import type { VectorPrecision } from "@trigraph/core";
import { WorkerPool } from "@trigraph/core/node";
import { Command, Option } from "commander";
import { BATCH_EMBEDDED_PASSAGES, BATCH_PASSAGES } from "../defaults.js";
import { embedderOf, type EmbedderOptions } from "../embedder.js";
import { UsageError } from "../errors.js";
import { withIndex } from "../open.js";
import { embedderOptions, jsonOption, quietOption, wholeNumber } from "../options.js";
import { count, toJson } from "../print.js";
import { progressBar } from "../progress.js";
import { sync, type SyncReport } from "../sync.js";
import { EXIT, type Terminal } from "../terminal.js";

interface IndexOptions extends EmbedderOptions {
  readonly into: string;
  readonly root: string;
  readonly vectorPrecision?: VectorPrecision;
  readonly batch?: number;
  readonly workers?: number;
  readonly prune: boolean;
  readonly skipBadRows: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** What `--json` prints. */
interface IndexReport extends SyncReport {
  /** Rows that were no passage. */
  readonly skipped: number;
  /** Passages that the index now holds. */
  readonly passages: number;
  readonly seconds: number;
}

const HELP = `
Files: .jsonl with a passage a line, {"id": "…", "title": "…", "text": "…", "metadata": {…}}, title and metadata
optional; .md and .txt, and folders of them, which are split into passages; "-" is JSON Lines from standard input.

Running it again brings the index in step with the files: what has not changed is passed over, so an interrupted run
goes on where it stopped. Ids of documents are made of path, headings and a number. Ctrl-C ends after the passages at
work; a second one at once.`;

/** `trigraph index` */
export function indexCommand(terminal: Terminal, end: (code: number) => void): Command {
  const command = new Command("index")
    .description("read files into an index; again, to bring it in step with them")
    .argument("<files...>", 'files and folders; "-" is standard input')
    .requiredOption("-o, --into <folder>", "the folder of the index; it is made if need be")
    .option("--prune", "delete from the index what none of the files holds", false)
    .addOption(new Option("--skip-bad-rows", "pass over rows that are no passage").default(false).conflicts("prune"))
    .option("--root <folder>", "what ids' paths start from; default: the current folder", ".");
  return quietOption(jsonOption(embedderOptions(command)))
    .addOption(new Option("--vector-precision <bits>", "of a new index").choices(["float32", "int8"]))
    .option(
      "--batch <n>",
      `passages that are made durable together; default: ${BATCH_PASSAGES}, or ${BATCH_EMBEDDED_PASSAGES} with an embedder`,
      wholeNumber,
    )
    .option("--workers <n>", "threads that read the texts; default: none but this one", wholeNumber)
    .addHelpText("after", HELP)
    .action(async (files: string[], options: IndexOptions) => {
      const report = await runIndex(files, options, terminal);
      const { out, err } = terminal;
      out.write(options.json ? toJson(report) : `${describe(report)}\n`);
      if (report.complete) return;
      err.write("interrupted: the same command goes on from here\n");
      end(EXIT.interrupted);
    });
}

async function runIndex(files: readonly string[], options: IndexOptions, terminal: Terminal): Promise<IndexReport> {
  const { into, root, prune, skipBadRows, quiet, vectorPrecision } = options;
  const started = performance.now();
  if (new Set(files).size < files.length) throw new UsageError("expected each file once, got one twice.");
  const inputs = await findInputs(files, { root });
  const embedder = await embedderOf(options);
  const { batch = embedder === undefined ? BATCH_PASSAGES : BATCH_EMBEDDED_PASSAGES } = options;
  let skipped = 0;
  const skip = ({ message }: ReadError) => {
    skipped++;
    if (!quiet) terminal.err.write(`skipped: ${message}\n`);
  };
  const bar = progressBar(terminal.err, "indexing", quiet);
  const total = bytesOf(inputs);
  const workers = options.workers === undefined ? undefined : new WorkerPool({ threads: options.workers });
  try {
    return await withIndex(into, { create: true, embedder, vectorPrecision }, async (index) => {
      const read = readPassages(inputs, { stdin: terminal.in, onBadRow: skipBadRows ? skip : undefined });
      const report = await sync(index, read, {
        ...{ batch, prune, workers, signal: terminal.signal },
        onProgress: (done, passages) => bar.show({ done, total, passages }),
      });
      const seconds = Math.round(performance.now() - started) / 1000;
      return { ...report, skipped, passages: index.size, seconds };
    });
  } finally {
    bar.stop();
    await workers?.close();
  }
}

/** Undefined when an input does not know its length. */
function bytesOf(inputs: readonly Input[]): number | undefined {
  let sum = 0;
  for (const { bytes } of inputs) {
    if (bytes === undefined) return undefined;
    sum += bytes;
  }
  return sum;
}

function describe({ added, replaced, unchanged, deleted, skipped, passages }: IndexReport): string {
  const changes = { added, replaced, unchanged, deleted, ...(skipped === 0 ? {} : { skipped }) };
  const words = Object.entries(changes).map(([what, number]) => `${count(number)} ${what}`);
  return `${words.join(", ")}; the index holds ${count(passages)} passages`;
}
