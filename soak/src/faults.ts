/** Every operation of a history fails once, in every way that it can; the same index object then goes on. */
import { IndexError, TriGraph } from "@trigraph/core";
import { HostedDirectory } from "./directories/memory.js";
import { FAULTS, type Fault, FaultyDirectory } from "./directories/faulty.js";
import { after, type Shape, SMALL, type State, type Step, stepAt, take, WIDE } from "./history.js";
import { expectOneOf, INDEX_OPTIONS, Oracle, whichOf } from "./oracle.js";
import { fail, type Report } from "./report.js";

export interface FaultOptions {
  readonly seed: number;
  readonly histories: number;
  /** Steps of a history. */
  readonly steps: number;
}

export interface FaultFigures {
  histories: number;
  /** Faults met, by their kind and operation. */
  readonly faults: Record<string, number>;
  /** Faults that a call reported, by the error's code. */
  readonly reported: Record<string, number>;
  /** Faults that changed nothing for the caller: of clean-up, and of look-ups that look again. */
  absorbed: number;
}

/** Every third history has dead passages in files of their own. */
const SHAPES = [SMALL, SMALL, WIDE];

/** Throws when an error is untyped, a commit is lost or halved, or the index cannot go on. */
export async function soakFaults(options: FaultOptions, report: Report): Promise<FaultFigures> {
  const soak = new FaultSoak(options);
  for (let history = 0; history < options.histories; history++) {
    await soak.live(history);
    report.progress(
      `faults: ${history + 1} of ${options.histories} histories, ${JSON.stringify(soak.figures.reported)}`,
    );
  }
  return soak.figures;
}

class FaultSoak {
  readonly figures: FaultFigures = { histories: 0, faults: {}, reported: {}, absorbed: 0 };
  private readonly options: FaultOptions;
  private readonly oracle = new Oracle();

  constructor(options: FaultOptions) {
    this.options = options;
  }

  async live(history: number): Promise<void> {
    const { seed, steps } = this.options;
    const shape = SHAPES[history % SHAPES.length];
    for (const fault of FAULTS) {
      for (let at = 1; ; at++) {
        const life = new Life(this.figures, this.oracle, fault, at);
        try {
          if (!(await life.run(seed + history, steps, shape))) break;
        } catch (error) {
          throw fail(`seed ${seed}, history ${history}, ${fault} at operation ${at}, ${life.met ?? "not met"}`, error);
        }
      }
    }
    this.figures.histories++;
  }
}

/** One run through a history, with one fault. */
class Life {
  private readonly figures: FaultFigures;
  private readonly oracle: Oracle;
  private readonly fault: Fault;
  private readonly at: number;
  private readonly disk = new HostedDirectory(1);
  private readonly directory: FaultyDirectory;
  private state: State = new Map();

  constructor(figures: FaultFigures, oracle: Oracle, fault: Fault, at: number) {
    this.figures = figures;
    this.oracle = oracle;
    this.fault = fault;
    this.at = at;
    this.directory = new FaultyDirectory(this.disk, fault, at);
  }

  get met(): string | undefined {
    return this.directory.met;
  }

  /** False when the history has fewer operations than that. */
  async run(seed: number, steps: number, shape: Shape): Promise<boolean> {
    const { directory } = this;
    let index = await this.withFault(() => TriGraph.open(directory, { ...INDEX_OPTIONS, create: true }));
    for (let number = 0; number < steps; number++) {
      const isMet = directory.met !== undefined;
      const live = index;
      await this.withFault(() => take(live, stepAt(seed, number, shape)), { index, step: stepAt(seed, number, shape) });
      this.state = after(this.state, stepAt(seed, number, shape));
      // One more step after the fault, by the same object, and it has shown that it goes on.
      if (isMet) break;
      if (number === steps >> 1) {
        await this.withFault(() => live.close());
        index = await this.withFault(() => TriGraph.open(directory, INDEX_OPTIONS));
      }
    }
    const last = index;
    await this.withFault(() => last.check(), { index });
    await this.withFault(() => last.close());
    await this.compareStored([this.state]);
    const again = await this.withFault(() => TriGraph.open(directory, INDEX_OPTIONS));
    await this.withFault(() => again.close());
    this.count();
    return directory.operations >= this.at;
  }

  private count(): void {
    if (this.met === undefined) return;
    const kind = `${this.fault} ${this.met.split(" ")[0]}`;
    this.figures.faults[kind] = (this.figures.faults[kind] ?? 0) + 1;
  }

  /** Makes a call; when the fault makes it fail, looks at what is left, and makes it again. */
  private async withFault<T>(call: () => Promise<T>, during: { index?: TriGraph; step?: Step } = {}): Promise<T> {
    const isMetBefore = this.met !== undefined;
    const newest = await this.newestManifest();
    try {
      const result = await call();
      if (!isMetBefore && this.met !== undefined) {
        this.figures.absorbed++;
        // What fails for the check is a finding, not an error.
        this.directory.free();
      }
      return result;
    } catch (error) {
      if (isMetBefore || this.met === undefined) throw new Error("a call failed without a fault", { cause: error });
      if (!(error instanceof IndexError)) throw new Error("the error is not typed", { cause: error });
      this.figures.reported[error.code] = (this.figures.reported[error.code] ?? 0) + 1;
    }
    const { index, step } = during;
    // What the object answers has not changed; what is stored may be the new commit only if its manifest was made.
    if (index !== undefined) whichOf([...index.passages()], [this.state]);
    const isMade = (await this.newestManifest()) !== newest;
    await this.compareStored(step !== undefined && isMade ? [this.state, after(this.state, step)] : [this.state]);
    this.directory.free();
    return call();
  }

  private async newestManifest(): Promise<string | undefined> {
    return (await this.disk.list()).filter((name) => /^manifest-[0-9]+[.]json$/.test(name)).at(-1);
  }

  /** Opens what is stored as another process would. */
  private async compareStored(states: readonly State[]): Promise<void> {
    const isEmpty = (await this.newestManifest()) === undefined;
    if (isEmpty && states.some(({ size }) => size === 0)) return;
    await expectOneOf(await TriGraph.open(this.disk, { ...INDEX_OPTIONS, readOnly: true }), states, this.oracle);
  }
}
