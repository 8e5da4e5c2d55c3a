/** sim(q, p) and sim(q, s) of one question, lexical, dense or both. */
import { type Best, BestList, scoresByItem } from "../best-list.js";
import type { RankingOptions } from "../defaults.js";
import { VectorQuery } from "../dense/vector-query.js";
import { bestByVector, cosineOf } from "../dense/scan.js";
import type { SentenceRelevance } from "../index/view-reader.js";
import { compareIds, type SegmentView, type View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import { bestByWords, WordScores } from "../lexical/bm25.js";
import type { Question, QuestionTerm } from "../lexical/question.js";
import type { WordSet } from "../graph/reader.js";
import { QuestionWords } from "../lexical/question-words.js";
import { SentenceScorer } from "../lexical/sentence-relevance.js";
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

/** What was found last, so that a shorter list need not be looked for again. */
interface Found {
  readonly limit: number;
  readonly best: Best;
}

interface FoundByWords extends Found {
  readonly scores: ReadonlyMap<number, number>;
  /** BM25 of the best passage; 0 when no passage holds a word. */
  readonly scale: number;
}

export class QuestionSimilarity implements SentenceRelevance {
  readonly mode: SimilarityMode;
  private readonly view: View;
  private readonly question: Question;
  private readonly vector: VectorQuery | undefined;
  private readonly visibility: Visibility;
  private readonly options: RankingOptions;
  /** Those that make a sentence relevant. */
  readonly words: QuestionWords;
  private readonly scorers = new Map<SegmentView, SentenceScorer>();
  private readonly wordScores: WordScores;
  private foundByWords: FoundByWords | undefined;
  private foundByVector: Found | undefined;

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
    this.vector = vector && new VectorQuery(vector);
    this.visibility = visibility;
    this.options = options;
    this.wordScores = new WordScores(view, question.terms, options);
    this.words = new QuestionWords(options.sentenceWords === "all" ? question.terms : termsOutside(question, named));
  }

  /** The visible passages most similar to the question, by similarity in (0, 1]: at most `limit`, `"hybrid"` twice as many. */
  best(limit: number): Best {
    const words = this.mode === "dense" ? undefined : this.bestByWords(limit);
    const vectors = this.mode === "lexical" ? undefined : this.bestByVector(limit);
    if (words === undefined || vectors === undefined) return (words ?? vectors)!;
    const members = new Set([...words.items, ...vectors.items]);
    const both = new BestList(members.size, compareIds(this.view));
    for (const passage of members) both.offer(passage, this.ofPassage(passage));
    return both.ranked();
  }

  /** The visible passages of greatest BM25, by its share of the best one's: at least `limit` if there are so many. */
  bestByWords(limit: number): Best {
    return this.findByWords(limit).best;
  }

  /** The visible passages of greatest cosine, those above 0: at least `limit` if there are so many. */
  bestByVector(limit: number): Best {
    const { view, visibility } = this;
    const atMost = Math.min(limit, view.passageCount);
    if (this.foundByVector !== undefined && this.foundByVector.limit >= atMost) return this.foundByVector.best;
    const { items, scores } = bestByVector(view, this.vector!, atMost, visibility);
    // What points away from the question is not similar at all.
    let length = scores.length;
    while (length > 0 && scores[length - 1] <= 0) length--;
    const best = { items: items.subarray(0, length), scores: scores.subarray(0, length) };
    this.foundByVector = { limit: atMost, best };
    return best;
  }

  /** sim(q, p) of one passage, in [0, 1]. */
  ofPassage(passage: number): number {
    if (this.mode === "dense") return this.ofVector(passage);
    const words = this.ofWords(passage);
    return this.mode === "lexical" ? words : (words + this.ofVector(passage)) / 2;
  }

  /** BM25 as a share of the best passage's, in [0, 1]. */
  ofWords(passage: number): number {
    const { scores, scale } = this.findByWords(1);
    return scores.get(passage) ?? (scale === 0 ? 0 : this.wordScores.of(passage) / scale);
  }

  /** The cosine of the passage's vector and the question's, or 0 if that is less. */
  ofVector(passage: number): number {
    return Math.max(0, cosineOf(this.view, this.vector!, passage));
  }

  wordsIn(part: SegmentView, sentence: number, passage: number): WordSet {
    return this.mode === "dense" ? 0 : this.scorer(part).wordsIn(sentence, passage);
  }

  of(part: SegmentView, sentence: number, passage: number, covered: WordSet, open: WordSet): number {
    if (this.mode === "dense") return this.ofVector(part.passageBase + passage);
    return this.scorer(part).relevance(sentence, passage, covered, open);
  }

  private findByWords(limit: number): FoundByWords {
    const { view, question, visibility, options } = this;
    const atMost = Math.min(limit, view.passageCount);
    if (this.foundByWords !== undefined && this.foundByWords.limit >= atMost) return this.foundByWords;
    const { items, scores } = bestByWords(view, question.terms, atMost, visibility, options);
    const scale = scores.length === 0 ? 0 : scores[0];
    const best = { items, scores: scores.map((score) => score / scale) };
    return (this.foundByWords = { limit: atMost, best, scores: scoresByItem(best), scale });
  }

  private scorer(part: SegmentView): SentenceScorer {
    let scorer = this.scorers.get(part);
    if (scorer === undefined) {
      scorer = new SentenceScorer(part.segment, this.words, this.options.sentenceLengthScale);
      this.scorers.set(part, scorer);
    }
    return scorer;
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
