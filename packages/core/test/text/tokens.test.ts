import { describe, expect, it } from "vitest";
import { EnglishAnalyzer } from "../../src/text/english-analyzer.js";
import { makePassages } from "./passages.js";

const analyzer = new EnglishAnalyzer();

function termsOf(text: string): string {
  return analyzer
    .analyze(text)
    .tokens.map(({ term }) => term)
    .join(" ");
}

describe("tokens", () => {
  it.each([
    ["Don't stop, O'Neil!", "dont stop oneil"],
    ["Theodred's dog and the dogs’ bowl", "theodred dog and the dogs bowl"],
    ["children ’s literature", "children literature"],
    ["a well-known Jean-Luc", "a well known jean luc"],
    ["1,500 of 3.5 or 12,34 in 1990s, 19th", "1500 of 3.5 or 12 34 in 1990s 19th"],
    ["U.S. e.g. Ph.D.", "u s e g ph d"],
    ["Café Björk Łódź ＦＵＬＬ ﬁne", "cafe bjork lodz full fine"],
    ["東京タワー", "東京 京タ タワ ワー"],
    ["日", "日"],
    ["ABC東京2020年", "abc 東京 2020 年"],
    ["한국어 책", "한국 국어 책"],
    ["ที่นี่", "ที่นี่"],
    ["ที่นี่ดี", "ที่นี่ นี่ดี"],
    ["हिन्दी भाषा", "हिन्दी भाषा"],
    ["Привет, Мир", "привет мир"],
    ["مرحبا بالعالم", "مرحبا بالعالم"],
    ["می\u200cخواهم", "میخواهم"],
    ["😀 a\ud800b \u0000c ½ m²", "a b c 1⁄2 m2"],
    ["snake_case a+b=c #tag @user", "snake case a b c tag user"],
  ])("%j has the terms %j", (text, terms) => {
    expect(termsOf(text)).toBe(terms);
  });

  it("gives spans of the original text", () => {
    const text = "ﬁne Theodred’s ＡＢ don't 東京都";
    const spans = analyzer.analyze(text).tokens.map(({ start, end, term }) => [text.slice(start, end), term]);
    expect(spans).toEqual([
      ["ﬁne", "fine"],
      ["Theodred", "theodred"],
      ["ＡＢ", "ab"],
      ["don't", "dont"],
      ["東京", "東京"],
      ["京都", "京都"],
    ]);
  });

  it("tags words with universal parts of speech", () => {
    const { tokens } = analyzer.analyze("The old queen can't quickly leave Lotharingia in 875, 東京!");
    expect(tokens.map(({ pos }) => pos).join(" ")).toBe("DET ADJ NOUN AUX ADV VERB PROPN ADP NUM X");
  });

  it("are the same without their parts of speech, like all else that is found", () => {
    for (const text of [...makePassages(200, 3), "東京タワー ½ m², Theodred’s", ""]) {
      const { sentences, tokens: tagged, mentions } = analyzer.analyze(text);
      const tokens = tagged.map(({ start, end, term }) => ({ start, end, term }));
      expect(analyzer.tokenize(text)).toEqual(tokens);
      expect(analyzer.analyzeUntagged(text)).toEqual({ sentences, tokens, mentions });
    }
  });

  it("cuts endless words", () => {
    const { tokens } = analyzer.analyze("a".repeat(1000));
    expect(tokens.map(({ term }) => term.length)).toEqual([255, 255, 255, 235]);
  });
});
