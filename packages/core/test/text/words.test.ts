import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";
import { describe, expect, it } from "vitest";
import { EnglishAnalyzer } from "../../src/text/english-analyzer.js";
import { WordBook, type Tagger } from "../../src/text/words.js";

/** Knows three words, and tags everything NOUN. */
const tagger: Tagger = {
  knows: (word) => ["king", "rose", "well"].includes(word),
  tag: (forms) => forms.split(" ").map(() => "NOUN"),
};

describe("WordBook", () => {
  it("describes a word by its spelling", () => {
    const book = new WordBook(tagger);
    expect(book.lookUp("King")).toMatchObject({ term: "king", form: "King", isCommon: true, isFunctionWord: false });
    expect(book.lookUp("He'll")).toMatchObject({ term: "hell", isFunctionWord: true });
    expect(book.lookUp("1,500")).toMatchObject({ term: "1500", form: "7", isNumber: false });
    expect(book.lookUp("1969")).toMatchObject({ term: "1969", form: "7", isNumber: true });
    expect(book.lookUp("東京")).toMatchObject({ term: "東京", form: "" });
  });

  it("finds a word in its text, and again after it had to forget all", () => {
    const book = new WordBook(tagger);
    const text = "The King rose. The king, O'Neil and the Café.";
    const words = [...text.matchAll(/[\p{L}']+/gu)].map(({ 0: word, index }) => [word, index] as const);
    const look = () => words.map(([word, start]) => book.lookUp(text, start, start + word.length));
    const first = look();
    expect(first).toEqual(words.map(([word]) => new WordBook(tagger).lookUp(word)));
    expect(look().every((word, i) => word === first[i])).toBe(true);
    for (let i = 0; i < 150_000; i++) expect(book.lookUp(`${i}q`).term).toBe(`${i}q`);
    expect(look()).toEqual(first);
    expect(book.lookUp("149999q")).toBe(book.lookUp("a 149999q b", 2, 9));
  });

  it("shows the tagger only so many forms, however many words there are", () => {
    const book = new WordBook(tagger);
    const forms = new Set<string>();
    for (let i = 0; i < 100_000; i++) {
      const word = String.fromCharCode(...[...i.toString(26)].map((digit) => 0x61 + parseInt(digit, 26)));
      for (const spelling of [
        word,
        word.toUpperCase(),
        `X${word}`,
        `${word}é`,
        `${word}'s`,
        `${word}7`,
        `${word}ing`,
      ]) {
        forms.add(book.lookUp(spelling).form);
      }
    }
    expect(forms.size).toBeLessThan(40);
  });

  it("lets no form through that has white space or is longer than a word", () => {
    const book = new WordBook(tagger);
    for (const word of ["a".repeat(255), "A".repeat(255), "don't", "a\u00adb", "\u0301", "½", "ﷺ", "ŉ", "İ"]) {
      expect(book.lookUp(word).form).toMatch(/^[A-Za-z0-9']{0,32}$/);
    }
  });
});

describe("stand-ins of unknown words", () => {
  const nlp = winkNLP(model, ["pos"]);
  // eslint-disable-next-line @typescript-eslint/unbound-method -- wink-nlp's mappers are plain functions
  const { pos } = nlp.its;

  it.each([
    ["zorbing", "VERB"],
    ["zorbed", "VERB"],
    ["zorbly", "ADV"],
    ["zorbable", "ADJ"],
    ["zorbous", "ADJ"],
    ["zorbity", "NOUN"],
    ["zorbstan", "PROPN"],
    ["antizorb", "ADJ"],
    ["zorb", "NOUN"],
    ["Zorb", "PROPN"],
    ["ZORBING", "PROPN"],
    ["McZorb", "PROPN"],
  ])("%s is tagged as wink-nlp tags the word itself: %s", (word, tag) => {
    expect(nlp.readDoc(word).tokens().out(pos)).toEqual([tag]);
    expect(new EnglishAnalyzer().analyze(word).tokens.map((token) => token.pos)).toEqual([tag]);
  });
});
