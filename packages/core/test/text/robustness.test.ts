import fc from "fast-check";
import { describe, it } from "vitest";
import type { Span } from "../../src/text/analyzer.js";
import { EnglishAnalyzer } from "../../src/text/english-analyzer.js";
import { normalizeName } from "../../src/text/names.js";
import { MAX_SENTENCE_LENGTH } from "../../src/text/sentences.js";

const analyzer = new EnglishAnalyzer();

/** Asserts what `TextAnalysis` promises of every text. */
function checkAnalysis(text: string): void {
  const { sentences, tokens, mentions } = analyzer.analyze(text);
  for (const span of [...sentences, ...tokens, ...mentions]) {
    if (!(span.start >= 0 && span.start < span.end && span.end <= text.length)) throw new Error("span out of bounds");
  }
  if (!disjoint(sentences)) throw new Error("sentences overlap");
  if (!disjoint(mentions)) throw new Error("mentions overlap");
  if (sentences.some(({ start, end }) => end - start > MAX_SENTENCE_LENGTH)) throw new Error("sentence too long");
  for (let i = 1; i < tokens.length; i++) {
    if (tokens[i].start < tokens[i - 1].start || tokens[i].end < tokens[i - 1].end)
      throw new Error("tokens out of order");
  }
  checkInside(tokens, sentences);
  checkInside(mentions, sentences);
  for (const { term, pos } of tokens) {
    if (term === "" || pos === "" || /[\s'’]/u.test(term))
      throw new Error(`bad token ${JSON.stringify({ term, pos })}`);
  }
  for (const { start, end, name } of mentions) {
    if (name === "" || name !== normalizeName(text.slice(start, end)))
      throw new Error(`bad name ${JSON.stringify(name)}`);
  }
}

function disjoint(spans: readonly Span[]): boolean {
  return spans.every((span, i) => i === 0 || span.start >= spans[i - 1].end);
}

/** Each span within exactly one sentence; both lists are ordered. */
function checkInside(spans: readonly Span[], sentences: readonly Span[]): void {
  let at = 0;
  for (const span of spans) {
    while (at < sentences.length && sentences[at].end < span.end) at++;
    if (at === sentences.length || span.start < sentences[at].start) throw new Error("span in no sentence");
  }
}

/** Pieces that meet in the rules. */
const PIECES = [
  ..."aAI.,!?…'’\"“”`-–:;()[]&/%$ \n\t1١２é東京ไทย한й😀",
  "'s",
  "’s",
  "``",
  "''",
  "\r\n\r\n",
  "\ud800",
  "\udc00",
  "\u0301",
  "\u200d",
  "\u00ad",
  "1,500",
  "3.5",
  "1969",
  " of the ",
  " The ",
  "Mr",
  "May",
  "King",
  "Zürich",
  "can't",
];

describe("every text", () => {
  it("of graphemes has a valid analysis", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), checkAnalysis), { numRuns: 500 });
  });

  it("of any code units has a valid analysis", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 });
    fc.assert(
      fc.property(units, (codes) => checkAnalysis(String.fromCharCode(...codes))),
      { numRuns: 500 },
    );
  });

  it("of tricky pieces has a valid analysis", () => {
    const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 });
    fc.assert(
      fc.property(pieces, (list) => checkAnalysis(list.join(""))),
      { numRuns: 2000 },
    );
  });

  it.each(PIECES.map((piece) => [piece]))("of 200 KB of %j ends", (piece) => {
    checkAnalysis(piece.repeat(Math.ceil(204_800 / piece.length)));
  });

  it.each([
    ["a"],
    ["."],
    ["😀"],
    ["東京"],
    ["1"],
    ["' "],
    ["(("],
    [". "],
    ["A. "],
    ["A."],
    ["Name "],
    ["Name of "],
    ["word "],
    ["To go "],
    ['"A b'],
    ["King's "],
    ["A-"],
    ["a\u0301\u0301\u0301\u0301"],
    ["\ud800\ud800"],
    ["\0"],
  ])("of a megabyte of %j ends", (piece) => {
    checkAnalysis(piece.repeat(Math.ceil(1_048_576 / piece.length)));
  });

  it("with a million code units of distinct words ends", () => {
    let text = "";
    for (let i = 0; text.length < 1_000_000; i++) text += `${i % 3 === 0 ? "W" : "w"}${i.toString(36)} `;
    checkAnalysis(text);
  });
});
