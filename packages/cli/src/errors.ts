import { InvalidArgumentError, TriGraphError } from "@trigraph/core";
import { ReadError } from "@trigraph/console/read";
import { CommanderError } from "commander";
import { EXIT } from "./terminal.js";

/** The command line is not as the help says. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something outside of this program failed: a package that is not installed, a file that cannot be written. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** What an unknown error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The exit code for an error; undefined for one that only a mistake in this program throws. */
export function exitCodeOf(error: unknown): number | undefined {
  // Commander has said what is wrong; the code of a help that was asked for is 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof UsageError || error instanceof ReadError) return EXIT.usage;
  if (error instanceof InvalidArgumentError) return EXIT.usage;
  return error instanceof TriGraphError || error instanceof CommandError ? EXIT.failed : undefined;
}
