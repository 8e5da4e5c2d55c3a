import type { Document } from "@langchain/core/documents";
import { InvalidArgumentError, type Metadata, type PassageFilter, show } from "@trigraph/core";
import { toDocument } from "./documents.js";

/**
 * Which documents a query may see: a predicate (what `MemoryVectorStore` and self-query's `FunctionalTranslator` use),
 * or metadata values that must be equal, all of them. Applied before anything is ranked.
 */
export type DocumentFilter = ((document: Document) => boolean) | Metadata;

/** @throws InvalidArgumentError on a filter of another shape, which would otherwise match nothing, or everything */
export function toPassageFilter(method: string, filter: DocumentFilter | undefined): PassageFilter | undefined {
  if (filter === undefined) return undefined;
  if (typeof filter === "function") return (passage) => filter(toDocument(passage));
  if (typeof filter !== "object" || filter === null || Array.isArray(filter)) {
    throw new InvalidArgumentError(
      `${method}: expected the filter to be a function or an object of metadata values, got ${show(filter)}.`,
    );
  }
  const operator = Object.entries(filter)
    .flatMap(([key, value]) => [key, ...(typeof value === "object" && value !== null ? Object.keys(value) : [])])
    .find((key) => key.startsWith("$"));
  if (operator !== undefined) {
    throw new InvalidArgumentError(
      `${method}: expected the filter's values to be equal to, got the operator ${show(operator)}. Pass a function (document) => boolean.`,
    );
  }
  return filter;
}
