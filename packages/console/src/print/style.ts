import process from "node:process";
import pc from "picocolors";

export type Colors = ReturnType<typeof pc.createColors>;

/** How to print: with which colours, and how wide. */
export interface Style {
  readonly colors: Colors;
  /** Columns of the terminal. */
  readonly width: number;
}

const NARROWEST = 40;
/** Longer lines are hard to read. */
const WIDEST = 150;
/** Of what is piped somewhere, unless COLUMNS says otherwise. */
const DEFAULT_WIDTH = 100;

export function readStyle({ noColor }: { noColor: boolean }): Style {
  const { stdout, env } = process;
  const columns = (stdout.isTTY ? stdout.columns : Number(env.COLUMNS)) || DEFAULT_WIDTH;
  return {
    // Node's hasColors heeds NO_COLOR, FORCE_COLOR and TERM.
    // `isTTY` is undefined for a pipe, and undefined would leave the choice to picocolors, which colours under CI.
    colors: pc.createColors(Boolean(!noColor && stdout.isTTY && stdout.hasColors())),
    width: Math.min(Math.max(Math.trunc(columns), NARROWEST), WIDEST),
  };
}

/** Ends quietly when whoever reads the output has seen enough, as `head` does. */
export function endOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}
