import { expect, test } from "vitest";
import { EnglishAnalyzer, normalizeName, stableKey, TriGraph, type Passage } from "../../src/index.js";

const PASSAGES: Passage[] = [
  { id: "lake", title: "Blue Lake", text: "Blue Lake is a film by Ada Byron. Ada Byron shot Blue Lake in Lima." },
  { id: "ada", title: "Ada Byron", text: "She was born in Lima." },
  { id: "plain", text: "nothing is named here" },
];

/** In segments, with passages that were replaced and deleted. */
async function build(): Promise<TriGraph> {
  const index = await TriGraph.create();
  await index.upsert([
    { id: "lake", text: "Green Hill is in Quito." },
    { id: "gone", text: "Vera Cruz left Lima." },
  ]);
  for (const passage of PASSAGES) await index.upsert([passage]);
  await index.delete(["gone"]);
  return index;
}

test("the graph has each live passage once, with what its text and title say", async () => {
  const index = await build();
  const found = [...index.graph()].sort((a, b) => (a.passage.id < b.passage.id ? -1 : 1));
  expect(found.map(({ passage }) => passage)).toEqual([PASSAGES[1], PASSAGES[0], PASSAGES[2]]);

  const names = new Map([...index.entities()].map(({ key, name }) => [key, name]));
  const analyzer = new EnglishAnalyzer();
  for (const { passage, sentences, contains } of found) {
    const { sentences: spans, mentions } = analyzer.analyze(passage.text);
    expect(sentences.map(({ span }) => span)).toEqual(spans);
    for (const { span, mentions: keys } of sentences) {
      const inside = mentions.filter(({ start, end }) => start >= span.start && end <= span.end);
      expect(new Set(keys.map((key) => names.get(key)))).toEqual(new Set(inside.map(({ name }) => name)));
      expect(keys).toEqual([...keys].sort((a, b) => a - b));
    }
    const counted = contains.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBe(mentions.length);
    const defined = contains.filter(({ defines }) => defines).map(({ entity }) => names.get(entity));
    expect(defined).toEqual(passage.title === undefined ? [] : [normalizeName(passage.title)]);
  }
});

test("entities are those of live passages, each once and with its passages counted", async () => {
  const index = await build();
  const entities = [...index.entities()];
  expect(new Map(entities.map(({ name, passages }) => [name, passages]))).toEqual(
    new Map([
      ["blue lake", 1],
      ["ada byron", 2],
      ["lima", 2],
    ]),
  );
  expect(entities).toHaveLength(3);
  for (const { key, name } of entities) expect(key).toBe(stableKey(name));
  expect(index.stats().entities).toBe(3);
});

test("a walk sees the commit at which it began", async () => {
  const index = await build();
  const [walk, entities] = [index.graph(), index.entities()];
  await index.delete(["lake", "ada"]);
  expect([...walk]).toHaveLength(3);
  expect([...entities]).toHaveLength(3);
  expect([...index.entities()]).toEqual([]);
});
