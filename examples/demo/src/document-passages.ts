import type { Passage } from "@trigraph/core";
import { type Section, splitIntoPassages } from "./passages.js";

/** A document as sections under headings, in text order. */
export interface Document {
  /** What the document calls itself; undefined when it does not say. */
  readonly name: string | undefined;
  readonly sections: readonly Section[];
}

const MARKDOWN = /\.(?:md|markdown)$/i;
const TEXT = /\.txt$/i;

/** Whether a file of this name can be read as a document. */
export function isDocument(path: string): boolean {
  return MARKDOWN.test(path) || TEXT.test(path);
}

/**
 * The passages of a document. They have the ids `path#1`, `path#2`, … and the title `Name (Heading › Heading)`: the graph
 * takes what stands before the brackets as the thing that all these passages are about.
 *
 * @param path names the file in ids, and the document when it does not name itself; with "/" between folders
 */
export async function documentPassages(path: string, text: string): Promise<Passage[]> {
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  const { name = fileName.replace(/\.[^.]+$/, ""), sections } = MARKDOWN.test(path)
    ? (await import("./markdown.js")).parseMarkdown(text)
    : { sections: [{ headings: [], blocks: parseParagraphs(text) }] };
  const passages = sections.flatMap((section) => {
    const title = section.headings.length === 0 ? name : `${name} (${section.headings.join(" › ")})`;
    return splitIntoPassages(section.blocks).map((text) => ({ title, text }));
  });
  return passages.map(({ title, text }, i) => ({ id: `${path}#${i + 1}`, title, text, metadata: { file: path } }));
}

/** Paragraphs of plain text: parted by blank lines. */
function parseParagraphs(text: string) {
  return text
    .split(/\r?\n\s*\n/)
    .map((paragraph) => ({ kind: "prose" as const, text: paragraph.trim() }))
    .filter((block) => block.text !== "");
}
