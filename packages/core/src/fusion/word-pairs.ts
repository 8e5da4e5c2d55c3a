import type { Question } from "../lexical/question.js";
import { MAX_WORDS } from "../lexical/question-words.js";
import type { PassageWords } from "./passage-words.js";
import type { WordWeights } from "./word-weights.js";

/** Words that follow each other in the question. */
export class WordPairs {
  /** What each pair weighs: as much as the idf of the commoner of its words. */
  private readonly weights = new Map<number, number>();
  private readonly whole: number;

  constructor({ tokens }: Question, { terms }: WordWeights) {
    const numbers = new Map(terms.map(({ term }, number) => [term, number]));
    for (let i = 0; i + 1 < tokens.length; i++) {
      const first = numbers.get(tokens[i].term);
      const second = numbers.get(tokens[i + 1].term);
      if (first === undefined || second === undefined) continue;
      this.weights.set(pairOf(first, second), Math.min(terms[first].idf, terms[second].idf));
    }
    this.whole = [...this.weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  /** Share of the pairs that stand as such in a passage, by weight; 0 where the question has none. */
  share({ occurrences: { places, words }, first, end }: PassageWords): number {
    if (this.whole === 0) return 0;
    const met = new Set<number>();
    for (let i = first; i + 1 < end; i++) {
      if (places[i] + 1 === places[i + 1]) met.add(pairOf(words[i], words[i + 1]));
    }
    let weight = 0;
    for (const pair of met) weight += this.weights.get(pair) ?? 0;
    return weight / this.whole;
  }
}

function pairOf(first: number, second: number): number {
  return first * MAX_WORDS + second;
}
