import { Command } from "commander";
import { withIndex } from "../open.js";
import { inOption, jsonOption } from "../options.js";
import { count, toJson } from "../print.js";
import type { Terminal } from "../terminal.js";

/** `trigraph merge` */
export function mergeCommand({ out, signal }: Terminal): Command {
  const command = new Command("merge").description(
    "bring the index to as few segments as possible; answers stay the same",
  );
  return jsonOption(inOption(command)).action(async (options: { in: string; json: boolean }) => {
    await withIndex(options.in, {}, async (index) => {
      const { segments: before, deadPassages: dropped } = index.stats();
      await index.merge({ signal });
      const { segments: after } = index.stats();
      const report = { segments: { before, after }, dropped };
      out.write(
        options.json
          ? toJson(report)
          : `${count(before)} → ${count(after)} segments, ${count(dropped)} dead passages dropped\n`,
      );
    });
  });
}
