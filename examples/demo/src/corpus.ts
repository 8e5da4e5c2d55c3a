import { stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Passage } from "@trigraph/core";
import { z } from "zod";
import { isDocument } from "./document-passages.js";
import { readDocument, readFolder } from "./documents.js";
import { DemoError } from "./errors.js";
import { parseJsonLines } from "./json-lines.js";
import { readText } from "./text-file.js";

/** A passage and where it was read, for errors: `notes.jsonl:12`, `notes/a.md`. */
export interface SourcedPassage {
  readonly passage: Passage;
  readonly source: string;
}

const PASSAGE_ROW = z.object({
  id: z.union([z.string().min(1), z.number().transform(String)]),
  title: z.string().optional(),
  text: z.string().refine((text) => text.trim() !== "", "Expected a text that is not blank"),
  metadata: z.record(z.string(), z.json()).optional(),
});

/**
 * All passages of some files and folders, in the order given.
 *
 * @throws DemoError when one cannot be read, when none holds a passage, or when two passages have the same id
 */
export async function readCorpora(paths: readonly string[]): Promise<Passage[]> {
  const sourced: SourcedPassage[] = [];
  for (const path of paths) sourced.push(...(await readCorpus(path)));
  const first = new Map<string, string>();
  for (const { passage, source } of sourced) {
    const before = first.get(passage.id);
    if (before !== undefined) {
      throw new DemoError(`${source}: expected an id of its own, got "${passage.id}", which ${before} has as well`);
    }
    first.set(passage.id, source);
  }
  return sourced.map(({ passage }) => passage);
}

async function readCorpus(path: string): Promise<SourcedPassage[]> {
  const sourced = await onFileErrors(path, async () => {
    if ((await stat(path)).isDirectory()) return readFolder(path);
    if (isDocument(path)) return readDocument(path);
    if ([".jsonl", ".ndjson"].includes(extname(path).toLowerCase())) return readRows(path);
    throw new DemoError(`${path}: expected a .jsonl, .md or .txt file or a folder of .md and .txt files`);
  });
  if (sourced.length === 0) throw new DemoError(`${path}: expected at least one passage, found none`);
  return sourced;
}

async function readRows(file: string): Promise<SourcedPassage[]> {
  const rows = parseJsonLines(
    await readText(file),
    file,
    PASSAGE_ROW,
    'a passage such as {"id": "1", "title": "optional", "text": "…"}',
  );
  return rows.map(({ line, row: { id, title, text, metadata } }) => ({
    passage: { id, text, ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) },
    source: `${file}:${line}`,
  }));
}

async function onFileErrors<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || typeof error.code !== "string") throw error;
    if (error.code === "ENOENT") throw new DemoError(`${path}: expected a file or folder, found nothing there`);
    throw new DemoError(`${path}: cannot be read: ${error.message}`);
  }
}
