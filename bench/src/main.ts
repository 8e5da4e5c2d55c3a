// The benchmarks' command; `npm run bench -- --help` tells how to use it.
import { drawTables, type Table } from "@trigraph/evaluation/node";
import { parseArguments, USAGE, type Arguments } from "./arguments.js";
import { openCorpus } from "./corpora.js";
import { DataFolder } from "./data-sets.js";
import { UsageError } from "./errors.js";
import { describeMachine, type Machine } from "./machine.js";
import { ablations, bm25, sameWords, trigraph, withoutFusion } from "./methods.js";
import { embedTable, measureEmbedding, type EmbedReport } from "./embed-speed.js";
import { measureNearest, nearestTable, type NearestReport } from "./nearest-speed.js";
import { measurePush, pushTables, type PushReport } from "./push.js";
import { measureQuality, qualityTables, renderFailures, type QualityReport } from "./quality.js";
import { describe, note, renderMarkdown, writeJson } from "./report.js";
import { measureSpeed, type SpeedReport } from "./speed.js";
import { speedTables } from "./speed-tables.js";

const QUICK_QUESTIONS = 100;

/** What `--out` writes. */
interface Report {
  readonly machine: Machine;
  readonly seed: number;
  readonly quick: boolean;
  readonly runs: number;
  quality?: QualityReport;
  nearest?: NearestReport;
  embedding?: EmbedReport;
  readonly push: PushReport[];
  readonly speed: SpeedReport[];
}

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
  const { parts, data, sizes, seed, quick, runs, threads, out, markdown } = args;
  // Before the first part runs, not after.
  if (needsData(args)) new DataFolder(data);
  const machine = describeMachine();
  const report: Report = { machine, seed, quick, runs, push: [], speed: [] };
  // After each step: the next may take long, or fail.
  const save = () => {
    if (out !== undefined) writeJson(out, report);
  };
  const print = (tables: readonly Table[]) =>
    console.log(markdown ? renderMarkdown(tables, machine) : drawTables(tables));
  if (!markdown) console.log(`${describe(machine)}\n`);

  if (parts.includes("quality")) {
    const methods = [bm25, ...sameWords, withoutFusion, trigraph, ...(args.ablations ? ablations : [])];
    report.quality = await measureQuality(new DataFolder(data), methods, args);
    save();
    print(qualityTables(report.quality));
    if (args.failures > 0) console.log(`${renderFailures(report.quality)}\n`);
  }
  if (parts.includes("push")) {
    for (const kind of quick ? (["2wiki"] as const) : (["2wiki", "mix"] as const)) {
      const found = await measurePush(openCorpus({ kind }, data, seed), runs, quick);
      report.push.push(found);
      save();
      print(pushTables([found]));
    }
  }
  if (parts.includes("vectors")) {
    report.nearest = await measureNearest(seed, runs, quick);
    save();
    print([nearestTable(report.nearest)]);
    if (args.models !== undefined) {
      const passages = new DataFolder(data).readSet("2wikimultihopqa");
      report.embedding = await measureEmbedding(args.models, passages, quick);
      save();
      print([embedTable(report.embedding)]);
    }
  }
  if (parts.includes("speed")) {
    for (const size of sizes) {
      note(`speed: ${size.kind}${size.kind === "generated" ? ` ${size.passages}` : ""}`);
      const questions = quick ? QUICK_QUESTIONS : undefined;
      report.speed.push(await measureSpeed(size, { data, seed, runs, threads, questions }));
      save();
    }
    print(speedTables(report.speed));
  }
}

function needsData({ parts, sizes, models }: Arguments): boolean {
  const needs = {
    quality: true,
    push: true,
    vectors: models !== undefined,
    speed: sizes.some(({ kind }) => kind !== "generated"),
  };
  return parts.some((part) => needs[part]);
}
