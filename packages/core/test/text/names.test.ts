import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeName, titleNames } from "../../src/text/names.js";

describe("normalizeName", () => {
  it.each([
    ["Theodred II", "theodred ii"],
    ["Theodred's", "theodred"],
    ["Theodred’s", "theodred"],
    ["the Smiths'", "smiths"],
    ["King William's College", "king williams college"],
    ["children ’s literature", "childrens literature"],
    ["O'Neil", "oneil"],
    ["O’Neil", "oneil"],
    ["J. R. R. Tolkien", "j r r tolkien"],
    ["J.R.R. Tolkien", "j r r tolkien"],
    ["U.S.", "u s"],
    ["A. A. Milne", "a a milne"],
    ["The Beatles", "beatles"],
    ["THE  BEATLES", "beatles"],
    ["An Evening", "evening"],
    ["A", "a"],
    ["The", "the"],
    ["The ...", "the"],
    ["The The", "the"],
    ["Theodore", "theodore"],
    ["Björk Guðmundsdóttir", "bjork gudmundsdottir"],
    ["Łódź", "lodz"],
    ["Straße", "strasse"],
    ["İstanbul", "istanbul"],
    ["Από ΣΟΦΟΣ", "απο σοφοσ"],
    ["Ёлка", "елка"],
    ["ＡＢＣ　１２３", "abc 123"],
    ["ﬁnance", "finance"],
    ["Jean-Luc Picard", "jean luc picard"],
    ["AC/DC", "ac dc"],
    ["हिन्दी", "हिन्दी"],
    ["ไทย ที่", "ไทย ที่"],
    ["مُحَمَّد", "مُحَمَّد"],
    ["co\u00adoperate", "cooperate"],
    ["  (Rush)  ", "rush"],
    ["", ""],
    ["... !", ""],
    ["\ud800", ""],
  ])("%j is %j", (surface, name) => {
    expect(normalizeName(surface)).toBe(name);
  });

  it("gives words parted by single spaces, whatever the surface", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (surface) => {
        const name = normalizeName(surface);
        expect(name).toBe(name.trim());
        expect(name).not.toMatch(/\s\s|['’.,]/u);
        expect(name).toBe(name.toLowerCase());
      }),
      { numRuns: 1000 },
    );
  });
});

describe("titleNames", () => {
  it.each([
    ["Theodred II (Bishop of Elmham)", ["theodred ii bishop of elmham", "theodred ii"]],
    ["Rush", ["rush"]],
    ["The Beatles", ["beatles"]],
    ["Foo (bar) (1990 film)", ["foo bar 1990 film", "foo bar"]],
    ["Foo (bar (baz))", ["foo bar baz", "foo"]],
    ["(What's the Story) Morning Glory?", ["whats the story morning glory"]],
    ["(I)", ["i"]],
    ["Foo )", ["foo"]],
    ["", []],
    ["()", []],
  ])("%j defines %j", (title, names) => {
    expect(titleNames(title)).toEqual(names);
  });
});
