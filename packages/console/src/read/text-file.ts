import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { ReadError } from "./json-lines.js";

/** A row longer than this, in characters, is no row but a file of another kind, and is not gathered in memory. */
const LONGEST_LINE = 2 ** 27;

/** A line without its end, and the bytes that the text takes up to there. */
export interface Line {
  readonly text: string;
  readonly end: number;
}

/**
 * The text of a file in UTF-8, without a byte order mark.
 *
 * @throws ReadError when it cannot be read or is no UTF-8
 */
export async function readText(file: string): Promise<string> {
  const bytes = await onFileErrors(file, () => readFile(file));
  return decode(file, new TextDecoder("utf-8", { fatal: true }), bytes);
}

/**
 * Lines as they come, one after the other in memory. Parted by "\n" alone: JSON may hold every other sign that parts
 * lines of text.
 *
 * @param file names the text in errors
 * @throws ReadError when the text is no UTF-8, or no text in lines
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let end = 0;
  let rest = "";
  for await (const chunk of chunks) {
    const parts = decode(file, decoder, chunk, true).split("\n");
    parts[0] = rest + parts[0];
    rest = parts.pop()!;
    for (const text of parts) {
      end += Buffer.byteLength(text) + 1;
      yield { text, end };
    }
    if (rest.length > LONGEST_LINE) throw new ReadError(`${file}: expected a row a line, got a line without an end.`);
  }
  rest += decode(file, decoder, new Uint8Array());
  if (rest !== "") yield { text: rest, end: end + Buffer.byteLength(rest) };
}

/** Runs what reads a file. @throws ReadError in place of what the file system throws */
export async function onFileErrors<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw fileError(path, error);
  }
}

/** @returns a ReadError for what the file system throws, else the error itself */
export function fileError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
  const found = error.code === "ENOENT" ? "expected a file or folder, found nothing there" : undefined;
  return new ReadError(`${path}: ${found ?? `cannot be read: ${error.message}`}.`, { cause: error });
}

function decode(file: string, decoder: TextDecoder, bytes: Uint8Array, stream = false): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (error) {
    throw new ReadError(`${file}: expected text in UTF-8.`, { cause: error });
  }
}
