import type { TriGraph } from "@trigraph/core";
import { Argument, Command, Option } from "commander";
import { UsageError } from "../errors.js";
import { writeFile } from "../file.js";
import { graphLines } from "../graph-lines.js";
import { graphMl } from "../graphml.js";
import { withIndex } from "../open.js";
import { inOption, jsonOption } from "../options.js";
import { passageLines } from "../passage-lines.js";
import { count, toJson, writeAll } from "../print.js";
import type { Terminal } from "../terminal.js";

interface ExportOptions {
  readonly in: string;
  readonly format: "jsonl" | "graphml";
  readonly vectors: boolean;
  readonly out?: string;
  readonly json: boolean;
}

type What = "passages" | "graph";

const HELP = `
passages  a row each, {id, title?, text, metadata?}: what trigraph index reads. --vectors adds theirs.
graph     passages, sentences and entities, and the edges between them: passages have sentences and contain entities, so
          many times (count), and define some; sentences mention entities.`;

/** `trigraph export` */
export function exportCommand(terminal: Terminal): Command {
  const command = new Command("export")
    .description("write out the passages, or the graph, as JSON Lines or GraphML")
    .addArgument(
      new Argument("[what]", "what to write; default: the graph as GraphML, else passages").choices([
        "passages",
        "graph",
      ]),
    );
  return jsonOption(inOption(command))
    .addOption(
      new Option("--format <format>", "of the graph; passages are JSON Lines")
        .choices(["jsonl", "graphml"])
        .default("jsonl"),
    )
    .option("--vectors", "with the passages' vectors, so that they need not be made again", false)
    .option("--out <file>", "write to a file, whole or not at all; default: standard output")
    .addHelpText("after", HELP)
    .action(async (given: What | undefined, options: ExportOptions) => {
      const what = given ?? (options.format === "graphml" ? "graph" : "passages");
      check(what, options);
      await withIndex(options.in, { readOnly: true }, async (index) => {
        const pieces = piecesOf(index, what, options);
        const { out, signal } = terminal;
        if (options.out === undefined) return writeAll(out, pieces, signal);
        await writeFile(options.out, pieces, signal);
        const report = { what, format: options.format, file: options.out, passages: index.size };
        out.write(options.json ? toJson(report) : `${options.out}: ${what} of ${count(index.size)} passages\n`);
      });
    });
}

function check(what: What, { format, vectors, json, out }: ExportOptions): void {
  if (what === "passages" && format === "graphml") {
    throw new UsageError("export: passages are written as jsonl; it is the graph that can be graphml.");
  }
  if (what === "graph" && vectors) throw new UsageError("export: --vectors go with passages, not with the graph.");
  if (json && out === undefined && format === "graphml") {
    throw new UsageError("export: --json tells of a file that --out names; GraphML itself is XML.");
  }
}

function piecesOf(index: TriGraph, what: What, { format, vectors }: ExportOptions): Iterable<string> {
  if (what === "passages") return passageLines(index, vectors);
  return format === "graphml" ? graphMl(index) : graphLines(index);
}
