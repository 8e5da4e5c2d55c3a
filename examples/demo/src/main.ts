import process from "node:process";
import { endOnClosedPipe, readStyle } from "@trigraph/console/print";
import { ReadError } from "@trigraph/console/read";
import { TriGraphError } from "@trigraph/core";
import { parseArguments, USAGE } from "./arguments.js";
import { runDemo } from "./demo.js";
import { DemoError, UsageError } from "./errors.js";

endOnClosedPipe();

try {
  const args = parseArguments(process.argv.slice(2), process.env);
  const print = (text: string) => void process.stdout.write(text);
  if (args.help) print(`${USAGE}\n`);
  else await runDemo(args, readStyle(args), print);
} catch (error) {
  if (!(error instanceof DemoError || error instanceof ReadError || error instanceof TriGraphError)) throw error;
  process.stderr.write(`${error.message}\n`);
  if (error instanceof UsageError) process.stderr.write("npm start -- --help shows what there is.\n");
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
