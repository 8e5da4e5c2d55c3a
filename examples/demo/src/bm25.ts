import type { Passage } from "@trigraph/core";
import winkBM25 from "wink-bm25-text-search";

/** What the library needs to compute its statistics. */
const FEWEST_PASSAGES = 3;

/**
 * Okapi BM25 (k1 1.2, b 0.75) over title and text by wink-bm25-text-search, which shares nothing with trigraph's own
 * ranking. Words as they are: no stemming, no stop words.
 */
export class Bm25 {
  readonly #engine: ReturnType<typeof winkBM25>;

  /** Undefined for fewer passages than the library takes. */
  static over(passages: readonly Passage[]): Bm25 | undefined {
    return passages.length < FEWEST_PASSAGES ? undefined : new Bm25(passages);
  }

  private constructor(passages: readonly Passage[]) {
    this.#engine = winkBM25();
    this.#engine.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 1.2, b: 0.75, k: 1 } });
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

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that are written without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function tokenize(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) =>
    SPACELESS.test(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : [word],
  );
}
