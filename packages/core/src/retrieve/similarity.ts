/** sim(q, p) and sim(q, s) of one question, lexical, dense or both. */
import { BestList } from "../best-list.js";
import type { RankingOptions } from "../defaults.js";
import { bestByVector, cosineOf } from "../dense/scan.js";
import type { SentenceRelevance } from "../index/view-reader.js";
import { compareIds, type SegmentView, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import { bestByWords, scoreByWords } from "../lexical/bm25.js";
import type { Question, QuestionTerm } from "../lexical/question.js";
import type { WordSet } from "../graph/reader.js";
import { QuestionWords, SentenceScorer } from "../lexical/sentence-relevance.js";
import type { Span } from "../text/analyzer.js";
import { isFunctionWord } from "../text/function-words.js";
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
  /** Those that make a sentence relevant. */
  readonly words: QuestionWords;
  private readonly scorers = new Map<SegmentView, SentenceScorer>();

  /**
   * @param vector the question's, of length 1; needed unless the mode is `"lexical"`
   * @param named where the question names its seeds
   */
  constructor(
    view: View,
    question: Question,
    vector: Float32Array | undefined,
    named: readonly Span[],
    visibility: Visibility,
    options: RankingOptions,
  ) {
    this.mode = options.similarity === "auto" ? (vector === undefined ? "lexical" : "hybrid") : options.similarity;
    this.view = view;
    this.question = question;
    this.vector = vector;
    this.visibility = visibility;
    this.options = options;
    this.words = new QuestionWords(options.sentenceWords === "all" ? question.terms : termsOutside(question, named));
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

  wordsIn(part: SegmentView, sentence: number, passage: number): WordSet {
    return this.mode === "dense" ? 0 : this.scorer(part).wordsIn(sentence, passage);
  }

  of(part: SegmentView, sentence: number, passage: number, covered: WordSet, open: WordSet): number {
    if (this.mode === "dense") return this.positiveCosine(part.passageBase + passage);
    const words = this.scorer(part).relevance(sentence, passage, covered, open);
    return this.mode === "lexical" ? words : (words + this.positiveCosine(part.passageBase + passage)) / 2;
  }

  private scorer(part: SegmentView): SentenceScorer {
    let scorer = this.scorers.get(part);
    if (scorer === undefined) {
      scorer = new SentenceScorer(part.segment, this.words, this.options.sentenceLengthScale);
      this.scorers.set(part, scorer);
    }
    return scorer;
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

/**
 * The question's words that tell what is asked: no part of these names, and no words of grammar, which weigh as much as
 * others where there are few passages. All words where nothing else is asked.
 */
function termsOutside({ tokens, terms }: Question, names: readonly Span[]): readonly QuestionTerm[] {
  const outside = new Set<string>();
  for (const { term, start, end } of tokens) {
    if (!isFunctionWord(term) && !names.some((name) => name.start <= start && end <= name.end)) outside.add(term);
  }
  const open = terms.filter(({ term }) => outside.has(term));
  return open.length === 0 ? terms : open;
}
