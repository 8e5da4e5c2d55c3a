import type { Passage } from "../types.js";

/** What a passage is embedded as: the title says what the text is about. */
export function embeddedText({ title, text }: { readonly title?: string | undefined } & Pick<Passage, "text">): string {
  return title === undefined || title.trim() === "" ? text : `${title}\n${text}`;
}
