import type { Passage } from "@trigraph/core";
import winkBM25 from "wink-bm25-text-search";

export interface Bm25Options {
  /** Default 1.2. */
  readonly k1?: number;
  /** Default 0.75. */
  readonly b?: number;
  /** Words of a text. Default: runs of letters and digits, in lower case. */
  readonly tokenize?: (text: string) => string[];
}

/**
 * Okapi BM25 over title and text, independent of the core: wink-bm25-text-search. No stemming, no stop
 * words. Its idf is `ln((N − n + 0.5) / (n + 0.5) + 1)`, which is never negative; a word that the
 * question repeats counts as often. Of equal scores, the passage met first in the postings comes first.
 */
export class Bm25 {
  readonly #engine: ReturnType<typeof winkBM25>;

  constructor(passages: Iterable<Passage>, { k1 = 1.2, b = 0.75, tokenize = lowerCaseWords }: Bm25Options = {}) {
    this.#engine = winkBM25();
    this.#engine.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1, b, k: 1 } });
    this.#engine.definePrepTasks([tokenize]);
    for (const { id, title = "", text } of passages) this.#engine.addDoc({ text: `${title}\n${text}` }, id);
    // Decimals of the scores; the library's default of four would make ties.
    this.#engine.consolidate(9);
  }

  /** Ids of the best passages; fewer than k when fewer share a word with the question. */
  search(question: string, k: number): string[] {
    return this.#engine.search(question, k).map(([id]) => id);
  }
}

function lowerCaseWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
