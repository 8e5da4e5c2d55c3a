import type { Passage } from "@trigraph/core";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { EvaluationError, messageOf } from "../errors.js";
import { parseCorpora, type NamedText } from "./corpus.js";
import { parseQuestions } from "./question-files.js";
import type { Question } from "./question.js";

/** A file that figures rest on; the digest tells whether another run had the same. */
export interface Source {
  readonly name: string;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  readonly sha256: string;
}

/** Which files are read. Names are paths. */
export interface DataFiles {
  readonly corpora: readonly string[];
  readonly questions: readonly string[];
  /** False drops the titles of all passages. Default true. */
  readonly titles?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What the files hold. */
export interface Data {
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
  readonly sources: { readonly corpora: readonly Source[]; readonly questions: readonly Source[] };
}

/**
 * Reads corpora and questions in JSON Lines; `parseCorpora` and `parseQuestions` describe the rows.
 *
 * @throws EvaluationError `DATA` when a file cannot be read or is not as described
 */
export async function readData({ corpora, questions, titles = true, signal }: DataFiles): Promise<Data> {
  const corpus = await readCorpora(corpora, titles, signal);
  const asked = await readQuestions(questions, corpus.passages, signal);
  return {
    passages: corpus.passages,
    questions: asked.questions,
    sources: { corpora: corpus.sources, questions: asked.sources },
  };
}

/** Reads corpora alone. @param titles false drops the titles of all passages. @throws EvaluationError `DATA` */
export async function readCorpora(files: readonly string[], titles: boolean, signal: AbortSignal | undefined) {
  const read = await readAll(files, signal);
  return { passages: parseCorpora(read, { titles }), sources: read.map(toSource) };
}

/** Reads questions about these passages. @throws EvaluationError `DATA` */
export async function readQuestions(
  files: readonly string[],
  passages: readonly Passage[],
  signal: AbortSignal | undefined,
) {
  const read = await readAll(files, signal);
  const ids = new Set(passages.map(({ id }) => id));
  return { questions: parseQuestions(read, (id) => ids.has(id)), sources: read.map(toSource) };
}

interface ReadFile extends NamedText {
  readonly sha256: string;
}

async function readAll(files: readonly string[], signal: AbortSignal | undefined): Promise<ReadFile[]> {
  const read: ReadFile[] = [];
  for (const name of files) read.push(await readText(name, signal));
  return read;
}

async function readText(name: string, signal: AbortSignal | undefined): Promise<ReadFile> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(name, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new EvaluationError("DATA", `${name}: cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  try {
    return { name, sha256, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    throw new EvaluationError("DATA", `${name}: expected text in UTF-8.`, { cause: error });
  }
}

function toSource({ name, sha256 }: ReadFile): Source {
  return { name, sha256 };
}
