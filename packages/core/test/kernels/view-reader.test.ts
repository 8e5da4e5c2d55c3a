import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALL_WORDS, type GraphReader, type NodeList } from "../../src/graph/reader.js";
import type { SegmentView } from "../../src/index/view.js";
import { type SentenceRelevance, ViewReader } from "../../src/index/view-reader.js";
import { Visibility } from "../../src/index/visibility.js";
import { stableKey } from "../../src/text/keys.js";
import { titleNames } from "../../src/text/names.js";
import { sigmaTo } from "../spec/equations.js";
import { type ListedPassage, ListReader } from "../spec/list-reader.js";
import { runs } from "./runs.js";
import { filterOf, inSegmentOrder, type Placement, placed, placements, ScriptedAnalyzer, TWINS } from "./scripted.js";

/** Reads a text without the analyzer: sentences at full stops, an entity at every word with a capital. */
function namesIn(text: string): string[][] {
  return text
    .split(".")
    .filter((sentence) => sentence.trim() !== "")
    .map((sentence) =>
      sentence
        .trim()
        .split(" ")
        .filter((word) => /^[A-Z]/.test(word))
        .map((word) => (word === "Twin" ? TWINS[0] : word === "Twain" ? TWINS[1] : word.toLowerCase())),
    );
}

interface Numbered {
  readonly listed: ListedPassage;
  readonly dead: boolean;
  readonly id: string;
}

/** The passages numbered through all segments, as a view numbers them. Sentence n has the relevance that `sigma` says. */
function numbered({ segments, passages }: Placement, sigma: (sentence: number) => number): Numbered[] {
  const all: Numbered[] = [];
  let sentences = 0;
  for (let segment = 0; segment < segments; segment++) {
    for (const passage of inSegmentOrder(passages.filter((passage) => passage.segment === segment))) {
      const names = namesIn(passage.text);
      const opening = (names[0] ?? []).slice(0, 1);
      const defined = passage.title === undefined ? opening : titleNames(passage.title);
      all.push({
        id: passage.id,
        dead: passage.state === "dead",
        listed: {
          id: all.length,
          sentences: names.map((entities) => {
            const id = sentences++;
            return { id, entities: entities.map(stableKey), sigma: sigma(id), words: words(id) };
          }),
          defines: [...new Set(defined.map(stableKey))],
          visible: passage.state === "visible",
        },
      });
    }
  }
  return all;
}

interface Setup {
  readonly placement: Placement;
  readonly hubDegree: number;
  /** Which visible passages are candidates: every n-th. */
  readonly everyNth: number;
}

const sigma = (sentence: number) => ((sentence * 7) % 5) / 4;
const words = (sentence: number) => [0, 1, 2, 3, 12, 15][(sentence * 5) % 6];

/** The reader under test, the oracle, and all that can be asked. */
function readers({ placement, hubDegree, everyNth }: Setup) {
  const { view } = placed(placement);
  const all = numbered(placement, sigma);
  const live = inSegmentOrder(all.filter(({ dead }) => !dead)).map(({ listed }) => listed);
  const candidates = all.filter(({ listed }, i) => listed.visible && i % everyNth === 0).map(({ listed }) => listed.id);
  // Not in their order: the reader must sort them.
  candidates.reverse();
  const numberOf = (part: SegmentView, sentence: number, passage: number) => {
    const number = part.sentenceBase + sentence;
    const owner = all[part.passageBase + passage].listed;
    if (!owner.sentences.some(({ id }) => id === number)) expect.fail(`sentence ${number} is not of ${passage}`);
    return number;
  };
  const relevance: SentenceRelevance = {
    wordsIn: (...place) => words(numberOf(...place)),
    of(part, sentence, passage, covered, open) {
      const number = numberOf(part, sentence, passage);
      expect(covered).toBe(words(number) & open);
      return sigmaTo({ sigma: sigma(number), words: words(number) }, covered);
    },
  };
  const visibility = new Visibility(view, filterOf(placement));
  const entities = ["rome", "oslo", "bern", "kyiv", "lima", "alpha beta", "oslo film", "nemo", "twin", "unknown"];
  return {
    view,
    ids: all.map(({ id }) => id),
    actual: new ViewReader(view, visibility, relevance, { hubDegree, candidates }),
    expected: new ListReader(live, { hubDegree, candidates }),
    entities: [...entities, ...TWINS].map(stableKey),
    passages: live.filter(({ visible }) => visible).map(({ id }) => id),
    sentences: live.filter(({ visible }) => visible).flatMap(({ sentences }) => sentences.map(({ id }) => id)),
  };
}

/** A batch that is longer in memory than it says. */
function batch(ids: readonly number[]): NodeList {
  return { ids: Float64Array.from([...ids, 1, 2, 3]), length: ids.length };
}

const COLUMNS = ["ids", "counts", "defines", "degrees", "mentions", "definitions", "relevance", "covered"] as const;

/** The rows of an answer, each neighbour with all that is said of it. */
function rowsOf(answer: object, length: number): unknown[][] {
  const columns = answer as Record<string, ArrayLike<number>>;
  return Array.from({ length }, (_, n) =>
    Array.from({ length: columns.indptr[n + 1] - columns.indptr[n] }, (_, i) =>
      Object.fromEntries(
        COLUMNS.filter((name) => name in columns).map((name) => [name, columns[name][columns.indptr[n] + i]]),
      ),
    ),
  );
}

/** All answers of a reader, read only after all are given: they may share no buffer. */
async function answers(
  reader: GraphReader,
  entities: readonly number[],
  passages: readonly number[],
  sentences: readonly number[],
) {
  const passagesOf = await reader.passagesOf(batch(entities));
  const entitiesOf = await reader.entitiesOf(batch(passages));
  const sentencesOf = await reader.sentencesOf(
    batch(entities),
    Uint32Array.from(entities, (_, n) => [ALL_WORDS, 5, 8][n % 3]),
  );
  const entitiesIn = await reader.entitiesIn(batch(sentences));
  const { degrees, definitions } = await reader.degreesOf(batch(entities));
  return {
    passagesOf: rowsOf(passagesOf, entities.length),
    entitiesOf: rowsOf(entitiesOf, passages.length),
    sentencesOf: rowsOf(sentencesOf, entities.length),
    entitiesIn: rowsOf(entitiesIn, sentences.length),
    degrees: [...degrees.subarray(0, entities.length)],
    definitions: [...definitions.subarray(0, entities.length)],
  };
}

const setups: fc.Arbitrary<Setup> = fc.record({
  placement: placements,
  hubDegree: fc.constantFrom(1, 2, 4, Infinity),
  everyNth: fc.integer({ min: 1, max: 3 }),
});

async function expectEqualAnswers(setup: Setup, pick: readonly number[] = []): Promise<void> {
  const { actual, expected, entities, passages, sentences } = readers(setup);
  const some = <T>(all: readonly T[]) => (all.length === 0 ? [] : pick.map((n) => all[n % all.length]));
  const compare = async (...batches: [readonly number[], readonly number[], readonly number[]]) => {
    const [found, wanted] = [await answers(actual, ...batches), await answers(expected, ...batches)];
    // As text first, which is faster where they are long.
    if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found).toEqual(wanted);
  };
  await compare(entities, passages, sentences);
  // A batch with repetitions, in any order.
  await compare(some(entities), some(passages), some(sentences));
  await compare([], [], []);
}

describe("ViewReader", () => {
  it("knows twins: two names with one key", () => {
    expect(stableKey(TWINS[0])).toBe(stableKey(TWINS[1]));
  });

  it("equals lists: segments, dead passages, filters, hubs", async () => {
    await fc.assert(fc.asyncProperty(setups, fc.array(fc.nat(100), { maxLength: 9 }), expectEqualAnswers), runs(200));
  });

  it("equals lists when an answer outgrows its first buffers", async () => {
    const words = ["Rome", "Oslo", "Bern", "alpha", "Lima"];
    const passages = Array.from({ length: 1200 }, (_, n) => ({
      id: `passage ${n}`,
      text: `Rome ${words[n % 5]} beta. ${words[(n * 3) % 5]} Kyiv.`,
      segment: n % 3,
      state: n % 10 === 0 ? ("dead" as const) : n % 7 === 0 ? ("filtered" as const) : ("visible" as const),
      ...(n % 4 === 0 ? { title: "Oslo (film)" } : {}),
    }));
    for (const hubDegree of [300, Infinity]) {
      await expectEqualAnswers({ placement: { segments: 3, passages }, hubDegree, everyNth: 2 });
    }
  });

  it("gives entities by key, and passages and sentences by the passage's key, then id, whatever the segments", async () => {
    await fc.assert(
      fc.asyncProperty(setups, async (setup) => {
        const { view, ids, actual, entities, passages, sentences } = readers(setup);
        const found = await answers(actual, entities, passages, sentences);
        const idsOf = (row: unknown[]) => (row as { ids: number }[]).map((neighbour) => neighbour.ids);
        for (const row of [...found.entitiesOf, ...found.entitiesIn]) {
          const keys = idsOf(row);
          expect(keys).toEqual([...new Set(keys)].sort((a, b) => a - b));
        }
        const named = (numbers: number[]) => numbers.map((number) => ({ id: ids[number] }));
        for (const row of found.passagesOf) expect(named(idsOf(row))).toEqual(inSegmentOrder(named(idsOf(row))));
        for (const row of found.sentencesOf) {
          const owners = idsOf(row).map((sentence) => view.passageOfSentence(sentence));
          expect(named(owners)).toEqual(inSegmentOrder(named(owners)));
          idsOf(row).forEach((sentence, i) => {
            if (i > 0 && owners[i] === owners[i - 1]) expect(sentence).toBeGreaterThan(idsOf(row)[i - 1]);
          });
        }
      }),
      runs(100),
    );
  });

  it("says the same of a passage in whatever segment it lies", async () => {
    await fc.assert(
      fc.asyncProperty(placements, async (placement) => {
        // What is dead is not there at all, and the rest in one segment.
        const live = placement.passages.filter(({ state }) => state !== "dead");
        const whole = { segments: 1, passages: live.map((passage) => ({ ...passage, segment: 0 })) };
        const told = await Promise.all(
          [placement, whole].map(async (one) => {
            const { actual, view, entities } = readers({ placement: one, hubDegree: Infinity, everyNth: 1 });
            const rows = rowsOf(await actual.passagesOf(batch(entities)), entities.length) as { ids: number }[][];
            const degrees = await actual.degreesOf(batch(entities));
            return {
              rows: rows.map((row) => row.map((edge) => ({ ...edge, ids: view.passageId(edge.ids) }))),
              degrees: [...degrees.degrees],
              definitions: [...degrees.definitions],
            };
          }),
        );
        expect(told[0]).toEqual(told[1]);
      }),
      runs(100),
    );
  });
});

describe("the scripted analyzer", () => {
  it("finds what a text spells out", () => {
    const { sentences, tokens, mentions } = new ScriptedAnalyzer().analyze("Rome saw Oslo. it rained. Bern");
    expect(sentences.map(({ start, end }) => [start, end])).toEqual([
      [0, 14],
      [15, 25],
      [26, 30],
    ]);
    expect(tokens.map(({ term }) => term)).toEqual(["rome", "saw", "oslo", "it", "rained", "bern"]);
    expect(mentions.map(({ name }) => name)).toEqual(["rome", "oslo", "bern"]);
    const runsOfWords = new ScriptedAnalyzer("runs").analyze("the Big Eyes hit Rome.");
    expect(runsOfWords.mentions.map(({ name }) => name)).toEqual(["big eyes", "rome"]);
  });
});
