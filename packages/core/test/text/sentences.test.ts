import { describe, expect, it } from "vitest";
import { EnglishAnalyzer } from "../../src/text/english-analyzer.js";
import { MAX_SENTENCE_LENGTH } from "../../src/text/sentences.js";

const analyzer = new EnglishAnalyzer();

function sentencesOf(text: string): string[] {
  return analyzer.analyze(text).sentences.map(({ start, end }) => text.slice(start, end));
}

describe("sentences", () => {
  it.each([
    ["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
    ["Mr. Smith met Dr. Jones in St. Louis. They left.", ["Mr. Smith met Dr. Jones in St. Louis.", "They left."]],
    ["J. R. R. Tolkien wrote. A. A. Milne did too.", ["J. R. R. Tolkien wrote.", "A. A. Milne did too."]],
    ["The U.S. Navy left the U.S. They returned.", ["The U.S. Navy left the U.S.", "They returned."]],
    ["It costs 3.5 dollars. No. 5 is free.", ["It costs 3.5 dollars.", "No. 5 is free."]],
    ["He said no. Bob left.", ["He said no.", "Bob left."]],
    ["Animals, e.g. Cats, purr. Dogs bark.", ["Animals, e.g. Cats, purr.", "Dogs bark."]],
    ["Well... Bob left. Then silence… no more.", ["Well... Bob left.", "Then silence… no more."]],
    ["He said “Go.” She went. (They stayed.) Why?", ["He said “Go.”", "She went.", "(They stayed.)", "Why?"]],
    ["It ended ``well .'' Next came Bob.", ["It ended ``well .''", "Next came Bob."]],
    ["“Why?” he asked. Nobody knew.", ["“Why?” he asked.", "Nobody knew."]],
    ["Sammy Davis Jr. sang. John Doe Jr. He left.", ["Sammy Davis Jr. sang.", "John Doe Jr.", "He left."]],
    ["first line\nsame sentence\n\nnext paragraph", ["first line\nsame sentence", "next paragraph"]],
    ["a\r\nb\r\n\r\nc", ["a\r\nb", "c"]],
    ["東京です。大阪「です。」京都！", ["東京です。", "大阪「です。」", "京都！"]],
    ["यह एक है। वह दो है॥", ["यह एक है।", "वह दो है॥"]],
    ["هل أنت هنا؟ نعم.", ["هل أنت هنا؟", "نعم."]],
    ["Teutberga( died 11 November 875) was a queen.", ["Teutberga( died 11 November 875) was a queen."]],
    ["See www.example.com for more. Bye.", ["See www.example.com for more.", "Bye."]],
    ["... !!! ??", []],
    ["", []],
  ])("%j", (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected);
  });

  it("cuts an endless sentence at white space, and an endless word anywhere", () => {
    const spaced = sentencesOf("word ".repeat(5000));
    expect(spaced.every((sentence) => sentence.length <= MAX_SENTENCE_LENGTH && sentence.endsWith("word"))).toBe(true);
    const unbroken = sentencesOf("a".repeat(10_000));
    expect(unbroken.every((sentence) => sentence.length <= MAX_SENTENCE_LENGTH)).toBe(true);
    expect(unbroken.join("")).toHaveLength(10_000);
  });
});
