#!/usr/bin/env node
import process from "node:process";
import { runCli } from "./cli.js";

const controller = new AbortController();
// A second signal ends the process at once, as usual.
process.once("SIGINT", () => controller.abort());

// Whoever reads the output, as head does, may have seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  signal: controller.signal,
});
