/** Processes that write to an index are killed, one after the other, and each leaves the index whole. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import type { Moment } from "./directories/killing.js";
import { after, type Shape, SMALL, type State, stepAt, WIDE } from "./history.js";
import { expectOneOf, INDEX_OPTIONS, keyOfState, Oracle } from "./oracle.js";
import { Random } from "./random.js";
import { fail, type Report } from "./report.js";

export interface KillOptions {
  readonly seed: number;
  readonly kills: number;
}

export interface KillFigures {
  kills: number;
  /** Kills by an operation's number and by the clock. */
  byOperation: number;
  byClock: number;
  /** Kills amid a step, and of these those after which the step was there. */
  amidStep: number;
  keptUnacknowledged: number;
  /** Kills while the index was opened, its predecessor's lock taken over, or closed. */
  amidOpenOrClose: number;
  /** Steps acknowledged, all of them found again. */
  acknowledged: number;
  /** Files in the folders at the end that no commit refers to. */
  leftOver: number;
}

/** What a writer is told. */
export interface WriterOrder {
  readonly folder: string;
  readonly seed: number;
  readonly shape: Shape;
  readonly firstStep: number;
  /** The operation at which it kills itself; 0 for none. */
  readonly operation: number;
  readonly moment: Moment;
}

/** Kills in one folder; then a new one begins, with another shape. */
const KILLS_A_FOLDER = 50;

/** Operations of a writer until it is killed, at most: two openings and some ten steps. */
const MAX_OPERATIONS = 160;

/** Milliseconds that a writer lives after it has opened the index, at most. */
const MAX_LIFE = 120;

/** The writer's program, in this build. */
const WRITER = fileURLToPath(new URL("../dist/kills-writer.mjs", import.meta.url));

/** Throws when a folder does not hold what was acknowledged. */
export async function soakKills(options: KillOptions, report: Report): Promise<KillFigures> {
  const figures: KillFigures = {
    kills: 0,
    byOperation: 0,
    byClock: 0,
    amidStep: 0,
    keptUnacknowledged: 0,
    amidOpenOrClose: 0,
    acknowledged: 0,
    leftOver: 0,
  };
  for (let folder = 0; figures.kills < options.kills; folder++) {
    const killing = new Killing(options, folder, figures);
    await killing.run(Math.min(KILLS_A_FOLDER, options.kills - figures.kills));
    report.progress(`kills: ${figures.kills} of ${options.kills}, ${figures.acknowledged} steps acknowledged`);
  }
  return figures;
}

/** One folder and the writers that are killed over it. */
class Killing {
  private readonly options: KillOptions;
  private readonly figures: KillFigures;
  private readonly random: Random;
  private readonly shape: Shape;
  private readonly oracle = new Oracle();
  private readonly folder = mkdtempSync(join(tmpdir(), "trigraph-kills-"));
  private readonly seed: number;
  private state: State = new Map();
  private step = 0;

  constructor(options: KillOptions, number: number, figures: KillFigures) {
    this.options = options;
    this.figures = figures;
    this.seed = options.seed * 1000 + number;
    this.random = new Random(this.seed);
    this.shape = number % 4 === 3 ? WIDE : SMALL;
  }

  async run(kills: number): Promise<void> {
    try {
      for (let kill = 0; kill < kills; kill++) {
        try {
          await this.kill();
        } catch (error) {
          throw fail(`seed ${this.options.seed}, kill ${this.figures.kills}, folder ${this.folder}`, error);
        }
      }
      await this.finish();
    } catch (error) {
      // The folder stays for whoever looks into it.
      throw fail(`folder ${this.folder}`, error);
    }
    rmSync(this.folder, { recursive: true });
  }

  private async kill(): Promise<void> {
    const { figures, random, seed, shape, folder } = this;
    const isByClock = random.oneIn(3);
    const operation = isByClock ? 0 : random.between(1, MAX_OPERATIONS);
    const moment = random.pick<Moment>(["before", "amid", "after"]);
    const life = isByClock ? random.below(MAX_LIFE) : undefined;
    const lines = await runWriter({ folder, seed, shape, firstStep: this.step, operation, moment }, life);
    figures.kills++;
    figures[isByClock ? "byClock" : "byOperation"]++;
    let isAmid = false;
    for (const line of lines) {
      const [what] = line.split(" ");
      isAmid = what === "begun";
      if (what !== "acknowledged") continue;
      this.state = after(this.state, stepAt(seed, this.step++, shape));
      figures.acknowledged++;
    }
    await this.compare(isAmid);
    figures[isAmid ? "amidStep" : "amidOpenOrClose"]++;
  }

  /** What is stored is what was acknowledged or, amid a step, what that makes of it. */
  private async compare(isAmid: boolean): Promise<void> {
    const { seed, shape, state } = this;
    if (readdirSync(this.folder).every((name) => !/^manifest-[0-9]+[.]json$/.test(name)) && state.size === 0) return;
    const states = isAmid ? [state, after(state, stepAt(seed, this.step, shape))] : [state];
    const index = await TriGraph.open(new FileDirectory(this.folder), { ...INDEX_OPTIONS, readOnly: true });
    const found = states[await expectOneOf(index, states, this.oracle)];
    await index.close();
    if (found === state) return;
    if (keyOfState(found) !== keyOfState(state)) this.figures.keptUnacknowledged++;
    this.state = found;
    this.step++;
  }

  /** After the last kill a writer opens, merges and closes: what is left is the index and nothing else. */
  private async finish(): Promise<void> {
    const index = await TriGraph.open(new FileDirectory(this.folder), { ...INDEX_OPTIONS, create: true });
    await index.upsert([{ id: "last", text: "The last one." }]);
    await index.merge();
    await index.close();
    const strays = readdirSync(this.folder).filter((name) => !/^(manifest|segment)-[0-9].*(json|seg|dead)$/.test(name));
    if (strays.includes("write.lock")) throw new Error("the lock was not given back");
    this.figures.leftOver += strays.length;
  }
}

/** Lets a writer live until it is killed; what it told, line by line. */
async function runWriter(order: WriterOrder, life: number | undefined): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, JSON.stringify(order)], { stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  let complaint = "";
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    told += text;
    if (life !== undefined) timer ??= setTimeout(() => child.kill("SIGKILL"), life);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const signal = await new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (_code, signal) => resolve(signal));
  });
  clearTimeout(timer);
  if (signal !== "SIGKILL") throw new Error(`the writer ended by itself: ${complaint.trim()}`);
  // The last line may have been cut short; it was not told then.
  return told.split("\n").slice(0, -1);
}
