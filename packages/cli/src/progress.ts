import { Presets, SingleBar } from "cli-progress";
import { LINE_INTERVAL } from "./defaults.js";
import { count } from "./print.js";

/** How far a command has come. */
export interface Step {
  /** In whatever the command counts. */
  readonly done: number;
  /** Undefined when nobody knows: then there is no bar and no time left. */
  readonly total: number | undefined;
  readonly passages: number;
}

/** Shows progress until it is stopped. */
export interface ProgressBar {
  show(step: Step): void;
  stop(): void;
}

const SILENT: ProgressBar = { show: () => undefined, stop: () => undefined };

/** A bar with rate and time left on a terminal, elsewhere a line now and then; nothing when quiet. */
export function progressBar(stream: NodeJS.WritableStream, label: string, quiet: boolean): ProgressBar {
  if (quiet) return SILENT;
  const started = performance.now();
  let bar: SingleBar | undefined;
  return {
    show({ done, total, passages }) {
      bar ??= start(stream, label, total);
      const seconds = (performance.now() - started) / 1000;
      bar.update(done, { passages: count(passages), rate: count(Math.round(passages / Math.max(seconds, 1e-3))) });
    },
    stop() {
      bar?.stop();
    },
  };
}

function start(stream: NodeJS.WritableStream, label: string, total: number | undefined): SingleBar {
  const known = total === undefined ? "" : " {bar} {percentage} %";
  const left = total === undefined ? "" : ", {eta_formatted} left";
  const bar = new SingleBar(
    {
      format: `${label}${known}  {passages} passages, {rate}/s${left}`,
      stream,
      noTTYOutput: true,
      notTTYSchedule: LINE_INTERVAL,
      etaBuffer: 50,
      barsize: 24,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.legacy,
  );
  bar.start(total ?? 0, 0, { passages: "0", rate: "0" });
  return bar;
}
