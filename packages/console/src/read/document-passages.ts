/** Texts and Markdown, split into passages; also in browsers. */
import type { Passage } from "@trigraph/core";
import { sectionTitles } from "./section-title.js";
import { type Section, splitIntoPassages } from "./split.js";

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
 * The passages of one document.
 *
 * Their ids are its name, the headings above and a number: `notes/a.md#1`, `notes/a.md#Life/Childhood#1`. So what is
 * written under one heading leaves the ids under the others as they are. Their titles are `Name (Heading › Heading)`, or
 * `Heading (Name)` where a heading is a name.
 *
 * @param path names the file in ids, and the document when it does not name itself; with "/" between folders
 */
export async function documentPassages(path: string, text: string): Promise<Passage[]> {
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  const { name = fileName.replace(/\.[^.]+$/, ""), sections } = MARKDOWN.test(path)
    ? (await import("./markdown.js")).parseMarkdown(text)
    : { sections: [{ headings: [], blocks: parseParagraphs(text) }] };
  const numbers = new Map<string, number>();
  const titles = sectionTitles(name, sections);
  return sections.flatMap(({ headings, blocks }, i) => {
    const title = titles[i];
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
