/** Texts and Markdown files, split into passages. */
import { basename, extname } from "node:path";
import type { Passage } from "@trigraph/core";
import { type Section, splitIntoPassages } from "./split.js";
import { readText } from "./text-file.js";

const MARKDOWN: ReadonlySet<string> = new Set([".md", ".markdown"]);
const DOCUMENTS: ReadonlySet<string> = new Set([...MARKDOWN, ".txt"]);

/** A document as sections under headings, in text order. */
export interface Document {
  /** What the document calls itself; undefined when it does not say. */
  readonly name: string | undefined;
  readonly sections: readonly Section[];
}

export function isDocument(path: string): boolean {
  return DOCUMENTS.has(extname(path).toLowerCase());
}

/**
 * The passages of one document.
 *
 * Their ids are its name, the headings above and a number: `notes/a.md#1`, `notes/a.md#Life/Childhood#1`. So what is
 * written under one heading leaves the ids under the others as they are. Their titles are `Name (Heading › Heading)`: the
 * graph takes what stands before the brackets as the thing that all these passages are about.
 *
 * @param path names the file in ids
 * @throws ReadError when the file cannot be read
 */
export async function readDocument(file: string, path: string): Promise<Passage[]> {
  const text = await readText(file);
  const extension = extname(file);
  const { name = basename(file, extension), sections } = MARKDOWN.has(extension.toLowerCase())
    ? (await import("./markdown.js")).parseMarkdown(text)
    : { sections: [{ headings: [], blocks: parseParagraphs(text) }] };
  const numbers = new Map<string, number>();
  return sections.flatMap(({ headings, blocks }) => {
    const title = headings.length === 0 ? name : `${name} (${headings.join(" › ")})`;
    const place = headings.length === 0 ? path : `${path}#${headings.join("/")}`;
    return splitIntoPassages(blocks).map((text) => {
      // Counted on where a heading comes again.
      const number = (numbers.get(place) ?? 0) + 1;
      numbers.set(place, number);
      return { id: `${place}#${number}`, title, text, metadata: { file: path } };
    });
  });
}

/** Paragraphs of plain text: parted by blank lines. */
function parseParagraphs(text: string) {
  return text
    .split(/\r?\n\s*\n/)
    .map((paragraph) => ({ kind: "prose" as const, text: paragraph.trim() }))
    .filter((block) => block.text !== "");
}
