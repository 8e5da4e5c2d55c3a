import { abortable } from "../abort.js";

/** A half-open range `[start, end)` of UTF-16 code units of the analysed text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word of the text that can be searched for. */
export interface TermSpan extends Span {
  /** The index term: what two spellings of the same word share (case, accents and width folded). Never empty. */
  readonly term: string;
}

/** A word and its part of speech; punctuation and white space are no tokens. */
export interface Token extends TermSpan {
  /** Universal part-of-speech tag (`"PROPN"`, `"VERB"`, …); `"X"` when the analyzer does not tag. */
  readonly pos: string;
}

/** A named entity's occurrence. It lies within one sentence. */
export interface EntityMention extends Span {
  /** The normalised name (`normalizeName`); equal names are the same entity. Never empty. */
  readonly name: string;
}

/** What an index needs of a text; every list is in text order. */
export interface UntaggedAnalysis {
  /** Sentences do not overlap; every token and every mention lies within exactly one. */
  readonly sentences: readonly Span[];
  /** Tokens ordered by start; those of scripts written without spaces may overlap (bigrams). */
  readonly tokens: readonly TermSpan[];
  /** Mentions ordered by start; they do not overlap. */
  readonly mentions: readonly EntityMention[];
}

/** All that an analyzer finds in one text. */
export interface TextAnalysis extends UntaggedAnalysis {
  readonly tokens: readonly Token[];
}

/**
 * Turns text into sentences, tokens and entity mentions.
 *
 * All must be pure functions of their argument: an index is exact under updates, and an evidence
 * path can be replayed, only if the same text always gives the same analysis.
 */
export interface TextAnalyzer {
  /** Name and version of what the analyzer does; stored with an index and checked when it is opened. */
  readonly id: string;
  /** Sentences, tokens with their parts of speech, and mentions of a text. */
  analyze(text: string): TextAnalysis;
  /** What `analyze` finds, but for the parts of speech: for passages, where that is cheaper. */
  analyzeUntagged?(text: string): UntaggedAnalysis;
  /** The tokens of `analyzeUntagged` alone: for titles and questions, where that is cheaper. */
  tokenize?(text: string): readonly TermSpan[];
}

/**
 * An analyzer that takes its time, as one with a model does. It reads texts beforehand, and what comes of that answers for
 * them at once. So it needs no memory of its own, and whoever asked decides how long the analyses are kept.
 */
export interface AsyncTextAnalyzer {
  readonly id: string;
  /** The tokens of a text, which must be those of its analysis; they do not take long. */
  tokenize(text: string): readonly TermSpan[];
  /**
   * Resolves to an analyzer of these texts; of others it need know only the tokens. Each text's analysis must be a
   * pure function of it, whatever it is read with.
   */
  read(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<TextAnalyzer>;
}

/** Whatever turns text into sentences, tokens and entity mentions, at once or not. */
export type Analyzer = TextAnalyzer | AsyncTextAnalyzer;

/** What analyses these texts at once. Rejects with the signal's reason when that is aborted. */
export async function readTexts(
  analyzer: Analyzer,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<TextAnalyzer> {
  if (!("read" in analyzer)) return analyzer;
  return abortable(analyzer.read(texts, signal === undefined ? {} : { signal }), signal);
}

/** A text's analysis without parts of speech, by the analyzer's cheapest way. */
export function analyzeUntagged(analyzer: TextAnalyzer, text: string): UntaggedAnalysis {
  return analyzer.analyzeUntagged?.(text) ?? analyzer.analyze(text);
}

/** A text's tokens alone, by the analyzer's cheapest way. */
export function tokenize(analyzer: Analyzer, text: string): readonly TermSpan[] {
  if ("read" in analyzer) return analyzer.tokenize(text);
  return analyzer.tokenize?.(text) ?? analyzeUntagged(analyzer, text).tokens;
}
