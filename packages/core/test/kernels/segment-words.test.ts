import { describe, expect, it } from "vitest";
import type { QuestionTerm } from "../../src/lexical/question.js";
import { exactWord, type WordFinder, wordForms } from "../../src/lexical/segment-words.js";
import { Occurrences, WordSlots } from "../../src/lexical/word-slots.js";
import type { Segment } from "../../src/segment/segment.js";
import { stableKey } from "../../src/text/keys.js";
import { segmentOf } from "./scripted.js";

const FILM = segmentOf([{ id: "a", text: "Burton was its director and directed others. Directors come and go." }]);
const DIRECTIONS = segmentOf([{ id: "a", text: "follow these directions." }]);

function wordOf(term: string): QuestionTerm {
  return { term, key: stableKey(term), idf: 1 };
}

/** The segment's terms that are the word, read from its tokens. */
function found(find: WordFinder, segment: Segment, term: string): number[] {
  return [...find(segment, wordOf(term))].sort((a, b) => a - b);
}

function ordinals(segment: Segment, ...terms: string[]): number[] {
  return terms.map((term) => segment.terms.find(stableKey(term))).sort((a, b) => a - b);
}

describe("the terms of a segment that are a word", () => {
  it("are the word itself, or its forms as well", () => {
    expect(found(exactWord, FILM, "directed")).toEqual(ordinals(FILM, "directed"));
    expect(found(wordForms, FILM, "directed")).toEqual(ordinals(FILM, "directed", "director", "directors"));
    expect(found(exactWord, FILM, "burton's")).toEqual([]);
    expect(found(wordForms, FILM, "absent")).toEqual([]);
  });

  it("are each segment's own", () => {
    expect(found(wordForms, FILM, "directed")).toHaveLength(3);
    expect(found(wordForms, DIRECTIONS, "directed")).toEqual(ordinals(DIRECTIONS, "directions"));
  });

  it("are remembered, but no more than some thousand words'", () => {
    const first = wordForms(FILM, wordOf("directing"));
    expect(first).toHaveLength(3);
    expect(wordForms(FILM, wordOf("directing"))).toBe(first);
    for (let i = 0; i < 5000; i++) wordForms(FILM, wordOf(`another${i}`));
    expect(wordForms(FILM, wordOf("directing"))).not.toBe(first);
    expect(wordForms(FILM, wordOf("directing"))).toEqual(first);
  });
});

describe("WordSlots", () => {
  it("adds the occurrences of run after run, however many", () => {
    const tokens = Uint32Array.from({ length: 300 }, (_, i) => i % 100);
    const slots = new WordSlots([[7], [], [99, 7, 50]]);
    const occurrences = new Occurrences();
    slots.collect(tokens, 0, 300, occurrences);
    const expected = [...tokens.entries()].filter(([, token]) => [7, 50, 99].includes(token));
    expect([...occurrences.places.subarray(0, occurrences.length)]).toEqual(expected.map(([place]) => place));
    expect([...occurrences.words.subarray(0, occurrences.length)]).toEqual(
      expected.map(([, token]) => (token === 7 ? 0 : 2)),
    );
    for (let run = 0; run < 20; run++) slots.collect(tokens, 50, 150, occurrences);
    expect(occurrences.length).toBe(9 + 20 * 3);
    expect([...occurrences.places.subarray(occurrences.length - 3, occurrences.length)]).toEqual([0, 49, 57]);
  });
});
