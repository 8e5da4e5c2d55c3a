import type { Segment } from "../segment/segment.js";
import type { QuestionTerm } from "./question.js";
import { formKeys } from "./word-forms.js";

/** Finds the terms of a segment that are a word of the question, by ordinal. */
export type WordFinder = (segment: Segment, word: QuestionTerm) => readonly number[];

/** Words whose forms are remembered for each segment. When there are more, all are forgotten. */
const CAPACITY = 4096;

/**
 * By the word's key: a word itself may be as long as a text, or keep alive the one that it was cut from. A word has up to
 * a hundred forms to look for and few that a segment holds, and questions turn on the same words again and again.
 */
const known = new WeakMap<Segment, Map<number, readonly number[]>>();

/** The word as it stands. */
export const exactWord: WordFinder = ({ terms }, { key }) => present([terms.find(key)]);

/** The word, its other forms and words made from it. */
export const wordForms: WordFinder = (segment, { term, key }) => {
  let words = known.get(segment);
  if (words === undefined) known.set(segment, (words = new Map<number, readonly number[]>()));
  let ordinals = words.get(key);
  if (ordinals === undefined) {
    if (words.size === CAPACITY) words.clear();
    words.set(key, (ordinals = present(Array.from(formKeys(term), (form) => segment.terms.find(form)))));
  }
  return ordinals;
};

function present(ordinals: readonly number[]): readonly number[] {
  return ordinals.filter((ordinal) => ordinal >= 0);
}
