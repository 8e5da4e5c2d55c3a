import { InvalidArgumentError, TriGraphError } from "@trigraph/core";
import { Command, CommanderError } from "commander";
import { EvaluationError } from "../errors.js";
import { compareCommand } from "./compare.js";
import { methodsCommand } from "./methods.js";
import { runCommand } from "./run.js";
import { trainCommand } from "./train.js";
import { EXIT, type Terminal } from "./terminal.js";

/** The subcommands: each adds itself to the program and says by `end` how it ended, unless all is well. */
const COMMANDS: readonly ((terminal: Terminal, end: (code: number) => void) => Command)[] = [
  runCommand,
  compareCommand,
  trainCommand,
  methodsCommand,
];

/** Runs `trigraph-eval` with some arguments. @returns the exit code, one of `EXIT` */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = EXIT.done;
  const program = new Command("trigraph-eval").description(
    "Is a retriever better than another on your passages and questions, and why not on some of them?",
  );
  for (const command of COMMANDS) program.addCommand(command(terminal, (ended) => (code = ended)));
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
    return failure(error, terminal);
  }
}

function failure(error: unknown, { err, signal }: Terminal): number {
  if (signal.aborted) {
    err.write("interrupted\n");
    return EXIT.interrupted;
  }
  // Commander has said what is wrong; the code of a help that was asked for is 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (!(error instanceof EvaluationError || error instanceof TriGraphError)) throw error;
  err.write(`${error.message}\n`);
  return error instanceof InvalidArgumentError ? EXIT.usage : EXIT.failed;
}
