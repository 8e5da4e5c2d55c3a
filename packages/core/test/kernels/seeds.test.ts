import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { View } from "../../src/index/view.js";
import { Visibility } from "../../src/index/visibility.js";
import { readQuestion } from "../../src/lexical/question.js";
import { type NgramSeedOptions, seedsByName } from "../../src/seeds/ngrams.js";
import { seedsBySimilarity, type SimilarSeedOptions } from "../../src/seeds/similar-names.js";
import type { TextAnalyzer } from "../../src/text/analyzer.js";
import { EnglishAnalyzer } from "../../src/text/english-analyzer.js";
import { stableKey } from "../../src/text/keys.js";
import { normalizeName } from "../../src/text/names.js";
import { runs } from "./runs.js";
import { placed, placements, ScriptedAnalyzer, type ScriptedPassage, segmentOf, viewOf } from "./scripted.js";

const RUNS = new ScriptedAnalyzer("runs");

const NGRAMS: NgramSeedOptions = { maxNameTokens: 16, maxSeedShare: 0.0025, minSeedPassages: 10, minNameUse: 0 };
const SIMILAR: SimilarSeedOptions = { minNameSimilarity: 0.7, maxWordPassages: 200 };

function titled(...titles: string[]): ScriptedPassage[] {
  return titles.map((title, i) => ({ id: `${i}`, title, text: "it is told here." }));
}

function viewOfPassages(passages: readonly ScriptedPassage[], analyzer: TextAnalyzer = RUNS): View {
  return viewOf([segmentOf(passages, analyzer)]);
}

/** The seeds as [name, the question's words for it]. */
function byName(view: View, question: string, options: Partial<NgramSeedOptions> = {}, analyzer: TextAnalyzer = RUNS) {
  const seeds = seedsByName(view, readQuestion(question, analyzer, view), new Visibility(view), {
    ...NGRAMS,
    ...options,
  });
  for (const { activation } of seeds) expect(activation).toBe(1);
  return seeds.map(({ entity, span }) => [view.entityName(entity), question.slice(span.start, span.end)]);
}

function bySimilarity(
  view: View,
  question: string,
  options: Partial<SimilarSeedOptions> = {},
  visibility = new Visibility(view),
) {
  const { mentions } = RUNS.analyze(question);
  return seedsBySimilarity(view, question, mentions, visibility, { ...SIMILAR, ...options });
}

describe("seeds by name", () => {
  const view = viewOfPassages([
    ...titled("Big Eyes", "Big", "Eyes", "New York City", "York", "City of God", "Theodred II (Bishop of Elmham)"),
    { id: "x", text: "Walter Keane painted them. Zoë Müller did not." },
  ]);

  it("are the longest names, none within or across another", () => {
    expect(byName(view, "who made big eyes?")).toEqual([["big eyes", "big eyes"]]);
    expect(byName(view, "is big with eyes")).toEqual([
      ["big", "big"],
      ["eyes", "eyes"],
    ]);
    // "City of God" would overlap; of two of one length the first in the question counts.
    expect(byName(view, "new york city of god")).toEqual([["new york city", "new york city"]]);
    expect(byName(view, "york city of god")).toEqual([
      ["york", "york"],
      ["city of god", "city of god"],
    ]);
  });

  it("of two that overlap are the longer one, wherever it stands", () => {
    const cities = viewOfPassages(titled("York City", "City of God", "God Save Us"));
    expect(byName(cities, "york city of god")).toEqual([["city of god", "city of god"]]);
    expect(byName(cities, "city of god save us")).toEqual([["city of god", "city of god"]]);
    expect(byName(cities, "york city of life")).toEqual([["york city", "york city"]]);
  });

  it("stand in the order of the question, each once", () => {
    expect(byName(view, "eyes or York or big eyes or EYES")).toEqual([
      ["eyes", "eyes"],
      ["york", "York"],
      ["big eyes", "big eyes"],
    ]);
  });

  it("are of no more tokens than allowed", () => {
    expect(byName(view, "new york city", { maxNameTokens: 2 })).toEqual([["york", "york"]]);
    expect(byName(view, "new york city", { maxNameTokens: 3 })).toEqual([["new york city", "new york city"]]);
  });

  it("are named by a title with its qualifier, and without", () => {
    expect(byName(view, "when did Theodred II die?")).toEqual([["theodred ii", "Theodred II"]]);
    expect(byName(view, "when did Theodred II (Bishop of Elmham) die?")).toEqual([
      ["theodred ii bishop of elmham", "Theodred II (Bishop of Elmham)"],
    ]);
    expect(byName(view, "theodred ii, bishop of elmham")).toEqual([
      ["theodred ii bishop of elmham", "theodred ii, bishop of elmham"],
    ]);
  });

  it("are found without accents and with them, in capitals, and behind an article", () => {
    expect(byName(view, "ZOE MULLER and walter keane")).toEqual([
      ["zoe muller", "ZOE MULLER"],
      ["walter keane", "walter keane"],
    ]);
    // The article is dropped from the name, not from what the question said.
    expect(byName(view, "the big eyes")).toEqual([["big eyes", "the big eyes"]]);
    const greek = viewOfPassages(titled("Ἀθῆναι", "Łódź", "Ｔｏｋｙｏ"));
    expect(byName(greek, "αθηναι, lodz or tokyo").map(([name]) => name)).toEqual(["αθηναι", "lodz", "tokyo"]);
  });

  it("are no words of grammar", () => {
    const plain = viewOfPassages(titled("It", "What Is", "The Who", "Who"));
    expect(byName(plain, "what is it and who")).toEqual([]);
    expect(byName(plain, "it and rome")).toEqual([]);
  });

  it("are no plain words: those in too many passages, or seldom a name in theirs", () => {
    const passages = [
      ...titled("Film"),
      ...Array.from({ length: 19 }, (_, i) => ({ id: `more ${i}`, text: "it is a film about something." })),
    ];
    const films = viewOfPassages(passages);
    const named = [["film", "film"]];
    // In 20 of 20 passages.
    expect(byName(films, "which film")).toEqual([]);
    expect(byName(films, "which film", { minSeedPassages: 19 })).toEqual([]);
    expect(byName(films, "which film", { minSeedPassages: 20 })).toEqual(named);
    expect(byName(films, "which film", { maxSeedShare: 0.99 })).toEqual([]);
    expect(byName(films, "which film", { maxSeedShare: 1 })).toEqual(named);
    // A name in 1 of 20.
    expect(byName(films, "which film", { maxSeedShare: 1, minNameUse: 1 / 20 })).toEqual(named);
    expect(byName(films, "which film", { maxSeedShare: 1, minNameUse: 0.051 })).toEqual([]);
    // Two words are never plain.
    expect(byName(viewOfPassages([...passages, ...titled("Big Film")].slice(1)), "big film")).toEqual([
      ["big film", "big film"],
    ]);
  });

  it("are in no dead passage", () => {
    const segment = segmentOf(titled("Big Eyes"), RUNS);
    expect(byName(viewOf([segment]), "big eyes")).toHaveLength(1);
    expect(byName(viewOf([segment], [new Set(["0"])]), "big eyes")).toEqual([]);
  });

  it("keep apart in scripts without spaces, where tokens overlap", () => {
    const english = new EnglishAnalyzer();
    const cities = viewOfPassages(titled("東京", "京都", "東京都"), english);
    expect(byName(cities, "東京都", {}, english)).toEqual([["東京都", "東京都"]]);
    const two = viewOfPassages(titled("東京", "京都"), english);
    expect(byName(two, "東京都", {}, english)).toEqual([["東京", "東京"]]);
  });

  it("are every name that a longest-first search finds, whatever stands between the words", () => {
    const words = ["the", "a", "Big", "eyes", "new", "York", "city", "of", "God", "zoë", "Müller"];
    const names = ["Big Eyes", "Eyes", "New York", "York City", "City of God", "God", "Zoë", "A God", "The York"];
    const gaps = [" ", "  ", ", ", "-", " (", ") ", "\n", " & "];
    const all = viewOfPassages(titled(...names));
    const question = fc
      .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(" ", " ", " ", ...gaps)), {
        maxLength: 10,
        size: "max",
      })
      .map((parts) => parts.flat().join(""));
    const known = new Set(names.map(normalizeName));
    fc.assert(
      fc.property(question, fc.integer({ min: 1, max: 4 }), (text, maxNameTokens) => {
        const tokens = RUNS.analyze(text).tokens;
        const taken = new Set<number>();
        const found = new Map<string, number>();
        for (let length = maxNameTokens; length >= 1; length--) {
          for (let first = 0; first + length <= tokens.length; first++) {
            const run = Array.from({ length }, (_, i) => first + i);
            const name = normalizeName(text.slice(tokens[first].start, tokens[first + length - 1].end));
            if (!known.has(name) || run.some((i) => taken.has(i))) continue;
            for (const i of run) taken.add(i);
            if (!found.has(name)) found.set(name, tokens[first].start);
          }
        }
        const expected = [...found].sort(([, x], [, y]) => x - y).map(([name]) => name);
        expect(byName(all, text, { maxNameTokens }).map(([name]) => name)).toEqual(expected);
      }),
      runs(500),
    );
  });
});

describe("seeds by similarity", () => {
  it("find a misspelt or shortened name, with the Dice coefficient of trigrams", () => {
    const view = viewOfPassages(titled("Big Eyes", "Big Ben", "Walter Keane"));
    const question = "who directed Big Eye?";
    const [seed, ...others] = bySimilarity(view, question);
    expect(others).toEqual([]);
    expect(view.entityName(seed.entity)).toBe("big eyes");
    expect(question.slice(seed.span.start, seed.span.end)).toBe("Big Eye");
    // "  big eye " has 8 trigrams and "  big eyes " 9; "ye " is in the first alone, "yes" and "es " in the second.
    expect(seed.activation).toBeCloseTo((2 * 7) / (8 + 9), 12);
    // The name itself has similarity 1.
    expect(bySimilarity(view, "who directed Big Eyes?")).toMatchObject([
      { entity: stableKey("big eyes"), activation: 1 },
    ]);
  });

  it("count repeated trigrams as often as both names have them", () => {
    // Of the 10 of "nanana zz" and the 12 of "nananana zz", "nan" and "ana" are twice and three times there.
    const view = viewOfPassages(titled("Nananana Zz"));
    const [seed] = bySimilarity(view, "is it Nanana Zz", { minNameSimilarity: 0.1 });
    expect(seed.activation).toBeCloseTo((2 * 10) / (10 + 12), 12);
  });

  it("are as similar as asked, and share a word that is rare enough", () => {
    const view = viewOfPassages(titled("Big Eyes", "Big Ben"));
    const similarity = 14 / 17;
    expect(bySimilarity(view, "Big Eye", { minNameSimilarity: similarity })).toHaveLength(1);
    expect(bySimilarity(view, "Big Eye", { minNameSimilarity: similarity + 1e-9 })).toEqual([]);
    expect(bySimilarity(view, "Big Eye", { maxWordPassages: 2 })).toHaveLength(1);
    expect(bySimilarity(view, "Big Eye", { maxWordPassages: 1 })).toEqual([]);
    expect(bySimilarity(view, "Bigg Eye")).toEqual([]);
  });

  it("are one for each mention, the nearest; of equals the first by name; the best for each entity", () => {
    const view = viewOfPassages(titled("Big Eyez", "Big Eyea", "Big Eyeq Two"));
    expect(bySimilarity(view, "Big Eye").map(({ entity }) => view.entityName(entity))).toEqual(["big eyea"]);
    const twice = bySimilarity(view, "Big Eye or Big Eyea");
    expect(twice).toMatchObject([{ entity: stableKey("big eyea"), activation: 1, span: { start: 11, end: 19 } }]);
  });

  it("are of live passages, in any script", () => {
    const segment = segmentOf(titled("Ωmega Straße"), RUNS);
    expect(bySimilarity(viewOf([segment]), "ist Ωmega Strassen da")).toMatchObject([
      { entity: stableKey(normalizeName("Ωmega Straße")) },
    ]);
    expect(bySimilarity(viewOf([segment], [new Set(["0"])]), "ist Ωmega Strassen da")).toEqual([]);
  });
});

describe("seeds", () => {
  it("are of passages that the question may see", () => {
    const view = viewOfPassages(titled("Big Eyes", "Eyes", "Big Eyez"));
    const question = "big eyes of Big Eye";
    const found = (...hidden: string[]) => {
      const visibility = new Visibility(view, ({ id }) => !hidden.includes(id));
      return [
        seedsByName(view, readQuestion(question, RUNS, view), visibility, NGRAMS),
        bySimilarity(view, question, {}, visibility),
      ].map((seeds) => seeds.map(({ entity }) => view.entityName(entity)));
    };
    expect(found()).toEqual([["big eyes"], ["big eyes"]]);
    // A longer name that is hidden does not stand in the way of a shorter one.
    expect(found("0")).toEqual([["eyes"], ["big eyez"]]);
    expect(found("0", "1", "2")).toEqual([[], []]);
  });

  it("are the same whatever the segments, the dead and the run", () => {
    const questions = fc
      .array(fc.constantFrom("Rome", "Oslo", "oslo film", "Kyi", "Bern", "Nemos", "épée", "東京", "alpha", "beta"), {
        maxLength: 5,
      })
      .map((words) => words.join(" and "));
    fc.assert(
      fc.property(placements, questions, (placement, question) => {
        // Twins have one key and two names, of which a dead one may be the first.
        const passages = placement.passages.map((passage) => ({
          ...passage,
          text: passage.text.replaceAll("Twain", "Twin"),
        }));
        const live = passages.filter(({ state }) => state !== "dead");
        const views = [
          placed({ ...placement, passages }, RUNS).view,
          placed({ ...placement, passages }, RUNS).view,
          placed({ segments: 1, passages: live.map((passage) => ({ ...passage, segment: 0 })) }, RUNS).view,
        ];
        const options = { minSeedPassages: 3, minNameUse: 0.5, maxWordPassages: 4, minNameSimilarity: 0.4 };
        const [first, again, whole] = views.map((view) => {
          const asked = readQuestion(question, RUNS, view);
          return {
            byName: seedsByName(view, asked, new Visibility(view), { ...NGRAMS, ...options }),
            bySimilarity: bySimilarity(view, question, options),
          };
        });
        expect(again).toEqual(first);
        expect(whole).toEqual(first);
      }),
      runs(200),
    );
  });
});
