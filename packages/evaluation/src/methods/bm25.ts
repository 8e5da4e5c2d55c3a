import type { Passage } from "@trigraph/core";
import winkBM25 from "wink-bm25-text-search";
import type { Method } from "./method.js";

/** Settings of `Bm25`. */
export interface Bm25Options {
  /** Default 1.2. */
  readonly k1?: number;
  /** Default 0.75. */
  readonly b?: number;
  /** Words of a text. Default: runs of letters and digits, in lower case; where no spaces stand between words, `Intl.Segmenter`'s. */
  readonly tokenize?: (text: string) => string[];
}

/** What the library needs to compute its statistics. */
const FEWEST_PASSAGES = 3;

/**
 * Okapi BM25 over title and text, independent of the core: wink-bm25-text-search. No stemming, no stop
 * words. Its idf is `ln((N − n + 0.5) / (n + 0.5) + 1)`, which is never negative; a word that the
 * question repeats counts as often. Of equal scores, the passage met first in the postings comes first.
 */
export class Bm25 {
  readonly #engine: ReturnType<typeof winkBM25>;

  /** Undefined for fewer passages than the library takes. */
  static over(passages: readonly Passage[], options: Bm25Options = {}): Bm25 | undefined {
    return passages.length < FEWEST_PASSAGES ? undefined : new Bm25(passages, options);
  }

  private constructor(passages: readonly Passage[], { k1 = 1.2, b = 0.75, tokenize = lowerCaseWords }: Bm25Options) {
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

/** BM25 as a method. */
export const bm25Method: Method = {
  name: "bm25",
  description: "Okapi BM25 by wink-bm25-text-search, k1 1.2, b 0.75",
  embedder: "unused",
  async build(passages) {
    const engine = Bm25.over(passages);
    return { retrieve: (question, k) => engine?.search(question, k) ?? [] };
  },
};

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that are written without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function lowerCaseWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) =>
    SPACELESS.test(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : [word],
  );
}
