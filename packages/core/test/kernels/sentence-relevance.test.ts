import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../src/lexical/question.js";
import { SentenceScorer } from "../../src/lexical/sentence-relevance.js";
import { stableKey } from "../../src/text/keys.js";
import { runs } from "./runs.js";
import { inSegmentOrder, placed, placements, ScriptedAnalyzer, segmentOf } from "./scripted.js";

const WORDS = ["alpha", "beta", "gamma", "delta", "rome", "oslo", "kyiv", "épée", "東京", "unknown", "nemo"];

/** Words as they are indexed. */
function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase().replaceAll("é", "e"));
}

describe("SentenceScorer", { timeout: 60_000 }, () => {
  it("is the formula, sentence by sentence", () => {
    const questions = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 });
    fc.assert(
      fc.property(placements, questions, fc.constantFrom(0.5, 1, 10, 1000), (placement, question, scale) => {
        const { view } = placed(placement);
        const live = placement.passages.filter(({ state }) => state !== "dead");
        const { terms } = readQuestion(question.join(" "), new ScriptedAnalyzer(), view);
        // Σ over the question's words that a live passage holds, each once.
        const asked = new Map(
          wordsOf(question.join(" ")).flatMap((word) => {
            const df = live.filter(({ title, text }) => wordsOf(`${title ?? ""} ${text}`).includes(word)).length;
            return df === 0 ? [] : [[word, Math.log(1 + (live.length - df + 0.5) / (df + 0.5)) ** 2] as const];
          }),
        );
        const total = [...asked.values()].reduce((sum, weight) => sum + weight, 0);
        view.parts.forEach(({ segment }, part) => {
          const scorer = new SentenceScorer(segment, terms, scale);
          const passages = inSegmentOrder(placement.passages.filter((passage) => passage.segment === part));
          let sentence = 0;
          passages.forEach(({ text }, p) => {
            for (const words of text.split(".").map(wordsOf)) {
              if (words.length === 0) continue;
              const shared = [...new Set(words)].reduce((sum, word) => sum + (asked.get(word) ?? 0), 0);
              const expected = shared === 0 ? 0 : ((shared / total) * scale) / (scale + words.length);
              const actual = scorer.relevance(sentence++, p);
              const isRight = Math.abs(actual - expected) <= 1e-12 && (actual === 0) === (expected === 0);
              if (!isRight) expect.fail(`σ(${words.join(" ")}) is ${actual}, not ${expected}`);
            }
          });
          expect(sentence).toBe(segment.sentenceCount);
        });
      }),
      runs(150),
    );
  });

  it("takes questions of many words", () => {
    const words = Array.from({ length: 250 }, (_, i) => `w${i}x`);
    const segment = segmentOf([{ id: "a", text: `${words.slice(0, 25).join(" ")}. ${words.join(" ")}.` }]);
    const terms = words.map((term) => ({ term, key: stableKey(term), idf: 2 }));
    const scorer = new SentenceScorer(segment, terms, 75);
    expect(scorer.relevance(0, 0)).toBeCloseTo(0.1 * (75 / 100), 12);
    expect(scorer.relevance(1, 0)).toBeCloseTo(75 / 325, 12);
    expect(scorer.relevance(0, 0)).toBeCloseTo(0.1 * (75 / 100), 12);
  });
});
