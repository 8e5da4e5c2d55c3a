import { InvalidArgumentError as InvalidOption, type Command, Option } from "commander";

/** Which index. */
export function inOption(command: Command): Command {
  return command.requiredOption("-i, --in <folder>", "the folder that holds the index");
}

export function jsonOption(command: Command): Command {
  return command.option("--json", "print JSON instead of text", false);
}

export function quietOption(command: Command): Command {
  return command.option("-q, --quiet", "show no progress and no notes", false);
}

/** What makes vectors; see `embedder.ts`. */
export function embedderOptions(command: Command): Command {
  return command
    .addOption(
      new Option("-e, --embedder <model>", "transformers:MODEL or openai:MODEL; the same for an index every time").env(
        "TRIGRAPH_EMBEDDER",
      ),
    )
    .option("--models <folder>", "where models of transformers: are looked for first");
}

/** For an option that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function wholeNumber(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidOption("Expected a whole number of at least 1.");
}
