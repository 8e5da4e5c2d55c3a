import { readText, STDIN } from "@trigraph/console/read";
import { Command } from "commander";
import { UsageError } from "../errors.js";
import { withIndex } from "../open.js";
import { inOption, jsonOption } from "../options.js";
import { count, toJson } from "../print.js";
import { EXIT, type Terminal } from "../terminal.js";

interface DeleteOptions {
  readonly in: string;
  readonly from?: string;
  readonly json: boolean;
}

/** `trigraph delete` */
export function deleteCommand(terminal: Terminal, end: (code: number) => void): Command {
  const command = new Command("delete")
    .description("remove passages by their ids")
    .argument("[ids...]", "the passages");
  return jsonOption(inOption(command))
    .option("--from <file>", 'read ids from a file as well, one a line; "-" is standard input')
    .action(async (ids: string[], options: DeleteOptions) => {
      const { out, err, signal } = terminal;
      const all = [...ids, ...(await idsFrom(options.from, terminal))];
      if (all.length === 0) throw new UsageError("delete: expected at least one id, as an argument or in --from.");
      const report = await withIndex(options.in, {}, (index) => index.delete(all, { signal }));
      const { deleted, missing } = report;
      out.write(options.json ? toJson(report) : `${count(deleted)} deleted\n`);
      if (missing.length === 0) return;
      err.write(`not in the index: ${missing.join(", ")}\n`);
      end(EXIT.findings);
    });
}

async function idsFrom(file: string | undefined, { in: input }: Terminal): Promise<string[]> {
  if (file === undefined) return [];
  const text = file === STDIN ? await readAll(input) : await readText(file);
  return text.split(/\r?\n/).filter((line) => line !== "");
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const chunk of input) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
