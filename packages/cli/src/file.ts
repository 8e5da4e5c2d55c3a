import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { CommandError, messageOf } from "./errors.js";
import { writeAll } from "./print.js";

/** Writes a file, beside it first: what was there stays until all is written. @throws CommandError, or the signal's reason */
export async function writeFile(file: string, pieces: Iterable<string>, signal: AbortSignal): Promise<void> {
  const part = `${file}.part`;
  try {
    await writeAll(createWriteStream(part), pieces, signal, { end: true });
    await rename(part, file);
  } catch (error) {
    // The error to report is the first one.
    await rm(part, { force: true }).catch(() => undefined);
    signal.throwIfAborted();
    throw new CommandError(`${file}: cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
