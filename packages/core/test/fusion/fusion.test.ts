import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_RANKING,
  FUSION_FEATURES,
  type FusionFeature,
  type FusionModel,
  type FusionWeights,
  InvalidArgumentError,
  type Passage,
  type PoolSizes,
  type RankingOptions,
  type RetrieveTrace,
  type RetrieveOptions,
  TriGraph,
} from "../../src/index.js";
import { ScriptedAnalyzer } from "../kernels/scripted.js";
import { content, patience, question, RememberingAnalyzer, runs } from "../index/world.js";

const MODEL = DEFAULT_RANKING.fusion as FusionModel;
const analyzer = new RememberingAnalyzer();

function withPool(pool: Partial<PoolSizes>): FusionModel {
  return { ...MODEL, pool: { ...MODEL.pool, ...pool } };
}

async function indexOf(passages: readonly Passage[], ranking: Partial<RankingOptions> = {}): Promise<TriGraph> {
  const index = await TriGraph.create({ analyzer, ranking });
  await index.upsert(passages);
  return index;
}

async function featuresOf(index: TriGraph, question: string, filter?: (passage: Passage) => boolean) {
  const { candidates } = await index.candidates(question, { filter });
  const named = ({ id, features }: (typeof candidates)[number]) =>
    [
      id,
      Object.fromEntries(FUSION_FEATURES.map((name, j) => [name, features[j]])) as Record<FusionFeature, number>,
    ] as const;
  return new Map(candidates.map(named));
}

const LIGHTHOUSES: readonly Passage[] = [
  { id: "keeper", text: "The lighthouse had a keeper called Bram Stone, who painted." },
  { id: "stone", title: "Bram Stone", text: "He lived in Delmar." },
  { id: "delmar", title: "Delmar", text: "It has a mill." },
  { id: "boats", text: "A boat needs a sail." },
];

describe("the pool", () => {
  const TIED = Array.from({ length: 12 }, (_, i): Passage => ({ id: `p${i}`, text: "A mill by a river." }));

  it("ranks passages of equal score alike, and those outside a list behind it", async () => {
    const features = await featuresOf(await indexOf(TIED, { fusion: withPool({ words: 4 }) }), "which mill?");
    expect([...features.keys()].sort()).toEqual(["p0", "p1", "p10", "p11"]);
    for (const { wordScore, wordRank, graphRank, secondHop, isFirst, isLeading } of features.values()) {
      expect({ wordScore, wordRank, secondHop, isFirst, isLeading }).toEqual({
        wordScore: 1,
        wordRank: 0,
        secondHop: 0,
        isFirst: 1,
        isLeading: 1,
      });
      expect(graphRank).toBe(Math.log1p(MODEL.pool.graph));
    }
  });

  it("saturates ranks at the length of its lists, so that a longer ranking changes nothing", async () => {
    const passages = [...TIED, { id: "first", text: "A mill, a mill, a mill." }];
    const short = await featuresOf(
      await indexOf(passages, { fusion: withPool({ words: 1 }), candidates: 1 }),
      "a mill",
    );
    const long = await featuresOf(await indexOf(passages, { fusion: withPool({ words: 1 }) }), "a mill");
    expect([...short.keys()]).toEqual(["first"]);
    expect(long).toEqual(short);
  });

  it("is reached over a bridge, from words alone", async () => {
    const index = await indexOf(LIGHTHOUSES);
    const features = await featuresOf(index, "where did the keeper of the lighthouse live?");
    expect(features.get("stone")).toMatchObject({ graphScore: 0, isLeading: 0 });
    expect(features.get("stone")!.secondHop).toBeGreaterThan(0);
    expect(features.get("stone")!.secondHopDefines).toBeGreaterThan(0);
    expect(features.has("delmar")).toBe(false);
    expect(features.has("boats")).toBe(false);
  });

  it("is reached over six bridges, each from the first of the leading passages that says as much of it", async () => {
    const index = await TriGraph.create({ analyzer: new ScriptedAnalyzer() });
    const towns = ["Rome", "Oslo", "Bern", "Kyiv", "Lima", "Quito", "Paris", "Delhi"];
    await index.upsert([
      { id: "a", text: `lighthouse keeper ${towns.join(" ")}.` },
      { id: "b", text: `lighthouse keeper ${towns.join(" ")}.` },
      ...towns.map((town) => ({ id: town, text: `in ${town}.` })),
    ]);
    const asked = "lighthouse keeper";
    const reached = [...(await featuresOf(index, asked))].filter(([, { secondHop }]) => secondHop > 0);
    expect(reached).toHaveLength(6);
    const hits = await index.retrieve(asked, { k: 10, explain: true });
    const bridged = hits.filter(({ passage }) => reached.some(([id]) => id === passage.id));
    expect(bridged).toHaveLength(6);
    for (const { evidence } of bridged) {
      expect(evidence).toMatchObject({ via: "graph", seed: { passageId: "a" }, arrival: { by: "bridge" } });
    }
  });

  it("holds nothing that a filter hides, in the second hop neither", async () => {
    const index = await indexOf(LIGHTHOUSES);
    const asked = "where did the keeper of the lighthouse live?";
    expect((await featuresOf(index, asked, ({ id }) => id !== "stone")).has("stone")).toBe(false);
    // Without the passage that names the bridge there is none.
    expect((await featuresOf(index, asked, ({ id }) => id !== "keeper")).get("stone")?.secondHop ?? 0).toBe(0);
  });

  it("stays the same when only some passages are asked for", async () => {
    const index = await indexOf(LIGHTHOUSES);
    const asked = "where did the keeper of the lighthouse live?";
    const all = await index.retrieve(asked, { k: 10 });
    const some = await index.retrieve(asked, { k: 10, among: ["stone", "keeper"] });
    expect(some.map(({ passage, score }) => [passage.id, score])).toEqual(
      all
        .filter(({ passage }) => ["stone", "keeper"].includes(passage.id))
        .map(({ passage, score }) => [passage.id, score]),
    );
  });

  it("takes priors for vectors where there is none, and weights of their own for both", async () => {
    const vectors: FusionWeights = {
      intercept: 0,
      context: [],
      features: [
        {
          ...{ name: "vectorScore", mean: 0, deviation: 1, range: [0, 1], slope: 4 },
          ...{ knots: [], bends: [], offset: 0, byContext: [] },
        },
      ],
    };
    const passages = LIGHTHOUSES.map((passage, i): Passage => ({ ...passage, vector: [1, i] }));
    const index = await indexOf(passages, { fusion: { ...MODEL, vectors } });
    const priors = [
      { id: "boats", score: 3 },
      { id: "delmar", score: 1.5 },
    ];
    const scoresOf = async (options: RetrieveOptions) =>
      new Map((await index.retrieve("mill", { ...options, k: 4 })).map(({ passage, score }) => [passage.id, score]));
    // Among so few passages the list counts by n / (n + its length).
    const trust = passages.length / (passages.length + MODEL.pool.vectors);
    const probability = (score: number) => 1 / (1 + Math.exp(-4 * score * trust));
    const byPriors = await scoresOf({ priors });
    expect(byPriors.get("boats")).toBeCloseTo(probability(1), 9);
    expect(byPriors.get("delmar")).toBeCloseTo(probability(0.5), 9);
    const byVector = await scoresOf({ vector: [1, 0], priors });
    expect(byVector.get("keeper")).toBeCloseTo(probability(1), 6);
    expect(byVector.get("stone")).toBeCloseTo(probability(Math.SQRT1_2), 6);
    expect([...byVector.keys()]).toEqual(LIGHTHOUSES.map(({ id }) => id));
    const byWords = await scoresOf({});
    const plain = await (await indexOf(passages)).retrieve("mill", { k: 4 });
    expect([...byWords]).toEqual(plain.map(({ passage, score }) => [passage.id, score]));
  });

  it("is refused where seeds are not looked for, and made where the ranking does without", async () => {
    const unseeded = (await indexOf(LIGHTHOUSES, { seeds: "none" })).candidates("which mill?");
    await expect(unseeded).rejects.toBeInstanceOf(InvalidArgumentError);
    await expect(unseeded).rejects.toThrow(/^candidates: expected .* seeds .*none/);
    const unfused = await indexOf(LIGHTHOUSES, { fusion: "none" });
    expect(await unfused.candidates("which mill?")).toEqual(
      await (await indexOf(LIGHTHOUSES)).candidates("which mill?"),
    );
    expect((await (await TriGraph.create()).candidates("which mill?")).candidates).toEqual([]);
  });
});

describe("hits of stage 3", () => {
  const RUNS = 80;
  const corpus = fc
    .array(content, { minLength: 1, maxLength: 24, size: "max" })
    .map((contents) => contents.map((content, i): Passage => ({ id: `p${i}`, ...content })));
  const pools = fc.record({
    graph: fc.constantFrom(1, 2, 25),
    words: fc.constantFrom(1, 2, 12),
    secondHop: fc.constantFrom(1, 10),
  });

  it(
    "come first as they are probable, then those behind the pool by stage 2, scored below",
    async () => {
      let behind = 0;
      await fc.assert(
        fc.asyncProperty(
          corpus,
          question,
          pools,
          fc.constantFrom("push", "exact"),
          fc.boolean(),
          async (passages, question, pool, solver, isFiltered) => {
            const changes = { solver, epsilon: 1e-3 };
            const index = await indexOf(passages, { ...changes, fusion: withPool(pool) });
            const filter = isFiltered ? { filter: { group: 1 } } : {};
            const visible = passages.filter(({ metadata }) => !isFiltered || metadata?.group === 1);
            const { candidates, isFused } = await index.candidates(question, {
              filter: ({ id }) => visible.some((passage) => passage.id === id),
            });
            const members = new Set(candidates.map(({ id }) => id));
            let seeds = 0;
            const onTrace = (trace: RetrieveTrace) => (seeds = trace.seeds);
            const hits = await index.retrieve(question, { ...filter, k: 100, explain: true, onTrace });
            expect(hits).toHaveLength(visible.length);
            if (hits.length > 0) expect(hits[0].evidence!.fusion !== undefined).toBe(isFused);
            if (!isFused) {
              expect(seeds).toBe(0);
              const plain = await indexOf(passages, { ...changes, fusion: "none" });
              expect(hits).toEqual(await plain.retrieve(question, { ...filter, k: 100, explain: true }));
              return;
            }
            hits.forEach(({ passage, score, evidence }, i) => {
              expect(members.has(passage.id)).toBe(i < members.size);
              if (i < members.size) {
                expect(evidence!.fusion!.probability).toBe(score);
                expect(score > 0 && score < 1).toBe(true);
                const { intercept, shares } = evidence!.fusion!;
                expect(intercept).toBe(MODEL.words.intercept);
                const logOdds = shares.reduce((sum, share) => sum + share.logOdds, intercept);
                expect(1 / (1 + Math.exp(-logOdds))).toBeCloseTo(score, 9);
                const { features } = candidates.find(({ id }) => id === passage.id)!;
                for (const { feature, value } of evidence!.fusion!.shares) {
                  expect(value).toBe(features[FUSION_FEATURES.indexOf(feature)]);
                }
              } else expect(evidence).not.toHaveProperty("fusion");
              if (i === 0) return;
              const before = hits[i - 1];
              if (i === members.size) expect(score).toBeLessThanOrEqual((before.score / 2) * (1 + 1e-12));
              expect(score).toBeLessThanOrEqual(before.score);
              if (score === before.score) expect(passage.id > before.passage.id).toBe(true);
            });
            // Behind the pool the order is that of stage 2.
            const unfused = await (
              await indexOf(passages, { ...changes, fusion: "none" })
            ).retrieve(question, { ...filter, k: 100, explain: true });
            for (const { evidence } of unfused) expect(evidence).not.toHaveProperty("fusion");
            const idsBehind = hits.slice(members.size).map(({ passage }) => passage.id);
            expect(idsBehind).toEqual(unfused.map(({ passage }) => passage.id).filter((id) => !members.has(id)));
            behind += idsBehind.length;
          },
        ),
        runs(RUNS),
      );
      expect(behind).toBeGreaterThan(runs(RUNS).numRuns!);
    },
    patience(RUNS),
  );
});

describe("unusual texts in stage 3", () => {
  const odd = [
    ...["__proto__", "constructor", "", " ", ".", "...", "a", "字", "👩‍🎨 🇳🇴", "?! - ", "Ada\ud800 Quill", "\u0000"],
    ...["Ada Quill met Bram Stone.", "東京は日本の首都です。", "e\u0301\u0301", "(.*)+ [a-z", "1931", "the of and"],
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: "binary" })), { maxLength: 5 });
  const RUNS = 150;

  it(
    "give finite features and scores",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ text, title: text }), { minLength: 1, maxLength: 6 }),
          text.map((parts) => parts.join(" ").trim() || "?"),
          async (texts, question) => {
            const index = await indexOf(
              texts.map(({ text, title }, i) => ({
                id: i === 0 ? "__proto__" : `p${i}`,
                text: text.join(" ").trim() || ".",
                title: title.join(" "),
              })),
            );
            const { candidates, context } = await index.candidates(question);
            for (const value of [...context, ...candidates.flatMap(({ features }) => [...features])]) {
              expect(value).toBeGreaterThanOrEqual(0);
              expect(value).toBeLessThan(Infinity);
            }
            for (const { score } of await index.retrieve(question)) expect(score >= 0 && score <= 1).toBe(true);
          },
        ),
        runs(RUNS),
      );
    },
    patience(RUNS),
  );

  it("take a question of 5,000 words by its 32 rarest", async () => {
    const words = Array.from({ length: 5000 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i % 300}`);
    const index = await indexOf([
      { id: "all", text: `${words.slice(0, 300).join(" ")}.` },
      { id: "half", text: `${words.slice(0, 150).join(" ")}.` },
      { id: "none", text: "Something else." },
    ]);
    const features = await featuresOf(index, words.join(" "));
    expect(features.get("all")).toMatchObject({ coverage: 1, pairs: 1 });
    // The rarest words are those of one passage only.
    expect(features.get("half")).toMatchObject({ coverage: 0 });
  });

  it("cost no more than their length", async () => {
    const sentence = "Ada Quill met Bram Stone in Norwick, and later in Delmar. ";
    const index = await indexOf([{ id: "long", title: "Ada Quill", text: sentence.repeat(20_000) }, ...LIGHTHOUSES]);
    let milliseconds = Infinity;
    await index.retrieve("Where did Ada Quill meet the later Bram Stone?", {
      onTrace: ({ milliseconds: spent }) => (milliseconds = spent.fusion),
    });
    // Some 50 ms; by the square of the length it is 10,000.
    expect(milliseconds).toBeLessThan(2000);
  });
});

describe("a question over prose in which nothing has a name", () => {
  const PROSE = [
    "A kettle boils water. The lid rattles when it boils.",
    "Water turns into steam. Steam moves the lid.",
    "Coal is carried up the stairs every morning before it is light.",
    "The stove wants coal every morning and is swept on the last day of the week.",
  ].map((text, i) => ({ id: `p${i}`, text }));
  const QUESTION = "What makes the lid rattle when the water boils?";

  it("is answered in BM25's order, and says so", async () => {
    const index = await TriGraph.create();
    const words = await TriGraph.create({ ranking: { seeds: "none" } });
    await index.upsert(PROSE);
    await words.upsert(PROSE);
    const hits = await index.retrieve(QUESTION, { k: 4, explain: true });
    const expected = await words.retrieve(QUESTION, { k: 4 });
    expect(hits.map(({ passage, score }) => [passage.id, score])).toEqual(
      expected.map(({ passage, score }) => [passage.id, score]),
    );
    expect(hits.map(({ evidence }) => evidence!.fusion)).toEqual([undefined, undefined, undefined, undefined]);
    expect((await index.candidates(QUESTION)).candidates.length).toBeGreaterThan(0);
  });

  it("is answered by stage 3 where a prior, a name or a definition gives the graph something to say", async () => {
    const index = await TriGraph.create();
    await index.upsert(PROSE);
    const [first] = await index.retrieve(QUESTION, { k: 1, explain: true, priors: [{ id: "p1", score: 1 }] });
    expect(first.evidence!.fusion).toBeDefined();
    await index.upsert([
      { id: "named", title: "James Watt", text: "James Watt was an engineer." },
      { id: "watched", text: "James Watt watched the lid of a kettle rattle when the water boils." },
    ]);
    const [best] = await index.retrieve(QUESTION, { k: 1, explain: true });
    expect(best.passage.id).toBe("watched");
    expect(best.evidence!.fusion).toBeDefined();
  });
});
