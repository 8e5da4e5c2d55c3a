/** Power fails amid every operation of a history, and the index is opened from what the disk may hold then. */
import { crc32 } from "node:zlib";
import { TriGraph } from "@trigraph/core";
import { type Files, folderOf } from "./directories/memory.js";
import { PowerDirectory } from "./directories/power.js";
import { after, SMALL, type State, type Step, stepAt, take, WIDE, WITH_VECTORS } from "./history.js";
import { expectOneOf, INDEX_OPTIONS, keyOfState, Oracle, whichOf } from "./oracle.js";
import { Random } from "./random.js";
import { fail, type Report } from "./report.js";

export interface PowerOptions {
  readonly seed: number;
  /** Histories; one begins where power failed in the one before, unless that was of another shape. */
  readonly histories: number;
  /** Steps of a history. The process is killed in the one in the middle. */
  readonly steps: number;
  /** Random survivors of each moment, beside the least and the most. */
  readonly samples: number;
}

const SHAPES = [SMALL, WITH_VECTORS, WIDE, SMALL];

/** The process that comes after a power failure. Others have lower numbers, the later the higher. */
const LAST_PID = 1_000_000;

/** A kill comes amid one of so many operations of a step, if it has so many. */
const LATEST_KILL = 8;

/** Throws at the first survivor that does not open as one of the commits that it may be. */
export async function soakPower(options: PowerOptions, report: Report): Promise<PowerFigures> {
  const soak = new PowerSoak(options, report);
  for (let history = 0; history < options.histories; history++) await soak.live(history);
  return soak.figures;
}

export interface PowerFigures {
  histories: number;
  /** Operations amid which power failed. */
  moments: number;
  /** Survivors opened. */
  crashes: number;
  /** Of these, those that kept the commit under way. */
  keptUnacknowledged: number;
}

class PowerSoak {
  readonly figures: PowerFigures = { histories: 0, moments: 0, crashes: 0, keptUnacknowledged: 0 };
  private readonly options: PowerOptions;
  private readonly report: Report;
  private readonly oracle = new Oracle();
  private readonly random: Random;
  /** Commits that were checked and questioned. */
  private readonly compared = new Set<string>();
  private place = "";
  /** What was acknowledged, and what is under way: an index holds the one or the other. */
  private acknowledged: State = new Map();
  private underWay: State | undefined;
  /** Files that power failures left, one of them for the next history. */
  private left: { readonly files: Files; readonly state: State } = { files: new Map(), state: new Map() };

  constructor(options: PowerOptions, report: Report) {
    this.options = options;
    this.report = report;
    this.random = new Random(options.seed);
  }

  async live(history: number): Promise<void> {
    const { seed, steps, histories } = this.options;
    this.place = `seed ${seed}, history ${history}`;
    const shape = SHAPES[history % SHAPES.length];
    if (shape !== SHAPES[(history + SHAPES.length - 1) % SHAPES.length])
      this.left = { files: new Map(), state: new Map() };
    this.acknowledged = this.left.state;
    // An index that begins takes the first step of all, which fills it.
    const first = this.left.state.size === 0 ? 0 : history * steps;
    const middle = first + Math.ceil(steps / 2);

    const disk = new PowerDirectory(2 * history, this.left.files);
    this.watch(disk);
    let index = await TriGraph.open(disk, { ...INDEX_OPTIONS, create: true });
    for (let number = first; number < middle; number++) await this.advance(index, stepAt(seed, number, shape));
    await this.killAmid(index, disk, stepAt(seed, middle, shape));

    const again = disk.seenBy(2 * history + 1);
    this.watch(again);
    index = await TriGraph.open(again, { ...INDEX_OPTIONS, create: true });
    const seen = this.states[whichOf([...index.passages()], this.states)];
    // All passages are there already. Who is told so must be able to rely on it.
    await take(index, { kind: "upsert", passages: [...seen.values()] });
    this.acknowledged = seen;
    this.underWay = undefined;
    for (let number = middle + 1; number < first + steps; number++)
      await this.advance(index, stepAt(seed, number, shape));
    await index.close();
    this.figures.histories++;
    this.report.progress(`power: ${history + 1} of ${histories} histories, ${this.figures.crashes} crashes`);
  }

  private get states(): State[] {
    return this.underWay === undefined ? [this.acknowledged] : [this.acknowledged, this.underWay];
  }

  private async advance(index: TriGraph, step: Step): Promise<void> {
    this.underWay = after(this.acknowledged, step);
    await take(index, step);
    this.acknowledged = this.underWay;
    this.underWay = undefined;
  }

  /** The process ends amid a random operation of the step, or after it: what it wrote stays, what it holds is gone. */
  private async killAmid(index: TriGraph, disk: PowerDirectory, step: Step): Promise<void> {
    let left = this.random.between(1, LATEST_KILL);
    await new Promise<void>((killed, broken) => {
      disk.onOperation = () => {
        if (--left > 0) return Promise.resolve();
        killed();
        return new Promise(() => undefined);
      };
      this.advance(index, step).then(killed, broken);
    });
  }

  /** Lets power fail amid each of the directory's operations. */
  private watch(disk: PowerDirectory): void {
    disk.onOperation = async (operation) => {
      this.figures.moments++;
      const random = Array<Random>(this.options.samples).fill(this.random);
      for (const chance of ["least", "most", ...random] as const) {
        const files = disk.survivors(chance);
        try {
          const state = await this.open(files);
          if (this.random.oneIn(20)) this.left = { files, state };
        } catch (error) {
          throw fail(`${this.place}, amid ${operation}`, error);
        }
      }
    };
  }

  /** Opens what survived, compares, and writes on. Returns the state that it found. */
  private async open(files: Files): Promise<State> {
    this.figures.crashes++;
    const directory = await folderOf(files, LAST_PID);
    const index = await TriGraph.open(directory, { ...INDEX_OPTIONS, create: true });
    const found = this.states[await this.compare(index, files)];
    if (found === this.underWay && keyOfState(found) !== keyOfState(this.acknowledged))
      this.figures.keptUnacknowledged++;
    const id = "written after the power failure";
    await index.upsert([{ ...[...found.values()][0], id, text: "Ada Quill came back." }]);
    await index.close();
    const again = await TriGraph.open(directory, { ...INDEX_OPTIONS, readOnly: true });
    if (again.get(id) === undefined || again.size !== found.size + 1) throw new Error("a later write is not there");
    return found;
  }

  /** Checks and questions an index once for each commit: a manifest knows its files by their checksums. */
  private async compare(index: TriGraph, files: Files): Promise<number> {
    const manifests = [...files].filter(([name]) => name.startsWith("manifest-")).sort();
    const commit = JSON.stringify(manifests.map(([name, bytes]) => [name, crc32(bytes)]));
    if (this.compared.has(commit)) return whichOf([...index.passages()], this.states);
    const which = await expectOneOf(index, this.states, this.oracle);
    this.compared.add(commit);
    return which;
  }
}
