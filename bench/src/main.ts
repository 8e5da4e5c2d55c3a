// The benchmarks' command; `npm run bench -- --help` tells how to use it.
import { parseArguments, USAGE, type Arguments } from "./arguments.js";
import { openCorpus } from "./corpora.js";
import { DataFolder } from "./data-sets.js";
import { UsageError } from "./errors.js";
import { measureIsolated } from "./isolated.js";
import { describeMachine } from "./machine.js";
import { ablations, bm25, trigraph } from "./methods.js";
import { measurePush, pushTables, type PushReport } from "./push.js";
import { measureQuality, qualityTables, renderFailures, type QualityReport } from "./quality.js";
import { describe, note, renderMarkdown, renderTerminal, writeJson, type ReportTable } from "./report.js";
import type { SpeedReport } from "./speed.js";
import { speedTables } from "./speed-tables.js";

try {
  const args = parseArguments(process.argv.slice(2));
  if (args === undefined) console.log(USAGE);
  else await run(args);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function run(args: Arguments): Promise<void> {
  // Before the first part runs, not after.
  if (needsData(args)) new DataFolder(args.data);
  const machine = describeMachine();
  // Each part is printed when it is done: the next may take long.
  const print = (tables: readonly ReportTable[]) =>
    console.log(args.markdown ? renderMarkdown(tables, machine) : renderTerminal(tables));
  if (!args.markdown) console.log(`${describe(machine)}\n`);

  const quality = args.parts.includes("quality") ? await runQuality(args) : undefined;
  if (quality !== undefined) {
    print(qualityTables(quality));
    if (args.failures > 0) console.log(`${renderFailures(quality)}\n`);
  }
  const push = args.parts.includes("push") ? await runPush(args) : undefined;
  if (push !== undefined) print(pushTables(push));
  const speed = args.parts.includes("speed") ? await runSpeed(args) : undefined;
  if (speed !== undefined) print(speedTables(speed));

  if (args.out === undefined) return;
  const { seed, quick, runs } = args;
  writeJson(args.out, { machine, seed, quick, runs, quality, push, speed });
}

function needsData({ parts, sizes }: Arguments): boolean {
  return parts.some((part) => part !== "speed" || sizes.some(({ kind }) => kind !== "generated"));
}

function runQuality({ data, ...options }: Arguments): Promise<QualityReport> {
  const methods = [bm25, trigraph, ...(options.ablations ? ablations : [])];
  return measureQuality(new DataFolder(data), methods, options);
}

async function runPush({ data, seed, runs, quick }: Arguments): Promise<PushReport[]> {
  const reports: PushReport[] = [];
  for (const kind of quick ? (["2wiki"] as const) : (["2wiki", "mix"] as const)) {
    reports.push(await measurePush(openCorpus({ kind }, data, seed), runs, quick));
  }
  return reports;
}

async function runSpeed({ data, sizes, seed, runs, quick }: Arguments): Promise<SpeedReport[]> {
  const reports: SpeedReport[] = [];
  for (const size of sizes) {
    note(`speed: ${size.kind}${size.kind === "generated" ? ` ${size.passages}` : ""}`);
    reports.push(await measureIsolated({ size, data, seed, options: quick ? { runs, questions: 100 } : { runs } }));
  }
  return reports;
}
