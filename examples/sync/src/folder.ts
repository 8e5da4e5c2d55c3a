/** A folder of Markdown and text files as passages with content ids. */
import { createHash } from "node:crypto";
import { allPassages } from "@trigraph/console/read";
import type { Passage } from "@trigraph/core";

/** Digits of a hash in an id. 64 bits tell the passages of one file apart, however many. */
const DIGITS = 16;

/**
 * All passages below a folder. An id is the file and a hash of what the passage says, so it stays while the words do,
 * wherever in the file they go: only what is new has to be read, and embedded. Where a passage stands is its metadata:
 * `position`, from 0, in its `file`.
 *
 * @throws ReadError when the folder cannot be read, or has no such file: a wrong path must not empty an index
 */
export async function readFolder(folder: string): Promise<Passage[]> {
  const counts = new Map<string, number>();
  return (await allPassages([folder], { root: folder })).map(({ title, text, metadata }) => {
    const file = metadata!.file as string;
    const position = counts.get(file) ?? 0;
    counts.set(file, position + 1);
    return { id: contentId(file, title!, text), title: title!, text, metadata: { file, position } };
  });
}

function contentId(file: string, title: string, text: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([title, text]))
    .digest("hex");
  return `${file}#${hash.slice(0, DIGITS)}`;
}
