import type { Passage } from "@trigraph/core";

/** What a passage is called in lists. */
export function titleOf({ id, title }: Pick<Passage, "id" | "title">): string {
  return title === undefined || title.trim() === "" ? id : title;
}

/** White space, line ends too, as single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
