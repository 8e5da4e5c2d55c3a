import { EnglishAnalyzer } from "@trigraph/core";
import { describe, expect, test } from "vitest";
import { toSpans, type Tag } from "../src/entities/bio.js";
import { joinMentions } from "../src/entities/join.js";
import { splitUnits } from "../src/entities/units.js";
import { clearestWindows, windowsOf } from "../src/entities/windows.js";
import { TransformersAnalyzer, type TransformersAnalyzerOptions } from "../src/index.js";
import { SharedModel } from "../src/shared-model.js";
import { ENTITIES, goldens, TINY } from "./support/models.js";

async function mentionsIn(text: string, options: Partial<TransformersAnalyzerOptions> = {}): Promise<string[]> {
  const analyzer = new TransformersAnalyzer({ ...ENTITIES, mentions: "replace", ...options });
  const { mentions, sentences } = (await analyzer.read([text])).analyze(text);
  for (const { start, end } of mentions) {
    expect(sentences.filter((sentence) => sentence.start <= start && end <= sentence.end)).toHaveLength(1);
  }
  return mentions.map(({ start, end }) => text.slice(start, end));
}

describe("mentions", () => {
  test("are the words that another runtime labels so", async () => {
    const found = await Promise.all(goldens.labels.map(({ text }) => mentionsIn(text)));
    expect(found).toEqual([
      ["Ada Lindqvist", "Warsaw", "Marie Curie", "Acme Corporation", "New York"],
      [],
      ["Greta Holm", "Visby"],
    ]);
    // Each begins where the other runtime says B-…
    const begun = goldens.labels.map(({ pieces }) => pieces.filter(([, label]) => label.startsWith("B-")).length);
    expect(found.map(({ length }) => length)).toEqual(begun);
  });

  test("need no capitals, and are normalised as names", async () => {
    const text = "the painter greta holm of visby";
    const analyzer = new TransformersAnalyzer({ ...ENTITIES, mentions: "replace" });
    const { mentions } = (await analyzer.read([text])).analyzeUntagged!(text);
    expect(mentions).toEqual([
      { start: 12, end: 22, name: "greta holm" },
      { start: 26, end: 31, name: "visby" },
    ]);
  });

  test("may be of some types only", async () => {
    expect(await mentionsIn(goldens.labels[0].text, { types: ["LOC"] })).toEqual(["Warsaw", "New York"]);
  });

  test("end with their sentence", async () => {
    expect(await mentionsIn("She met Ada. Holm came from the sea.")).toEqual(["Ada", "Holm"]);
  });

  test("join those of the rules", async () => {
    const text = "In 1962 ada lindqvist left Berlin for visby.";
    expect(await mentionsIn(text)).toEqual(["ada lindqvist", "visby"]);
    expect(await mentionsIn(text, { mentions: "join" })).toEqual(["1962", "ada lindqvist", "Berlin", "visby"]);
  });

  test("have the right place behind what has no pieces or several units", async () => {
    expect(await mentionsIn("\u0007 日本 (Ada\u00a0Holm): «Visby»")).toEqual(["Ada\u00a0Holm", "Visby"]);
    expect(await mentionsIn(" ")).toEqual([]);
    expect(await mentionsIn("[SEP] ada [CLS]")).toEqual(["ada"]);
  });

  test("of a long text are found in windows, whatever is around them", async () => {
    const filler = "the bees make honey in the garden and the forest by the lake ".repeat(4);
    const names = ["Ada Lindqvist", "Warsaw", "Marie Curie", "Acme Corporation", "New York", "Greta Holm"];
    const text = names.map((name) => `${filler}${name}. `).join("");
    expect(await mentionsIn(text)).toEqual(names);
    // Six pieces between the special ones, so a name of two words falls into every place of a window.
    expect(await mentionsIn(text, { maxTokens: 8 })).toEqual(names);
  });
});

test("sentences, words and parts of speech are the other analyzer's", async () => {
  const { text } = goldens.labels[0];
  const [english, analyzer] = [new EnglishAnalyzer(), new TransformersAnalyzer(ENTITIES)];
  const { mentions: _, ...rest } = (await analyzer.read([text])).analyze(text);
  const { mentions: __, ...expected } = english.analyze(text);
  expect(rest).toEqual(expected);
  expect(analyzer.tokenize(text)).toEqual(english.tokenize(text));
});

test("what is read depends on the text alone", async () => {
  const analyzer = new TransformersAnalyzer(ENTITIES);
  const texts = goldens.labels.map(({ text }) => text);
  const together = await analyzer.read(texts);
  for (const text of texts) {
    const alone = await new TransformersAnalyzer(ENTITIES).read([text]);
    expect(alone.analyze(text)).toEqual(together.analyze(text));
  }
  expect(() => together.analyze("another")).toThrow(/expected a text that was read, got "another"/);
});

describe("errors", () => {
  test.each([
    [{ ...ENTITIES, mentions: "both" }, /expected mentions "replace" or "join", got "both"/],
    [{ ...ENTITIES, types: "PER" }, /expected types to be an array of strings/],
    [{ ...ENTITIES, minScore: 1 }, /minScore/],
  ])("options %j", (options, message) => {
    expect(() => new TransformersAnalyzer(options as unknown as TransformersAnalyzerOptions)).toThrow(message);
  });

  test("a model whose labels are no BIO", async () => {
    const analyzer = new TransformersAnalyzer({ ...TINY, model: "pairs" });
    await expect(analyzer.load()).rejects.toThrow(/expected the labels of pairs to be O, B-… and I-…, got LABEL_0/);
  });

  test("an abort, and a life that is over", async () => {
    const analyzer = new TransformersAnalyzer(ENTITIES);
    await expect(analyzer.read(["Ada"], { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    await analyzer.dispose();
    await expect(analyzer.read(["Ada"])).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe("parts", () => {
  test("units have the pieces of the whole text", async () => {
    const shared = new SharedModel("test", "entities", ENTITIES);
    const model = await shared.load();
    const texts = [...goldens.ids.map(({ text }) => text), "a_b $5+3 «x» don't 日本語 e\u0301te\u0301 ½"];
    for (const text of texts) {
      const units = splitUnits(text).map(({ start, end }) => text.slice(start, end));
      expect(units.flatMap((unit) => model.pieces(unit))).toEqual(model.pieces(text));
    }
    await shared.dispose();
  });

  test("windows hold what fits, overlap, and cover all", () => {
    const lengths = Array.from({ length: 200 }, (_, i) => 1 + ((i * 7) % 5));
    for (const [capacity, overlap] of [
      [10, 3],
      [5, 5],
      [3, 1],
      [40, 0],
      [1000, 100],
    ]) {
      const windows = windowsOf(lengths, capacity, overlap);
      const size = (first: number, end: number) => lengths.slice(first, end).reduce((a, b) => a + b, 0);
      expect([windows[0].first, windows.at(-1)!.end]).toEqual([0, 200]);
      for (const [i, { first, end }] of windows.entries()) {
        expect(size(first, end) <= capacity || end === first + 1).toBe(true);
        if (i === 0) continue;
        const before = windows[i - 1];
        expect(first).toBeGreaterThan(before.first);
        expect(first).toBeLessThanOrEqual(before.end);
        expect(size(first, before.end)).toBeLessThanOrEqual(overlap);
      }
      const clearest = clearestWindows(windows, 200);
      const around = (w: number, u: number) =>
        Math.min(
          windows[w].first === 0 ? Infinity : u - windows[w].first,
          windows[w].end === 200 ? Infinity : windows[w].end - 1 - u,
        );
      for (let u = 0; u < 200; u++) {
        const holding = [...windows.keys()].filter((w) => windows[w].first <= u && u < windows[w].end);
        const best = Math.max(...holding.map((w) => around(w, u)));
        expect(clearest[u]).toBe(holding.find((w) => around(w, u) === best));
      }
    }
  });

  test("spans of labels", () => {
    const tags = (labels: string): Tag[] =>
      labels.split(" ").map((label) => ({
        type: label === "O" ? undefined : label.slice(2),
        begins: label.startsWith("B"),
      }));
    const spans = (labels: string, sentence = -1) =>
      toSpans(tags(labels), (u) => u === sentence).map(({ first, end, type }) => `${type} ${first}-${end}`);
    expect(spans("O B-PER I-PER O I-LOC")).toEqual(["PER 1-3", "LOC 4-5"]);
    expect(spans("B-PER B-PER I-LOC I-LOC")).toEqual(["PER 0-1", "PER 1-2", "LOC 2-4"]);
    expect(spans("I-PER I-PER I-PER", 2)).toEqual(["PER 0-2", "PER 2-3"]);
    expect(spans("O")).toEqual([]);
  });

  test("of mentions that overlap the longer stays, then the model's", () => {
    const mention = (start: number, end: number, name: string) => ({ start, end, name });
    const model = [mention(0, 4, "m1"), mention(10, 14, "m2"), mention(20, 22, "m3")];
    const rules = [mention(2, 9, "r1"), mention(12, 16, "r2"), mention(22, 30, "r3")];
    expect(joinMentions(model, rules).map(({ name }) => name)).toEqual(["r1", "m2", "m3", "r3"]);
  });
});
