import { EnglishAnalyzer, normalizeName } from "@trigraph/core";
import { describe, expect, test } from "vitest";
import { SyntheticCorpus, type Draft } from "../src/synthetic-corpus.js";

const SIZE = 6000;
const corpus = new SyntheticCorpus({ passages: SIZE, seed: 7 });
const drafts = [...corpus.drafts()];

describe("the generated corpus", () => {
  test("is the same for the same seed, and when it is read again", () => {
    const again = new SyntheticCorpus({ passages: SIZE, seed: 7 });
    expect([...again.drafts()]).toEqual(drafts);
    expect([...corpus.passages()]).toEqual(drafts.map(({ passage }) => passage));
    expect(again.questions).toEqual(corpus.questions);
  });

  test("differs with the seed", () => {
    const other = new SyntheticCorpus({ passages: SIZE, seed: 8 });
    expect(other.questions[0].question).not.toBe(corpus.questions[0].question);
    expect(other.passages().next().value?.text).not.toBe(drafts[0].passage.text);
  });

  test("has passages with ids of their own, 75 words long on average and of many lengths", () => {
    expect(new Set(drafts.map(({ passage }) => passage.id)).size).toBe(SIZE);
    const lengths = drafts.map(({ passage }) => passage.text.split(" ").length).sort((a, b) => a - b);
    const average = lengths.reduce((sum, length) => sum + length, 0) / SIZE;
    expect(average).toBeGreaterThan(72);
    expect(average).toBeLessThan(80);
    expect(lengths[Math.floor(SIZE * 0.05)]).toBeLessThan(35);
    expect(lengths[Math.floor(SIZE * 0.95)]).toBeGreaterThan(140);
  });

  test("gives about half of the passages a title, which their text names when it opens with a definition", () => {
    const titled = drafts.filter(({ passage }) => passage.title !== undefined);
    expect(titled.length / SIZE).toBeGreaterThan(0.45);
    expect(titled.length / SIZE).toBeLessThan(0.55);
    for (const { passage } of titled) expect(passage.text.startsWith(`${passage.title} is a `)).toBe(true);
  });

  test("has a vocabulary of at least 200,000 different words", () => {
    expect(new Set(corpus.vocabulary).size).toBeGreaterThanOrEqual(200_000);
    expect(corpus.vocabulary.every((word) => /^[a-z]{3,}$/.test(word))).toBe(true);
  });

  test("has 1.5 entities a passage or nearly so, the commonest in at least 1 % of the passages", () => {
    const frequencies = documentFrequencies(drafts);
    expect(frequencies.size / SIZE).toBeGreaterThan(1.3);
    // The chains of the questions have entities of their own.
    expect(frequencies.size / SIZE).toBeLessThanOrEqual(1.5 + 700 / SIZE);
    const [first, second, third] = [...frequencies.values()].sort((a, b) => b - a);
    expect(first / SIZE).toBeGreaterThan(0.01);
    expect(second).toBeLessThan(first);
    expect(third).toBeLessThan(second);
  });

  test("has names that the English analyzer reads as such, and nothing else that it takes for one", () => {
    const analyzer = new EnglishAnalyzer();
    let planted = 0;
    let found = 0;
    let others = 0;
    for (const { passage, names } of drafts.slice(0, 1000)) {
      const mentions = new Map<string, number>();
      for (const { name } of analyzer.analyze(passage.text).mentions) add(mentions, name, 1);
      for (const name of names.map(normalizeName)) {
        planted++;
        if ((mentions.get(name) ?? 0) === 0) continue;
        found++;
        add(mentions, name, -1);
      }
      for (const [name, count] of mentions) if (!/^[0-9]{4}$/.test(name)) others += count;
    }
    expect(found / planted).toBeGreaterThan(0.95);
    expect(others / planted).toBeLessThan(0.05);
  });

  test("refuses to be too small for its questions", () => {
    expect(() => new SyntheticCorpus({ passages: 999, seed: 1 })).toThrow(RangeError);
    expect(() => new SyntheticCorpus({ passages: 1000, seed: 1, questions: 201 })).toThrow(RangeError);
  });
});

describe("the questions of the generated corpus", () => {
  const texts = new Map(drafts.map(({ passage }) => [passage.id, passage.text]));

  test("are 200, half of them with two and half with three hops, each with a gold passage for each hop", () => {
    expect(corpus.questions).toHaveLength(200);
    expect(new Set(corpus.questions.map(({ id }) => id)).size).toBe(200);
    for (const { type, gold } of corpus.questions) {
      expect(new Set(gold).size).toBe(type === "2-hop" ? 2 : 3);
      for (const id of gold ?? []) expect(texts.has(id)).toBe(true);
    }
    expect(corpus.questions.filter(({ type }) => type === "2-hop")).toHaveLength(100);
  });

  test("name a seed that the first gold passage mentions, which shares a name with the second, and so on", () => {
    const names = new Map(drafts.map((draft) => [draft.passage.id, new Set(draft.names)]));
    for (const { question, gold } of corpus.questions) {
      const seed = /([A-Z][a-z]+(?: [A-Z][a-z]+)*)\?$/.exec(question)?.[1] ?? "";
      const chain = (gold ?? []).map((id) => names.get(id) ?? new Set());
      expect(chain[0].has(seed)).toBe(true);
      for (let hop = 1; hop < chain.length; hop++) {
        expect([...chain[hop]].some((name) => chain[hop - 1].has(name))).toBe(true);
      }
    }
  });

  test("are asked at any size", () => {
    const small = new SyntheticCorpus({ passages: 1000, seed: 3, questions: 40 });
    expect(small.questions).toHaveLength(40);
    expect([...small.passages()]).toHaveLength(1000);
  });
});

function documentFrequencies(all: readonly Draft[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { names } of all) for (const name of new Set(names)) add(frequencies, name, 1);
  return frequencies;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
