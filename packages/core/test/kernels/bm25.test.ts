import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Visibility } from "../../src/index/visibility.js";
import { bestByWords, type Bm25Parameters, lowerBound, WordScores } from "../../src/lexical/bm25.js";
import { inverseDocumentFrequency, readQuestion } from "../../src/lexical/question.js";
import { runs } from "./runs.js";
import { filterOf, type PlacedPassage, type Placement, placed, ScriptedAnalyzer } from "./scripted.js";

/** Words from frequent to rare, so that some bounds are far below others. */
const WORDS = ["the", "the", "the", "the", "of", "of", "of", "king", "king", "saxony", "mother", "waldrada"];

const text = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 12, size: "max" })
  .map((words) => (words.length === 0 ? "" : `${words.join(" ")}.`));

const corpora: fc.Arbitrary<Placement> = fc.integer({ min: 1, max: 4 }).chain((segments) =>
  fc.record({
    segments: fc.constant(segments),
    passages: fc.uniqueArray(
      fc.record(
        {
          id: fc.integer({ min: 0, max: 99 }).map(String),
          text,
          title: fc.constantFrom("king", "the mother", "of the of the of"),
          segment: fc.integer({ min: 0, max: segments - 1 }),
          state: fc.constantFrom("visible", "visible", "visible", "filtered", "dead"),
        },
        { requiredKeys: ["id", "text", "segment", "state"] },
      ),
      { maxLength: 60, size: "max", selector: ({ id }) => id },
    ),
  }),
);

/** Nothing equal in two passages but their ids: all scores tie. */
const tied: fc.Arbitrary<Placement> = corpora.map(({ segments, passages }) => ({
  segments,
  passages: passages.map(({ id, segment, state }) => ({ id, segment, state, text: "the king of saxony." })),
}));

const questions = fc
  .array(fc.constantFrom(...WORDS, "unknown"), { maxLength: 8, size: "max" })
  .map((words) => words.join(" "));

const parameters: fc.Arbitrary<Bm25Parameters> = fc.record({
  k1: fc.constantFrom(0, 0.5, 1.2, 3),
  b: fc.constantFrom(0, 0.4, 0.75, 1),
});

interface Scored {
  readonly id: string;
  readonly score: number;
}

function wordsOf({ title, text }: PlacedPassage): readonly string[] {
  return `${title ?? ""} ${text}`.match(/\w+/g) ?? [];
}

/** The equation, passage by passage, for all that live: rounded as the kernel rounds it, so that bits can be compared. */
function scoreAll({ passages }: Placement, question: string, { k1, b }: Bm25Parameters): (Scored & PlacedPassage)[] {
  const live = passages
    .filter(({ state }) => state !== "dead")
    .map((passage) => ({ ...passage, words: wordsOf(passage) }));
  const slope = (k1 * b * live.length) / live.reduce((sum, { words }) => sum + words.length, 0);
  const frequency = (words: readonly string[], term: string) => words.filter((word) => word === term).length;
  const idfs = [...new Set(question.match(/\w+/g))].map((term) => {
    const df = live.filter(({ words }) => words.includes(term)).length;
    return { term, idf: Math.log(1 + (live.length - df + 0.5) / (df + 0.5)) };
  });
  return live.map((passage) => {
    let score = 0;
    for (const { term, idf } of idfs) {
      const f = frequency(passage.words, term);
      if (f > 0) score += idf * ((f * (k1 + 1)) / (f + k1 * (1 - b) + slope * passage.words.length));
    }
    return { ...passage, score };
  });
}

describe("bestByWords", () => {
  it("is all passages scored and sorted: same order, same bits, for every limit", () => {
    const limits = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(100));
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: corpora }, tied), questions, limits, parameters, (...example) => {
        const [placement, question, limit, bm25] = example;
        const { view } = placed(placement);
        const { terms } = readQuestion(question, new ScriptedAnalyzer(), view);
        const expected = scoreAll(placement, question, bm25)
          .filter(({ state, score }) => state === "visible" && score > 0)
          .sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1))
          .slice(0, limit)
          .map(({ id, score }) => ({ id, score }));
        const best = bestByWords(view, terms, limit, new Visibility(view, filterOf(placement)), bm25);
        const actual = Array.from(best.items, (item, i) => ({ id: view.passageId(item), score: best.scores[i] }));
        expect(actual).toEqual(expected);
      }),
      { ...runs(500), unbiased: true },
    );
  });

  it("finds the best of many: several windows a segment, and the bounds leave out most passages", () => {
    const passages = Array.from({ length: 12_000 }, (_, n) => ({
      id: `${(n * 7919) % 12_000}`,
      text: `the ${"of ".repeat(n % 4)}${n % 50 === 0 ? "king " : ""}${n % 333 === 0 ? "waldrada " : ""}the.`,
      segment: n % 7 === 0 ? 1 : 0,
      state: n % 11 === 0 ? ("dead" as const) : n % 13 === 0 ? ("filtered" as const) : ("visible" as const),
    }));
    const placement = { segments: 2, passages };
    const bm25 = { k1: 1.2, b: 0.75 };
    const { view } = placed(placement);
    const question = "the king of waldrada";
    const { terms } = readQuestion(question, new ScriptedAnalyzer(), view);
    const ranked = scoreAll(placement, question, bm25)
      .filter(({ state, score }) => state === "visible" && score > 0)
      .sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1));
    for (const limit of [1, 5, 20, 100, 12_000]) {
      const best = bestByWords(view, terms, limit, new Visibility(view, filterOf(placement)), bm25);
      const wanted = ranked.slice(0, limit);
      expect(Array.from(best.items, (item) => view.passageId(item))).toEqual(wanted.map(({ id }) => id));
      expect([...best.scores]).toEqual(wanted.map(({ score }) => score));
    }
  });
});

describe("WordScores", () => {
  it("are the same scores", () => {
    fc.assert(
      fc.property(corpora, questions, parameters, (placement, question, bm25) => {
        const { view } = placed(placement);
        const { terms } = readQuestion(question, new ScriptedAnalyzer(), view);
        const scores = new WordScores(view, terms, bm25);
        for (const { id, score } of scoreAll(placement, question, bm25)) {
          expect(scores.of(view.findPassage(id))).toBe(score);
        }
      }),
      { ...runs(100), unbiased: true },
    );
  });
});

describe("a question's terms", () => {
  it("are its distinct words that a live passage holds, in order, each with an idf above 0", () => {
    fc.assert(
      fc.property(corpora, questions, (placement, question) => {
        const { view } = placed(placement);
        const live = placement.passages.filter(({ state }) => state !== "dead");
        const held = live.flatMap(wordsOf);
        const { terms } = readQuestion(question, new ScriptedAnalyzer(), view);
        expect(terms.map(({ term }) => term)).toEqual(
          [...new Set(question.match(/\w+/g))].filter((term) => held.includes(term)),
        );
        for (const { idf } of terms) expect(idf).toBeGreaterThan(0);
      }),
      runs(200),
    );
  });

  it("have an idf that falls with the number of passages and stays above 0", () => {
    for (const passages of [1, 2, 10, 1e6]) {
      let last = Infinity;
      for (const degree of [1, 2, 5, 10, 1e5, 1e6].filter((degree) => degree <= passages)) {
        const idf = inverseDocumentFrequency(degree, passages);
        expect(idf).toBeGreaterThan(0);
        expect(idf).toBeLessThan(last);
        last = idf;
      }
    }
  });

  it("of a pasted document are its rarest", () => {
    const words = Array.from({ length: 400 }, (_, i) => `w${i}x`);
    // Word i is in passage 0, and each of the first 200 in another passage too.
    const texts = [words.join(" "), words.slice(0, 200).join(" ")];
    const passages = texts.map((text, i) => ({
      id: `${i}`,
      text: `${text}.`,
      segment: 0,
      state: "visible" as const,
    }));
    const { view } = placed({ segments: 1, passages });
    const { terms } = readQuestion(words.join(" "), new ScriptedAnalyzer(), view);
    expect(terms).toHaveLength(256);
    expect(terms.filter(({ term }) => words.indexOf(term) >= 200)).toHaveLength(200);
  });
});

describe("lowerBound", () => {
  it("is a linear scan", () => {
    const instance = fc
      .uniqueArray(fc.nat(300), { maxLength: 200, size: "max" })
      .map((values) => Uint32Array.from(values).sort())
      .chain((values) =>
        fc.record({
          values: fc.constant(values),
          low: fc.nat(values.length),
          high: fc.nat(values.length),
          value: fc.integer({ min: 0, max: 310 }),
        }),
      );
    fc.assert(
      fc.property(instance, ({ values, low, high, value }) => {
        let expected = low;
        while (expected < high && values[expected] < value) expected++;
        expect(lowerBound(values, low, high, value)).toBe(expected);
      }),
      { ...runs(2000), unbiased: true },
    );
  });
});
