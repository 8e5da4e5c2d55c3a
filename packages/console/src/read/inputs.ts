/** Files and folders that passages are read from. */
import { readdir, stat } from "node:fs/promises";
import { extname, join, relative, resolve, sep } from "node:path";
import { isDocument } from "./document-passages.js";
import { ReadError } from "./json-lines.js";
import { onFileErrors } from "./text-file.js";

/** The path that stands for standard input, which is read as JSON Lines. */
export const STDIN = "-";

const ROWS: ReadonlySet<string> = new Set([".jsonl", ".ndjson"]);

/** One file that passages are read from. */
export interface Input {
  readonly kind: "rows" | "document";
  /** Where it is; `STDIN` for standard input. */
  readonly file: string;
  /** What it is called in errors, and a document in the ids of its passages; parted by "/" everywhere. */
  readonly name: string;
  /** Undefined for what has no length, such as a pipe. */
  readonly bytes: number | undefined;
}

export interface FindOptions {
  /** The folder that names of documents are relative to. Default: the folder above the path given. */
  readonly root?: string | undefined;
}

/**
 * The files that some paths stand for: of a folder its documents and those of the folders in it, by path, without
 * hidden ones and node_modules.
 *
 * @throws ReadError when a path leads nowhere, to a file of another kind, or to a folder without documents
 */
export async function findInputs(paths: readonly string[], options: FindOptions = {}): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const path of paths) inputs.push(...(await onFileErrors(path, () => inputsOf(path, options))));
  return inputs;
}

async function inputsOf(path: string, { root = join(path, "..") }: FindOptions): Promise<Input[]> {
  if (path === STDIN) return [{ kind: "rows", file: STDIN, name: "standard input", bytes: undefined }];
  const found = await stat(path);
  const bytes = found.isFile() ? found.size : undefined;
  const nameOf = (file: string) => relative(resolve(root), resolve(file)).split(sep).join("/");
  if (found.isDirectory()) {
    const documents = await findDocuments(path);
    if (documents.length === 0) throw nothingIn(path);
    return documents.map(({ file, size }) => ({ kind: "document", file, name: nameOf(file), bytes: size }));
  }
  if (isDocument(path)) return [{ kind: "document", file: path, name: nameOf(path), bytes }];
  if (ROWS.has(extname(path).toLowerCase())) return [{ kind: "rows", file: path, name: path, bytes }];
  throw new ReadError(`${path}: expected a .jsonl, .md or .txt file or a folder of .md and .txt files.`);
}

async function findDocuments(folder: string): Promise<{ file: string; size: number }[]> {
  const found: { file: string; size: number }[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const file = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await findDocuments(file)));
    else if (entry.isFile() && isDocument(file)) found.push({ file, size: (await stat(file)).size });
  }
  return found;
}

/** What a path without a passage is told. */
export function nothingIn(path: string): ReadError {
  return new ReadError(`${path}: expected at least one passage, found none.`);
}
