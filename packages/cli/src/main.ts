#!/usr/bin/env node
import process from "node:process";
import { endOnClosedPipe } from "@trigraph/console/print";
import { runCli } from "./cli.js";
import { EXIT } from "./terminal.js";

endOnClosedPipe();
const controller = new AbortController();
// A second signal ends the process at once, as usual; a lock that is left behind is taken over by the next writer.
process.once("SIGINT", () => controller.abort());

const code = await runCli(process.argv.slice(2), {
  // Only who reads standard input opens it.
  get in() {
    return process.stdin;
  },
  out: process.stdout,
  err: process.stderr,
  signal: controller.signal,
});
process.exitCode = code;
// Input that somebody still waits for would keep the process.
if (code === EXIT.interrupted) process.stdin.destroy();
