import type { View } from "../index/view.js";
import { type Analyzer, type TermSpan, tokenize } from "../text/analyzer.js";
import { stableKey } from "../text/keys.js";

/** A distinct word of the question that the corpus holds. */
export interface QuestionTerm {
  readonly term: string;
  readonly key: number;
  /** Inverse document frequency, ln(1 + (n − df + 0.5) / (df + 0.5)): greater than 0. */
  readonly idf: number;
}

/** A question, read against a view. */
export interface Question {
  readonly text: string;
  readonly tokens: readonly TermSpan[];
  /** In the order of first occurrence; of a very long question only the rarest. */
  readonly terms: readonly QuestionTerm[];
}

/** More words than a question has; a pasted document is asked by its rarest ones, so that its cost stays bounded. */
const MAX_TERMS = 256;

export function readQuestion(text: string, analyzer: Analyzer, view: View): Question {
  const tokens = tokenize(analyzer, text);
  const terms: QuestionTerm[] = [];
  for (const term of new Set(tokens.map((token) => token.term))) {
    const degree = view.termDegree(term);
    if (degree > 0)
      terms.push({ term, key: stableKey(term), idf: inverseDocumentFrequency(degree, view.passageCount) });
  }
  if (terms.length > MAX_TERMS) {
    const rarest = new Set([...terms].sort((x, y) => y.idf - x.idf).slice(0, MAX_TERMS));
    return { text, tokens, terms: terms.filter((term) => rarest.has(term)) };
  }
  return { text, tokens, terms };
}

/** BM25's idf, shifted by 1 inside the logarithm so that no word counts against a passage (as in Lucene). */
export function inverseDocumentFrequency(degree: number, passages: number): number {
  return Math.log(1 + (passages - degree + 0.5) / (degree + 0.5));
}
