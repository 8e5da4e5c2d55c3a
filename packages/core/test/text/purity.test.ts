import { describe, expect, it, vi } from "vitest";
import { EnglishAnalyzer } from "../../src/text/english-analyzer.js";
import { makePassages } from "./passages.js";

/** An analyzer with a tagger and memories of its own: what another process would have. */
async function freshAnalyzer(): Promise<EnglishAnalyzer> {
  vi.resetModules();
  const module = await import("../../src/text/english-analyzer.js");
  return new module.EnglishAnalyzer();
}

describe("analyze is a pure function", () => {
  it("gives the same, whatever was analysed before and in which order", async () => {
    const passages = makePassages(3000, 1);
    const analyzer = new EnglishAnalyzer();
    const forwards = passages.map((text) => analyzer.analyze(text));
    const other = await freshAnalyzer();
    const backwards = passages
      .slice()
      .reverse()
      .map((text) => other.analyze(text))
      .reverse();
    expect(backwards).toEqual(forwards);
    expect(passages.map((text) => analyzer.analyze(text))).toEqual(forwards);
  });

  it("does not let one text's words change another's", async () => {
    const texts = [
      "William's brother left.",
      "He studied at King William's College.",
      "WILLIAM'S",
      "Mid-air re-entry of U.S. X-rays.",
      "mid-air RE-ENTRY u.s. x-RAYS cannot Cannot",
      "qzvxing Qzvx QZVX qzvx",
    ];
    const alone = [];
    for (const text of texts) alone.push((await freshAnalyzer()).analyze(text));
    for (let shift = 0; shift < texts.length; shift++) {
      const analyzer = await freshAnalyzer();
      for (let i = 0; i < texts.length; i++) {
        const at = (i + shift) % texts.length;
        expect(analyzer.analyze(texts[at])).toEqual(alone[at]);
      }
    }
  });

  it("is the same after more distinct words than are remembered", () => {
    const passages = makePassages(200, 2);
    const analyzer = new EnglishAnalyzer();
    const before = passages.map((text) => analyzer.analyze(text));
    let flood = "";
    for (let i = 0; i < 70_000; i++) flood += `w${i.toString(36)} `;
    analyzer.analyze(flood);
    expect(passages.map((text) => analyzer.analyze(text))).toEqual(before);
  });

  it("works in any number of instances", () => {
    const expected = new EnglishAnalyzer().analyze("William's brother left Lotharingia.");
    for (let i = 0; i < 500; i++) {
      expect(new EnglishAnalyzer().analyze("William's brother left Lotharingia.")).toEqual(expected);
    }
  });
});
