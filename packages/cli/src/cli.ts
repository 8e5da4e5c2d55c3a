import { createRequire } from "node:module";
import { Command, CommanderError } from "commander";
import { checkCommand } from "./commands/check.js";
import { deleteCommand } from "./commands/delete.js";
import { explainCommand } from "./commands/explain.js";
import { exploreCommand } from "./commands/explore.js";
import { exportCommand } from "./commands/export.js";
import { indexCommand } from "./commands/index-files.js";
import { mergeCommand } from "./commands/merge.js";
import { searchCommand } from "./commands/search.js";
import { statsCommand } from "./commands/stats.js";
import { exitCodeOf, messageOf } from "./errors.js";
import { EXIT, type Terminal } from "./terminal.js";

/** Makes a subcommand, which says by `end` how it ended unless all is well. */
export type CommandFactory = (terminal: Terminal, end: (code: number) => void) => Command;

const COMMANDS: readonly CommandFactory[] = [
  indexCommand,
  searchCommand,
  explainCommand,
  exploreCommand,
  deleteCommand,
  statsCommand,
  checkCommand,
  mergeCommand,
  exportCommand,
];

const EXIT_CODES = `
Exit codes: ${EXIT.done} done; ${EXIT.findings} nothing found, an unknown id, or something wrong found by check;
${EXIT.usage} the command line or a file given is not as described; ${EXIT.failed} the index, an embedder or the disk failed;
${EXIT.interrupted} interrupted.`;

/** Runs `trigraph` with some arguments. @returns the exit code, one of `EXIT` */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.done;
  const program = new Command("trigraph")
    .description("Retrieval over a graph of passages, sentences and entities: index your texts, ask, and see why.")
    .version(version(), "-V, --version")
    .showSuggestionAfterError(true)
    .addHelpText("after", EXIT_CODES);
  for (const make of COMMANDS) {
    const command = make(terminal, (ended) => (code = ended));
    program.addCommand(command.option("--debug", "print the stack of an error as well", false));
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
    });
  }
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return failure(
      error,
      terminal,
      program.commands.some((command) => command.opts().debug === true),
    );
  }
}

function failure(error: unknown, { err, signal }: Terminal, debug: boolean): number {
  if (signal.aborted) {
    err.write("interrupted\n");
    return EXIT.interrupted;
  }
  const code = exitCodeOf(error);
  if (error instanceof CommanderError) return code!;
  const hasStack = (debug || code === undefined) && error instanceof Error;
  err.write(`${hasStack ? error.stack : messageOf(error)}\n`);
  return code ?? EXIT.failed;
}

function version(): string {
  const manifest = createRequire(import.meta.url)("../package.json") as { version: string };
  return manifest.version;
}
