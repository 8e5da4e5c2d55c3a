// Identical passages, the same questions: through every way in come the same passages, in the same order, with the
// same scores. What the right order is other tests say; here all ways are compared with the core's.
import { beforeAll, describe, expect, test } from "vitest";
import { core } from "./core.js";
import { langChain } from "./langchain.js";
import { llamaIndex, llamaIndexStore } from "./llamaindex.js";
import { type Entrance, type Fed, readWorld, type Search, type WayIn } from "./world.js";

const { passages, questions } = readWorld();

/** Documents that go, and passages that become others: at the end of the updates. */
const GONE = ["document 1", "document 7", "document 20", "document 33"];
const replacement = (fed: Fed, other: Fed): Fed => ({ ...fed, title: other.title, text: `${other.text} Once more.` });

/** All ways in, and what each entrance holds after a number of writes. */
interface Filled {
  readonly reference: WayIn;
  readonly ways: readonly WayIn[];
}

async function fill(hasVectors: boolean, write: (entrance: Entrance) => Promise<void>): Promise<Filled> {
  const entrances = [
    await core(hasVectors),
    await langChain(hasVectors),
    await llamaIndex(hasVectors, passages),
    ...(hasVectors ? [await llamaIndexStore(passages)] : []),
  ];
  for (const entrance of entrances) await write(entrance);
  const [[reference], ...others] = entrances.map(({ ways }) => ways);
  return { reference, ways: others.flat() };
}

/** One write of all. */
const atOnce = (entrance: Entrance) => entrance.upsert(passages);

/** In three parts and not in order, with deletions and replacements between. */
async function bitByBit(entrance: Entrance): Promise<void> {
  const third = Math.floor(passages.length / 3);
  await entrance.upsert(passages.slice(third, 2 * third));
  await entrance.upsert([passages[0], passages[1]].map((fed) => replacement(fed, passages[third])));
  await entrance.upsert(passages.slice(0, third));
  await entrance.delete(GONE);
  await entrance.upsert(passages.slice(2 * third));
  await entrance.delete(["no such document"]);
  await entrance.upsert(replaced());
  // The same again changes nothing.
  await entrance.upsert(passages.slice(2 * third));
  await entrance.upsert(replaced());
  await entrance.delete(GONE);
}

function replaced(): Fed[] {
  return [10, 50, 90, 130].map((i) => replacement(passages[i], passages[i + 5]));
}

/** What `bitByBit` leaves, as a new index would be given it. */
function survivors(): Fed[] {
  const news = new Map(replaced().map((fed) => [fed.id, fed]));
  return passages.map((fed) => news.get(fed.id) ?? fed).filter(({ document }) => !GONE.includes(document));
}

/** To more digits than any sum of doubles is exact to. */
const rounded = (score: number | undefined) => score?.toPrecision(12);

/** Each way's answers stand as the reference's do, with its scores where both tell them. */
async function expectAlike({ reference, ways }: Filled, searches: readonly Search[]): Promise<void> {
  for (const search of searches) {
    const limits = (["minScore", "maxTokens", "withNeighbours"] as const).filter((name) => search[name] !== undefined);
    const able = ways.filter(({ takes }) => limits.every((limit) => takes.includes(limit)));
    expect(able.length).toBeGreaterThan(limits.length === 0 ? 10 : 3);
    const expected = await reference.find(search);
    for (const way of able) {
      const found = await way.find(search);
      const where = `${way.name}: ${JSON.stringify(search)}`;
      expect(
        found.map(({ id, text }) => ({ id, text })),
        where,
      ).toEqual(expected.map(({ id, text }) => ({ id, text })));
      const pairs = found.map(({ score }, i) => [score, expected[i].score]);
      const told = pairs.filter((pair) => !pair.includes(undefined));
      expect(
        told.map(([score]) => rounded(score)),
        where,
      ).toEqual(told.map(([, score]) => rounded(score)));
    }
  }
}

describe.each([
  ["words alone", false],
  ["an embedder", true],
])("with %s", (_, hasVectors) => {
  let filled: Filled;
  let changed: Filled;
  beforeAll(async () => {
    filled = await fill(hasVectors, atOnce);
    changed = await fill(hasVectors, bitByBit);
  });

  test("each question finds the same", async () => {
    await expectAlike(
      filled,
      questions.map((question) => ({ question, k: 7 })),
    );
  });

  test("k is what limits it, and all passages come when there are fewer", async () => {
    const [question] = questions;
    await expectAlike(
      filled,
      [1, 3, passages.length + 1].map((k) => ({ question, k })),
    );
    expect(await filled.ways[0].find({ question, k: passages.length + 1 })).toHaveLength(passages.length);
  });

  test("a filter hides the same", async () => {
    await expectAlike(
      filled,
      questions.slice(0, 6).map((question) => ({ question, k: 5, kind: "odd" })),
    );
    await expectAlike(filled, [{ question: questions[0], k: 5, kind: "no such kind" }]);
    const [{ id }] = await filled.reference.find({ question: questions[0], k: 1, kind: "odd" });
    expect(passages.find((fed) => fed.id === id)!.kind).toBe("odd");
  });

  test("a least score and a budget of tokens end it at the same place", async () => {
    for (const question of questions.slice(0, 4)) {
      const hits = await filled.reference.find({ question, k: 8 });
      const minScore = hits[2].score!;
      const maxTokens = Math.ceil(hits.slice(0, 4).reduce((sum, { text }) => sum + text.length / 4 + 1, 0));
      const limited = [
        { question, k: 8, minScore },
        { question, k: 8, maxTokens },
        { question, k: 8, minScore, maxTokens, kind: "plain" },
      ];
      await expectAlike(filled, limited);
      expect((await filled.reference.find(limited[0])).length).toBeLessThan(hits.length);
      expect((await filled.reference.find(limited[1])).length).toBeLessThan(hits.length);
    }
  });

  test("after additions, replacements and deletions all find what an index of the survivors finds", async () => {
    const fresh = await core(hasVectors);
    await fresh.upsert(survivors());
    const ways = [...changed.ways, changed.reference];
    await expectAlike({ reference: fresh.ways[0], ways }, [
      ...questions.map((question) => ({ question, k: 7 })),
      ...questions.slice(0, 4).map((question) => ({ question, k: 5, kind: "plain" })),
      { question: questions[0], k: passages.length },
    ]);
  });

  test("neighbouring chunks come alike, also filtered and within a budget", async () => {
    const able = [...changed.ways].filter(({ takes }) => takes.includes("withNeighbours"));
    const [reference, ...ways] = able;
    const searches = questions.slice(0, 6).flatMap((question) => [
      { question, k: 3, withNeighbours: 1 },
      { question, k: 2, withNeighbours: 2, kind: "plain" },
      { question, k: 4, withNeighbours: 2, maxTokens: 300 },
    ]);
    await expectAlike({ reference, ways }, searches);
    expect(await reference.find(searches[0])).not.toHaveLength(3);
  });
});
