/** Texts and Markdown files, split into passages. */
import { readdir } from "node:fs/promises";
import { basename, extname, join, relative, resolve, sep } from "node:path";
import { type Section, splitIntoPassages } from "./passages.js";
import type { SourcedPassage } from "./corpus.js";
import { readText } from "./text-file.js";

const MARKDOWN = new Set([".md", ".markdown"]);
const DOCUMENTS = new Set([...MARKDOWN, ".txt"]);

/** A document as sections under headings, in text order. */
export interface Document {
  /** What the document calls itself; undefined when it does not say. */
  readonly name: string | undefined;
  readonly sections: readonly Section[];
}

export function isDocument(path: string): boolean {
  return DOCUMENTS.has(extname(path).toLowerCase());
}

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

/**
 * One document. Its passages have the ids `path#1`, `path#2`, … and the title `Name (Heading › Heading)`: the graph
 * takes what stands before the brackets as the thing that all these passages are about.
 *
 * @param path names the file in ids
 */
export async function readDocument(file: string, path: string = basename(file)): Promise<SourcedPassage[]> {
  const text = await readText(file);
  const extension = extname(file);
  const { name = basename(file, extension), sections } = MARKDOWN.has(extension.toLowerCase())
    ? (await import("./markdown.js")).parseMarkdown(text)
    : { sections: [{ headings: [], blocks: parseParagraphs(text) }] };
  const passages = sections.flatMap((section) => {
    const title = section.headings.length === 0 ? name : `${name} (${section.headings.join(" › ")})`;
    return splitIntoPassages(section.blocks).map((text) => ({ title, text }));
  });
  return passages.map(({ title, text }, i) => ({
    passage: { id: `${path}#${i + 1}`, title, text, metadata: { file: path } },
    source: file,
  }));
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

/** Paragraphs of plain text: parted by blank lines. */
function parseParagraphs(text: string) {
  return text
    .split(/\r?\n\s*\n/)
    .map((paragraph) => ({ kind: "prose" as const, text: paragraph.trim() }))
    .filter((block) => block.text !== "");
}
