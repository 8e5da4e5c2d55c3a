/** Texts and Markdown files of the file system. */
import { readdir } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import type { SourcedPassage } from "./corpus.js";
import { documentPassages, isDocument } from "./document-passages.js";
import { readText } from "./text-file.js";

/** The documents of a folder and of the folders in it, by path; hidden ones and node_modules are passed over. */
export async function readFolder(folder: string): Promise<SourcedPassage[]> {
  const files = await findDocuments(folder);
  const sourced: SourcedPassage[] = [];
  for (const file of files) {
    const path = relative(folder, file).split(sep).join("/");
    sourced.push(...(await readDocument(file, `${basename(resolve(folder))}/${path}`)));
  }
  return sourced;
}

/** @param path names the file in ids */
export async function readDocument(file: string, path: string = basename(file)): Promise<SourcedPassage[]> {
  const passages = await documentPassages(path, await readText(file));
  return passages.map((passage) => ({ passage, source: file }));
}

async function findDocuments(folder: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await findDocuments(path)));
    else if (entry.isFile() && isDocument(path)) found.push(path);
  }
  return found;
}
