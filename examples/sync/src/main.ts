/**
 * Keeps an index on disk in step with a folder of Markdown and text files. Without arguments it shows that on a copy of
 * `examples/notes`; with them it is the real thing, to be run again whenever files have changed.
 *
 *     npm run example -- sync
 *     npm run example -- sync FOLDER INDEX
 */
import process from "node:process";
import { ReadError } from "@trigraph/console/read";
import { TriGraph, TriGraphError } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { describeReport } from "./report.js";
import { syncFolder } from "./sync.js";
import { tour } from "./tour.js";

const INTERRUPTED = 130;

const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort());
const { signal } = interruption;
const print = (text: string) => void process.stdout.write(text);

const [folder, directory, ...others] = process.argv.slice(2);
try {
  if (folder === undefined) await tour(print, signal);
  else if (directory !== undefined && others.length === 0) await run(folder, directory);
  else fail(2, "expected no argument, or two: the folder of files and the folder of the index.");
} catch (error) {
  if (signal.aborted) process.exitCode = INTERRUPTED;
  else if (error instanceof ReadError || error instanceof TriGraphError) fail(1, error.message);
  else throw error;
}

async function run(folder: string, directory: string): Promise<void> {
  const index = await TriGraph.open(new FileDirectory(directory), { create: true });
  try {
    print(`${describeReport(await syncFolder(index, folder, signal), index.size)}\n`);
  } finally {
    await index.close();
  }
}

function fail(code: number, message: string): void {
  process.stderr.write(`sync: ${message}\n`);
  process.exitCode = code;
}
