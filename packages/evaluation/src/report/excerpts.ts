import type { Passage } from "@trigraph/core";
import { EXCERPT } from "../defaults.js";
import type { Excerpt, Failure } from "./report.js";

/** The passages that some failures name, each once, by id. */
export function excerptsOf(failures: readonly Failure[], passages: ReadonlyMap<string, Passage>): Excerpt[] {
  const ids = new Set<string>();
  for (const { gold, methods } of failures) {
    for (const { id } of gold) ids.add(id);
    for (const { returned } of methods) for (const { id } of returned) ids.add(id);
  }
  return [...ids].sort().map((id) => excerptOf(passages.get(id)!));
}

function excerptOf({ id, title, text }: Passage): Excerpt {
  return { id, title: title ?? null, text: text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text };
}
