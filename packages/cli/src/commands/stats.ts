import { table } from "@trigraph/console/print";
import type { IndexStats } from "@trigraph/core";
import { Command } from "commander";
import { withIndex } from "../open.js";
import { inOption, jsonOption } from "../options.js";
import { count, toJson, toText } from "../print.js";
import type { Terminal } from "../terminal.js";

/** `trigraph stats` */
export function statsCommand({ out }: Terminal): Command {
  return jsonOption(inOption(new Command("stats").description("how large an index is"))).action(
    async (options: { in: string; json: boolean }) => {
      const stats = await withIndex(options.in, { readOnly: true }, async (index) => index.stats());
      out.write(options.json ? toJson(stats) : toText(table(rowsOf(stats))));
    },
  );
}

function rowsOf({ collisions, ...sizes }: IndexStats): string[][] {
  const figures = { ...sizes, collisions: collisions.length };
  return Object.entries(figures).map(([name, value]) => [LABELS[name as keyof typeof figures], count(value)]);
}

const LABELS: Readonly<Record<keyof IndexStats, string>> = {
  passages: "passages",
  sentences: "sentences",
  entities: "entities",
  terms: "terms",
  tokens: "tokens",
  segments: "segments",
  deadPassages: "dead passages, which a merge drops",
  bytes: "bytes in memory",
  dimensions: "numbers of a vector; 0 without vectors",
  collisions: "entity names that share a key",
};
