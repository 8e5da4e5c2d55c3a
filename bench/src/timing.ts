import type { Passage } from "@trigraph/core";
import type { Corpus } from "./corpora.js";
import { countWords } from "./measures.js";

/** Milliseconds that a task takes. */
export async function time(task: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await task();
  return performance.now() - begun;
}

/** Hands out a corpus, counts its words and measures the time that this and generating it take. */
export class TimedSource {
  milliseconds = 0;
  words = 0;
  readonly #corpus: Corpus;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  *read(): Generator<Passage, void, undefined> {
    let begun = performance.now();
    for (const passage of this.#corpus.passages()) {
      this.words += countWords(passage.text) + countWords(passage.title ?? "");
      this.milliseconds += performance.now() - begun;
      yield passage;
      begun = performance.now();
    }
    this.milliseconds += performance.now() - begun;
  }
}
