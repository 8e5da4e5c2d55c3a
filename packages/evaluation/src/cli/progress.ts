import { Presets, SingleBar } from "cli-progress";
import type { Progress } from "../progress.js";

const WORDS: Readonly<Record<Progress["phase"], string>> = {
  embed: "embedding",
  index: "indexing",
  ask: "asking",
  answer: "answering",
  explain: "explaining",
  compare: "comparing",
  gather: "gathering candidates",
  fit: "fitting",
};

/** Milliseconds between lines where there is no terminal to redraw. */
const LINE_INTERVAL = 10_000;

/** A bar for each phase of each method on a stream. */
export class ProgressBar {
  readonly #stream: NodeJS.WritableStream;
  #bar: SingleBar | undefined;
  #label = "";

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  readonly show = ({ phase, method, done, total }: Progress): void => {
    const label = method === undefined ? WORDS[phase] : `${method}: ${WORDS[phase]}`;
    if (label !== this.#label) {
      this.stop();
      this.#label = label;
      this.#bar = this.#start(label, total ?? 0);
    }
    this.#bar?.update(done);
  };

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #start(label: string, total: number): SingleBar {
    const bar = new SingleBar(
      {
        format: `${label.padEnd(34)} {bar} {value}/{total}`,
        stream: this.#stream,
        noTTYOutput: true,
        notTTYSchedule: LINE_INTERVAL,
        clearOnComplete: true,
        hideCursor: true,
      },
      Presets.legacy,
    );
    bar.start(total, 0);
    return bar;
  }
}
