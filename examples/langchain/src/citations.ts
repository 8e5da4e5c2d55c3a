import type { Document } from "@langchain/core/documents";

/** What the numbers of an answer, as in [2], refer to. */
export interface Citations {
  /** The documents cited, by number, each once, in order. */
  readonly cited: ReadonlyMap<number, Document>;
  /** Numbers that there is no document for: the model made them up. */
  readonly invented: readonly number[];
}

/** @param documents what the model was shown as [1], [2], … */
export function readCitations(answer: string, documents: readonly Document[]): Citations {
  const found = [...answer.matchAll(/\[(\d+)\]/g)].map(([, digits]) => Number(digits));
  const numbers = [...new Set(found)].sort((a, b) => a - b);
  const exists = (number: number) => number >= 1 && number <= documents.length;
  return {
    cited: new Map(numbers.filter(exists).map((number) => [number, documents[number - 1]])),
    invented: numbers.filter((number) => !exists(number)),
  };
}
