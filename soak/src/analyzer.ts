import type { EntityMention, Span, TextAnalysis, TextAnalyzer, Token } from "@trigraph/core";

/**
 * Words between blanks, sentences that end with a full stop, runs of capitalised words as names. What is proven here is
 * storage: reading texts only has to be pure, and to start at once in each of a thousand processes.
 */
export class CapitalsAnalyzer implements TextAnalyzer {
  readonly id = "capitals-1";

  analyze(text: string): TextAnalysis {
    const sentences: Span[] = [];
    const tokens: Token[] = [];
    const mentions: EntityMention[] = [];
    for (const sentence of text.matchAll(/[^.]+\./g)) {
      const base = sentence.index;
      sentences.push({ start: base, end: base + sentence[0].length });
      for (const word of sentence[0].matchAll(/[A-Za-z0-9]+/g)) {
        const start = base + word.index;
        tokens.push({ start, end: start + word[0].length, term: word[0].toLowerCase(), pos: "X" });
      }
      for (const name of sentence[0].matchAll(/[A-Z][a-z]+(?: [A-Z][a-z]+)*/g)) {
        const start = base + name.index;
        mentions.push({ start, end: start + name[0].length, name: name[0].toLowerCase() });
      }
    }
    return { sentences, tokens, mentions };
  }
}
