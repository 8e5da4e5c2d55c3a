import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { WRITE_CHUNK } from "./defaults.js";

/** One JSON document. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** 1,234,567 */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** Writes pieces of text no faster than they are taken, and leaves the stream open. */
export async function writeAll(
  out: NodeJS.WritableStream,
  pieces: Iterable<string>,
  signal: AbortSignal,
  { end = false }: { end?: boolean } = {},
): Promise<void> {
  await pipeline(Readable.from(chunks(pieces)), out, { end, signal });
}

function* chunks(pieces: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < WRITE_CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
