import type { TriGraph } from "@trigraph/core";

/** The passages as rows that `index` reads. */
export function* passageLines(index: TriGraph, withVectors: boolean): Generator<string, void, undefined> {
  for (const { id, title, text, metadata } of index.passages()) {
    const vector = withVectors ? index.vectorOf(id) : undefined;
    const row = { id, title, text, metadata, vector: vector === undefined ? undefined : Array.from(vector) };
    yield `${JSON.stringify(row)}\n`;
  }
}
