import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../src/lexical/question.js";
import { ALL_WORDS } from "../../src/graph/reader.js";
import { QuestionWords } from "../../src/lexical/question-words.js";
import { SentenceScorer } from "../../src/lexical/sentence-relevance.js";
import { stableKey } from "../../src/text/keys.js";
import { runs } from "./runs.js";
import { inSegmentOrder, placed, placements, ScriptedAnalyzer, segmentOf } from "./scripted.js";

const WORDS = ["alpha", "beta", "gamma", "delta", "rome", "oslo", "kyiv", "épée", "東京", "unknown", "nemo"];

/** Words as they are indexed. */
function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase().replaceAll("é", "e"));
}

describe("SentenceScorer", () => {
  it("is the formula, sentence by sentence, for any open words", () => {
    const questions = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 });
    const opens = fc.oneof(fc.constant(ALL_WORDS), fc.integer({ min: 0, max: ALL_WORDS }));
    fc.assert(
      fc.property(
        placements,
        questions,
        opens,
        fc.constantFrom(0.5, 1, 10, 1000),
        (placement, question, open, scale) => {
          const { view } = placed(placement);
          const live = placement.passages.filter(({ state }) => state !== "dead");
          const words = new QuestionWords(readQuestion(question.join(" "), new ScriptedAnalyzer(), view).terms);
          // The question's words that a live passage holds, each once.
          const asked = new Map(
            wordsOf(question.join(" ")).flatMap((word) => {
              const df = live.filter(({ title, text }) => wordsOf(`${title ?? ""} ${text}`).includes(word)).length;
              return df === 0 ? [] : [[word, Math.log(1 + (live.length - df + 0.5) / (df + 0.5)) ** 2] as const];
            }),
          );
          expect(new Set(words.in(ALL_WORDS))).toEqual(new Set(asked.keys()));
          const sum = (some: Iterable<string>) => [...some].reduce((total, word) => total + asked.get(word)!, 0);
          const isOpen = new Set(words.in(open));
          view.parts.forEach(({ segment }, part) => {
            const scorer = new SentenceScorer(segment, words, scale);
            const passages = inSegmentOrder(placement.passages.filter((passage) => passage.segment === part));
            let sentence = 0;
            passages.forEach(({ text }, p) => {
              for (const said of text.split(".").map(wordsOf)) {
                if (said.length === 0) continue;
                const shared = new Set(said.filter((word) => asked.has(word)));
                const found = scorer.wordsIn(sentence, p);
                expect(new Set(words.in(found))).toEqual(shared);
                const covered = [...shared].filter((word) => isOpen.has(word));
                const isWorthIt = covered.length > 0 && sum(isOpen) >= 0.25 * sum(asked.keys()) - 1e-12;
                const cosine = isWorthIt ? Math.sqrt(sum(covered) / sum(isOpen)) : 0;
                const actual = scorer.relevance(sentence++, p, found & open, open);
                expect(actual).toBeCloseTo((cosine * scale) / (scale + said.length), 12);
              }
            });
            expect(sentence).toBe(segment.sentenceCount);
          });
        },
      ),
      runs(150),
    );
  });

  it("counts the 32 rarest words of a long question", () => {
    const words = Array.from({ length: 250 }, (_, i) => `w${i}x`);
    const segment = segmentOf([{ id: "a", text: `${words.slice(0, 40).join(" ")}. ${words.slice(100).join(" ")}.` }]);
    const terms = words.map((term, i) => ({ term, key: stableKey(term), idf: i % 25 === 0 ? 4 : i < 40 ? 3 : 2 }));
    const asked = new QuestionWords(terms);
    const rarest = words.filter((_, i) => i % 25 === 0);
    expect(asked.in(ALL_WORDS)).toEqual([...rarest, ...words.filter((_, i) => i < 40 && i % 25 !== 0).slice(0, 22)]);
    const scorer = new SentenceScorer(segment, asked, 75);
    const [first, second] = [scorer.wordsIn(0, 0), scorer.wordsIn(1, 0)];
    expect(asked.in(second)).toEqual(rarest.slice(4));
    const total = 10 * 16 + 22 * 9;
    expect(scorer.relevance(0, 0, first, ALL_WORDS)).toBeCloseTo((Math.sqrt((32 + 198) / total) * 75) / 115, 12);
    expect(scorer.relevance(1, 0, second, ALL_WORDS)).toBeCloseTo((Math.sqrt(96 / total) * 75) / 225, 12);
    // What the first leaves open, and the second covers of it.
    const open = (ALL_WORDS & ~first) >>> 0;
    expect(scorer.relevance(1, 0, second & open, open)).toBeCloseTo((Math.sqrt(96 / 128) * 75) / 225, 12);
  });
});
