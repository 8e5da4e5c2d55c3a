import type { View } from "../index/view.js";
import type { WordSet } from "../graph/reader.js";
import type { QuestionTerm } from "../lexical/question.js";
import { wordForms } from "../lexical/segment-words.js";
import { Occurrences, ViewWordSlots } from "../lexical/word-slots.js";

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
  /** Its occurrences of them, in tokens from its first: those from `first` up to, without, `end`. */
  readonly occurrences: Occurrences;
  readonly first: number;
  readonly end: number;
  /** Tokens. */
  readonly length: number;
}

/** Reads passages for the question's words; each is read once. */
export class PassageReader {
  private readonly view: View;
  private readonly slots: ViewWordSlots;
  private readonly occurrences = new Occurrences();
  private readonly known = new Map<number, PassageWords>();

  /** @param terms at most 32: their places are the bits of a `WordSet` */
  constructor(view: View, terms: readonly QuestionTerm[]) {
    this.view = view;
    this.slots = new ViewWordSlots(terms, wordForms);
  }

  /** @param passage its number in the view */
  read(passage: number): PassageWords {
    let found = this.known.get(passage);
    if (found === undefined) this.known.set(passage, (found = this.scan(passage)));
    return found;
  }

  private scan(passage: number): PassageWords {
    const { occurrences } = this;
    const part = this.view.partOfPassage(passage);
    const { tokens, tokenIndptr, sentenceIndptr, sentenceTokens } = part.segment.arrays;
    const local = passage - part.passageBase;
    const start = tokenIndptr[local];
    const length = tokenIndptr[local + 1] - start;
    const first = occurrences.length;
    this.slots.of(part).collect(tokens, start, start + length, occurrences);
    const { places, words: numbers, length: end } = occurrences;
    const firstSentence = sentenceIndptr[local];
    const lastSentence = sentenceIndptr[local + 1];
    const sentences: number[] = [];
    const sentenceLengths: number[] = [];
    // The title's tokens come before the first sentence's.
    const title = firstSentence < lastSentence ? sentenceTokens[firstSentence] - start : length;
    let next = first;
    let words = 0;
    while (next < end && places[next] < title) words |= 1 << numbers[next++];
    const titleShare = title === 0 ? 0 : (next - first) / title;
    for (let sentence = firstSentence; sentence < lastSentence; sentence++) {
      const to = sentence + 1 < lastSentence ? sentenceTokens[sentence + 1] - start : length;
      let here = 0;
      while (next < end && places[next] < to) here |= 1 << numbers[next++];
      words |= here;
      sentences.push(here >>> 0);
      sentenceLengths.push(to - (sentenceTokens[sentence] - start));
    }
    return { words: words >>> 0, sentences, sentenceLengths, titleShare, occurrences, first, end, length };
  }
}
