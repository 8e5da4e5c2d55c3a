/** The passages of some inputs, one after the other. */
import { createReadStream } from "node:fs";
import type { Passage } from "@trigraph/core";
import { documentPassages } from "./document-passages.js";
import { readText } from "./text-file.js";
import { findInputs, type FindOptions, type Input, nothingIn, STDIN } from "./inputs.js";
import { EXPECTED_PASSAGE, Ids, parseRow, INDEXED_ROW, ReadError } from "./json-lines.js";
import { fileError, readLines } from "./text-file.js";

/** A passage, where it was read, as in `notes.jsonl:12` or `notes/a.md`, and how far the reading has come. */
export interface SourcedPassage {
  readonly passage: Passage;
  readonly source: string;
  /** Bytes of all inputs up to the end of this passage. */
  readonly bytes: number;
}

export interface ReadOptions {
  /** What `STDIN` reads. Default: it is refused. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Called with each row that is no passage, or has an id of another one, which is then left out. Default: it is thrown. */
  readonly onBadRow?: ((error: ReadError) => void) | undefined;
}

/**
 * The passages of some inputs in the order given. Rows are read as they are asked for: in memory is one at a time, and
 * of a document all passages; of what was read, the ids.
 *
 * @throws ReadError with file and line when an input cannot be read, holds no passage, or a row is no passage
 */
export async function* readPassages(
  inputs: readonly Input[],
  options: ReadOptions = {},
): AsyncGenerator<SourcedPassage, void, undefined> {
  const ids = new Ids();
  const { onBadRow } = options;
  let before = 0;
  for (const input of inputs) {
    let bytes = 0;
    let count = 0;
    const attempt = <T>(read: () => T): T | undefined => {
      try {
        return read();
      } catch (error) {
        if (onBadRow === undefined || !(error instanceof ReadError)) throw error;
        onBadRow(error);
        return undefined;
      }
    };
    for await (const { read, source, end } of candidatesOf(input, options)) {
      bytes = end;
      count++;
      const passage = attempt(() => {
        const found = read();
        ids.add(found.id, source);
        return found;
      });
      if (passage !== undefined) yield { passage, source, bytes: before + bytes };
    }
    // A blank document among others is no mistake.
    if (count === 0 && input.kind === "rows") throw nothingIn(input.name);
    before += input.bytes ?? bytes;
  }
}

/** All passages of some files and folders at once. @throws ReadError, as `readPassages`, or when there is none */
export async function allPassages(paths: readonly string[], options: FindOptions = {}): Promise<Passage[]> {
  const passages: Passage[] = [];
  for await (const { passage } of readPassages(await findInputs(paths, options))) passages.push(passage);
  if (passages.length === 0) throw nothingIn(paths.join(", "));
  return passages;
}

/** What may be a passage; reading it throws where it is none. */
interface Candidate {
  readonly read: () => Passage;
  readonly source: string;
  /** Bytes of the input up to its end. */
  readonly end: number;
}

async function* candidatesOf(input: Input, options: ReadOptions): AsyncGenerator<Candidate> {
  const { kind, file, name, bytes = 0 } = input;
  if (kind === "document") {
    for (const passage of await documentPassages(name, await readText(file)))
      yield { read: () => passage, source: file, end: bytes };
    return;
  }
  let number = 0;
  try {
    for await (const { text, end } of readLines(chunksOf(file, options), name)) {
      number++;
      if (text.trim() === "") continue;
      const source = `${name}:${number}`;
      yield { read: () => parseRow(text, source, INDEXED_ROW, EXPECTED_PASSAGE), source, end };
    }
  } catch (error) {
    throw fileError(name, error);
  }
}

function chunksOf(file: string, { stdin }: ReadOptions): AsyncIterable<Uint8Array> {
  if (file !== STDIN) return createReadStream(file, { highWaterMark: 2 ** 18 });
  if (stdin === undefined) throw new ReadError(`${STDIN}: expected a file or folder, got standard input.`);
  return stdin;
}
