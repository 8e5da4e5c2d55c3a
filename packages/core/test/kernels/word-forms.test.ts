import { describe, expect, it } from "vitest";
import { formKeys } from "../../src/lexical/word-forms.js";
import { stableKey } from "../../src/text/keys.js";

function isForm(word: string, other: string): boolean {
  return formKeys(word).includes(stableKey(other));
}

describe("formKeys", () => {
  it.each([
    ["directed", "director"],
    ["directors", "directing"],
    ["born", "birth"],
    ["birthplace", "born"],
    ["wrote", "author"],
    ["authored", "writer"],
    ["died", "death"],
    ["wife", "husband"],
    ["founded", "founder"],
    ["located", "location"],

    ["countries", "country"],
    ["films", "movie"],
    ["children", "child"],
  ])("of %j are those of %j", (word, other) => {
    expect(isForm(word, other)).toBe(true);
    expect(isForm(other, word)).toBe(true);
  });

  it.each([
    ["sea", "seal"],
    ["car", "carer"],
    ["car", "cars"],
    ["bus", "buses"],
    ["man", "many"],
    ["one", "only"],
    ["the", "they"],
    ["this", "thisly"],
    ["where", "whereer"],
    ["norwick", "delmar"],
    ["directed", "direst"],
  ])("of %j have nothing to do with %j", (word, other) => {
    expect(isForm(word, other)).toBe(false);
  });

  it.each(["x", "", "字", "__proto__", "constructor", "the", "directed", "👩‍🎨", "\ud800", "a".repeat(1e5)])(
    "hold the word itself: %#",
    (word) => {
      expect(isForm(word, word)).toBe(true);
    },
  );
});
