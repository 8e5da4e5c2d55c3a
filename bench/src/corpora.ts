import type { Passage } from "@trigraph/core";
import type { Question } from "@trigraph/evaluation";
import { DataFolder } from "./data-sets.js";
import { UsageError } from "./errors.js";
import { SyntheticCorpus } from "./synthetic-corpus.js";

/** Which corpus to measure at. */
export type CorpusSize = { readonly kind: "2wiki" | "mix" } | { readonly kind: "generated"; readonly passages: number };

/** A corpus to measure at: its passages may be read several times, each time from the first on. */
export interface Corpus {
  readonly name: string;
  readonly size: number;
  readonly questions: readonly Question[];
  passages(): Iterable<Passage>;
}

/** "6k" and "30k" are real corpora, "generated:30k" and all other sizes ("100k", "1m", "5000") generated ones. */
export function parseCorpusSize(text: string): CorpusSize {
  const size = text.trim().toLowerCase();
  if (size === "6k") return { kind: "2wiki" };
  if (size === "30k") return { kind: "mix" };
  const [, digits, unit] = /^(?:generated:)?([0-9]+(?:\.[0-9]+)?)(k|m)?$/.exec(size) ?? [];
  const passages = Number(digits) * (unit === "m" ? 1e6 : unit === "k" ? 1e3 : 1);
  if (!Number.isInteger(passages) || passages < 1000 || passages > 10_000_000) {
    throw new UsageError(`--sizes: expected sizes such as 6k, 30k, generated:30k, 100k or 1m, got "${text}"`);
  }
  return { kind: "generated", passages };
}

export function openCorpus(size: CorpusSize, data: string | undefined, seed: number): Corpus {
  if (size.kind === "generated") {
    const corpus = new SyntheticCorpus({ passages: size.passages, seed });
    return {
      name: "generated",
      size: corpus.size,
      questions: corpus.questions,
      passages: () => corpus.passages(),
    };
  }
  const folder = new DataFolder(data);
  if (size.kind === "2wiki") {
    const { passages, questions } = folder.readSet("2wikimultihopqa");
    return { name: "2Wiki", size: passages.length, questions, passages: () => passages };
  }
  const { passages, questions } = folder.readMix();
  return { name: "mix", size: passages.length, questions: [...questions.values()].flat(), passages: () => passages };
}
