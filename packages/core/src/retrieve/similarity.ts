/** sim(q, p) and sim(q, s) of one question, lexical, dense or both. */
import { BestList } from "../best-list.js";
import type { RankingOptions } from "../defaults.js";
import { bestByVector, cosineOf } from "../dense/scan.js";
import type { SentenceRelevance } from "../index/view-reader.js";
import { compareIds, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import { bestByWords, scoreByWords } from "../lexical/bm25.js";
import type { Question } from "../lexical/question.js";
import { SentenceScorer } from "../lexical/sentence-relevance.js";
import type { SimilarityEvidence } from "../types.js";

export type SimilarityMode = Exclude<RankingOptions["similarity"], "auto">;

/** What stands behind a similarity, in the words of the evidence. */
export const SIMILARITY_NAMES = {
  lexical: "words",
  dense: "vectors",
  hybrid: "hybrid",
} as const satisfies Record<SimilarityMode, SimilarityEvidence["via"]>;

export class QuestionSimilarity implements SentenceRelevance {
  readonly mode: SimilarityMode;
  private readonly view: View;
  private readonly question: Question;
  private readonly vector: Float32Array | undefined;
  private readonly visibility: Visibility;
  private readonly options: RankingOptions;
  private readonly scorers: (SentenceScorer | undefined)[] = [];

  /** @param vector the question's, of length 1; needed unless the mode is `"lexical"` */
  constructor(
    view: View,
    question: Question,
    vector: Float32Array | undefined,
    visibility: Visibility,
    options: RankingOptions,
  ) {
    this.mode = options.similarity === "auto" ? (vector === undefined ? "lexical" : "hybrid") : options.similarity;
    this.view = view;
    this.question = question;
    this.vector = vector;
    this.visibility = visibility;
    this.options = options;
  }

  /** The visible passages most similar to the question, by similarity in (0, 1]: at most `limit`, `"hybrid"` twice as many. */
  best(limit: number): BestList {
    const atMost = Math.min(limit, this.view.passageCount);
    const words = this.mode === "dense" ? undefined : this.bestByWords(atMost);
    const vectors = this.mode === "lexical" ? undefined : this.bestByVector(atMost);
    if (words === undefined || vectors === undefined) return (words ?? vectors)!;
    const both = new BestList(words.length + vectors.length, compareIds(this.view));
    const members = new Set([...words.items.subarray(0, words.length), ...vectors.items.subarray(0, vectors.length)]);
    for (const passage of members) both.offer(passage, this.ofPassage(passage));
    return both;
  }

  /** sim(q, p) of one passage, in [0, 1]; after `best`. */
  ofPassage(passage: number): number {
    const { mode, view, question, options, wordScale } = this;
    if (mode === "dense") return this.positiveCosine(passage);
    const words = wordScale === 0 ? 0 : scoreByWords(view, question.terms, passage, options) / wordScale;
    return mode === "lexical" ? words : (words + this.positiveCosine(passage)) / 2;
  }

  of(part: number, sentence: number, passage: number): number {
    const { segment, passageBase } = this.view.parts[part];
    if (this.mode === "dense") return this.positiveCosine(passageBase + passage);
    const scorer = (this.scorers[part] ??= new SentenceScorer(
      segment,
      this.question.terms,
      this.options.sentenceLengthScale,
    ));
    const words = scorer.relevance(sentence, passage);
    return this.mode === "lexical" ? words : (words + this.positiveCosine(passageBase + passage)) / 2;
  }

  /** BM25 of the best passage, which is similar by 1. */
  private wordScale = 0;

  private bestByWords(limit: number): BestList {
    const best = bestByWords(this.view, this.question.terms, limit, this.visibility, this.options);
    this.wordScale = best.length === 0 ? 0 : best.scores[0];
    for (let i = 0; i < best.length; i++) best.scores[i] /= this.wordScale;
    return best;
  }

  private bestByVector(limit: number): BestList {
    const best = bestByVector(this.view, this.vector!, limit, this.visibility);
    // What points away from the question is not similar at all.
    while (best.length > 0 && best.scores[best.length - 1] <= 0) best.length--;
    return best;
  }

  private positiveCosine(passage: number): number {
    return Math.max(0, cosineOf(this.view, this.vector!, passage));
  }
}
