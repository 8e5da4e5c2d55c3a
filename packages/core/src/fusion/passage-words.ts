import type { View } from "../index/view.js";
import type { WordSet } from "../graph/reader.js";
import type { QuestionTerm } from "../lexical/question.js";
import { formKeys } from "../lexical/word-forms.js";
import { ViewWordSlots } from "../lexical/word-slots.js";

/** The question's words in one passage. */
export interface PassageWords {
  /** Title and text. */
  readonly words: WordSet;
  /** By sentence. */
  readonly sentences: readonly WordSet[];
  /** Tokens of each sentence. */
  readonly sentenceLengths: readonly number[];
  /** Share of the title's tokens that are the question's; 0 without a title. */
  readonly titleShare: number;
  /** Where each occurrence stands, in tokens from the passage's first, and which word it is; ascending. */
  readonly places: readonly number[];
  readonly numbers: readonly number[];
  /** Tokens. */
  readonly length: number;
}

/** Reads passages for the question's words; each is read once. */
export class PassageReader {
  private readonly view: View;
  private readonly slots: ViewWordSlots;
  private readonly known = new Map<number, PassageWords>();

  /** @param terms at most 32: their places are the bits of a `WordSet` */
  constructor(view: View, terms: readonly QuestionTerm[]) {
    this.view = view;
    this.slots = new ViewWordSlots(terms.map(({ term }) => formKeys(term)));
  }

  /** @param passage its number in the view */
  read(passage: number): PassageWords {
    let found = this.known.get(passage);
    if (found === undefined) this.known.set(passage, (found = this.scan(passage)));
    return found;
  }

  private scan(passage: number): PassageWords {
    const part = this.view.partOfPassage(passage);
    const { tokens, tokenIndptr, sentenceIndptr, sentenceTokens } = part.segment.arrays;
    const slots = this.slots.of(part);
    const local = passage - part.passageBase;
    const start = tokenIndptr[local];
    const end = tokenIndptr[local + 1];
    const lastSentence = sentenceIndptr[local + 1];
    const places: number[] = [];
    const numbers: number[] = [];
    const sentences: number[] = [];
    const sentenceLengths: number[] = [];
    let words = 0;
    let from = start;
    let titleShare = 0;
    // The title's tokens come before the first sentence's.
    for (let sentence = sentenceIndptr[local] - 1; sentence < lastSentence; sentence++) {
      const to = sentence + 1 < lastSentence ? sentenceTokens[sentence + 1] : end;
      let here = 0;
      const before = places.length;
      for (let i = from; i < to; i++) {
        const word = slots.find(tokens[i]);
        if (word < 0) continue;
        here |= 1 << word;
        places.push(i - start);
        numbers.push(word);
      }
      words |= here;
      if (sentence < sentenceIndptr[local]) titleShare = to > from ? (places.length - before) / (to - from) : 0;
      else {
        sentences.push(here >>> 0);
        sentenceLengths.push(to - from);
      }
      from = to;
    }
    return { words: words >>> 0, sentences, sentenceLengths, titleShare, places, numbers, length: end - start };
  }
}
