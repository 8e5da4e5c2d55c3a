import { type CheckFinding, IndexError, type LongCallOptions } from "@trigraph/core";
import { Command } from "commander";
import { withIndex } from "../open.js";
import { inOption, jsonOption, quietOption } from "../options.js";
import { toJson, toText } from "../print.js";
import { progressBar } from "../progress.js";
import { EXIT, type Terminal } from "../terminal.js";

interface CheckOptions {
  readonly in: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `trigraph check` */
export function checkCommand({ out, err, signal }: Terminal, end: (code: number) => void): Command {
  const command = new Command("check").description("verify everything stored against everything else and the texts");
  return quietOption(jsonOption(inOption(command))).action(async (options: CheckOptions) => {
    const bar = progressBar(err, "checking", options.quiet);
    const findings = await findingsIn(options.in, {
      signal,
      onProgress: ({ done, total }) => bar.show({ done, total, passages: done }),
    }).finally(() => bar.stop());
    const lines = findings.map(({ where, what }) => `${where}: ${what}`);
    out.write(options.json ? toJson({ findings }) : toText(lines.length === 0 ? ["all is well"] : lines));
    if (findings.length > 0) end(EXIT.findings);
  });
}

/** An index too damaged to be opened is a finding as well. */
async function findingsIn(folder: string, options: LongCallOptions): Promise<CheckFinding[]> {
  try {
    return await withIndex(folder, { readOnly: true }, (index) => index.check(options));
  } catch (error) {
    if (!(error instanceof IndexError && error.code === "CORRUPT_INDEX")) throw error;
    return [{ where: folder, what: error.message }];
  }
}
