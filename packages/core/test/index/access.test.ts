import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  estimateTokens,
  InvalidArgumentError,
  MemoryDirectory,
  type Passage,
  type RetrieveOptions,
  type StoredPassage,
  toPredicate,
  TriGraph,
} from "../../src/index.js";
import { content, patience, question, runs } from "./world.js";

const TEXTS = [
  "Ada Quill built a bridge.",
  "Bram Stone met Ada Quill in Delmar.",
  "Delmar has a mill.",
  "A mill grinds.",
];
const PASSAGES: readonly Passage[] = TEXTS.map((text, i) => ({ id: `p${i}`, text, metadata: { odd: i % 2 === 1 } }));

const QUESTION = "Whom did Bram Stone meet?";

async function indexOf(passages: Iterable<Passage>): Promise<TriGraph> {
  const index = await TriGraph.create();
  await index.upsert(passages);
  return index;
}

const ids = (hits: readonly { readonly passage: { readonly id: string } }[]) => hits.map(({ passage }) => passage.id);

describe("nearest", () => {
  const component = fc.integer({ min: -3, max: 3 });
  const vector = fc.array(component, { minLength: 3, maxLength: 3 });

  it("is every passage compared by cosine", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(vector, { minLength: 1, maxLength: 12 }),
        vector,
        fc.integer({ min: 1, max: 15 }),
        fc.boolean(),
        async (vectors, query, k, odd) => {
          const index = await indexOf(
            vectors.map((vector, i) => ({ id: `p${10 + i}`, text: "x", vector, metadata: { odd: i % 2 === 1 } })),
          );
          await index.delete(["p10"]);
          const length = (v: readonly number[]) => Math.hypot(...v);
          const cosine = (v: readonly number[]) =>
            length(v) * length(query) === 0
              ? 0
              : v.reduce((sum, x, i) => sum + x * query[i], 0) / length(v) / length(query);
          const expected = vectors
            .map((v, i) => ({ id: `p${10 + i}`, score: cosine(v), odd: i % 2 === 1 }))
            .slice(1)
            .filter((passage) => !odd || passage.odd);
          const hits = await index.nearest(query, { k, ...(odd ? { filter: { odd: true } } : {}) });
          expect(hits).toHaveLength(Math.min(k, expected.length));
          const scores = expected.map(({ score }) => score).sort((a, b) => b - a);
          hits.forEach(({ passage, score, rank }, i) => {
            expect(rank).toBe(i + 1);
            expect(score).toBeCloseTo(scores[i], 6);
            expect(score).toBeCloseTo(expected.find(({ id }) => id === passage.id)!.score, 6);
          });
        },
      ),
    );
  });

  it("refuses what it cannot search by", async () => {
    const index = await indexOf([{ id: "a", text: "x", vector: [1, 0] }]);
    await expect(index.nearest([1])).rejects.toThrow(/^nearest: vector: expected a vector of 2 numbers, got 1/);
    await expect(index.nearest([1, NaN])).rejects.toThrow(InvalidArgumentError);
    await expect(index.nearest([1, 0], { k: 0 })).rejects.toThrow(/^nearest: expected k/);
    await expect(index.nearest([1, 0], { depth: 1 } as object)).rejects.toThrow(/^nearest: expected options of k/);
    await expect((await indexOf(PASSAGES)).nearest([1, 0])).rejects.toThrow(/^nearest: expected an index with vectors/);
    expect(await (await TriGraph.create()).nearest([1, 0])).toEqual([]);
    await expect(index.nearest([1, 0], { signal: AbortSignal.abort("stop") })).rejects.toBe("stop");
  });
});

describe("vectorOf", () => {
  it("is a copy of the passage's vector, of length 1", async () => {
    const index = await indexOf([{ id: "a", text: "x", vector: [3, 4] }]);
    const vector = index.vectorOf("a")!;
    expect([...vector].map((x) => Math.round(x * 100))).toEqual([60, 80]);
    vector.fill(0);
    expect(index.vectorOf("a")![0]).toBeCloseTo(0.6, 6);
    expect(index.vectorOf("b")).toBeUndefined();
    expect((await indexOf(PASSAGES)).vectorOf("p0")).toBeUndefined();
  });
});

describe("passages", () => {
  it("are those of one commit", async () => {
    const index = await indexOf(PASSAGES);
    await index.delete(["p1"]);
    const before = index.passages();
    const first = before.next().value as StoredPassage;
    await index.upsert([{ id: "new", text: "A new one." }]);
    await index.delete(["p2"]);
    expect([first, ...before].map((passage) => passage.id).sort()).toEqual(["p0", "p2", "p3"]);
    expect([...index.passages()].map(({ id }) => id).sort()).toEqual(["new", "p0", "p3"]);
    expect([...index.passages()].find(({ id }) => id === "p0")).toEqual(PASSAGES[0]);
  });
});

describe("commits", () => {
  it("count the writes that changed something", async () => {
    const index = await TriGraph.create();
    expect(index.commits).toBe(0);
    await index.upsert(PASSAGES);
    expect(index.commits).toBe(1);
    await index.upsert(PASSAGES);
    await index.delete(["nothing"]);
    await index.merge();
    await expect(index.upsert([{ id: "", text: "x" }])).rejects.toThrow(InvalidArgumentError);
    expect(index.commits).toBe(1);
    await index.delete(["p0"]);
    expect(index.commits).toBe(2);
  });
});

describe("among", () => {
  const RUNS = 100;

  it(
    "is the whole ranking without the others",
    async () => {
      const corpus = fc.array(content, { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(corpus, question, fc.infiniteStream(fc.boolean()), async (contents, asked, choices) => {
          const index = await indexOf(contents.map((each, i) => ({ id: `p${i}`, ...each })));
          const priors = [{ id: "p0", score: 1 }];
          for (const options of [{}, { priors }, { filter: { group: 1 } }]) {
            const all = await index.retrieve(asked, { k: contents.length, ...options });
            const chosen = all.filter(() => choices.next().value === true);
            const among = ["unknown", ...ids(chosen)].reverse();
            expect(ids(await index.retrieve(asked, { k: contents.length, among, ...options }))).toEqual(ids(chosen));
            const [first] = await index.retrieve(asked, { k: 1, among, ...options });
            expect(first?.passage.id).toBe(chosen[0]?.passage.id);
          }
        }),
        runs(RUNS),
      );
    },
    patience(RUNS),
  );

  it("hides nothing from the graph, which a filter does", async () => {
    const index = await indexOf(PASSAGES);
    const question = "What grinds where Ada Quill met someone?";
    const whole = await index.retrieve(question, { k: 4 });
    const [hit] = await index.retrieve(question, { among: ["p2"], explain: true });
    expect(hit.score).toBe(whole.find(({ passage }) => passage.id === "p2")!.score);
    expect(hit.evidence).toMatchObject({ via: "graph", seed: { entity: "ada quill" } });
    const [hidden] = await index.retrieve(question, { filter: ({ id }) => id === "p2", explain: true });
    expect(hidden.evidence?.via).not.toBe("graph");
    await expect(index.retrieve("x", { among: "p1" })).rejects.toThrow("retrieve: expected an iterable of ids");
  });
});

describe("estimateTokens", () => {
  it("is a token for every four characters, begun ones too", () => {
    expect(["", "a", "four", "fiver"].map(estimateTokens)).toEqual([0, 1, 1, 2]);
  });
});

describe("minScore and maxTokens", () => {
  it("cut the ranking short", async () => {
    const index = await indexOf(PASSAGES);
    const all = await index.retrieve(QUESTION, { k: 4 });
    expect(all).toHaveLength(4);
    for (let n = 0; n < 4; n++) {
      const hits = await index.retrieve(QUESTION, { k: 4, minScore: all[n].score, explain: true });
      expect(ids(hits)).toEqual(ids(all.filter(({ score }) => score >= all[n].score)));
      for (const { evidence } of hits) expect(evidence).toBeDefined();
    }
    expect(await index.retrieve(QUESTION, { minScore: 2 })).toEqual([]);

    const words = (text: string) => text.split(" ").length;
    const lengths = all.map(({ passage }) => words(passage.text));
    for (let maxTokens = 0; maxTokens <= 30; maxTokens++) {
      const hits = await index.retrieve(QUESTION, { k: 4, maxTokens, countTokens: words });
      let fitting = 0;
      for (let sum = lengths[0]; sum <= maxTokens && fitting < 4; sum += lengths[fitting] ?? Infinity) fitting++;
      expect(ids(hits)).toEqual(ids(all.slice(0, fitting)));
    }
    const [{ passage }] = all;
    expect(await index.retrieve(QUESTION, { maxTokens: Math.ceil(passage.text.length / 4) })).toHaveLength(1);
    expect(await index.retrieve(QUESTION, { maxTokens: Math.ceil(passage.text.length / 4) - 1 })).toEqual([]);
  });

  it.each([{ minScore: -1 }, { minScore: NaN }, { maxTokens: "9" }, { countTokens: 4 }])(
    "refuse %j",
    async (options) => {
      const index = await indexOf(PASSAGES);
      const [name] = Object.keys(options);
      await expect(index.retrieve(QUESTION, options as RetrieveOptions)).rejects.toThrow(
        `retrieve: expected ${name} to be`,
      );
    },
  );
});

describe("what adapters treat their own additions with", () => {
  it("hides what retrieve hides", async () => {
    const index = await indexOf(PASSAGES);
    for (const filter of [{ odd: true }, {}, (passage: Passage) => passage.id < "p2"]) {
      const isVisible = toPredicate("adapter", filter)!;
      const hits = await index.retrieve(QUESTION, { k: 4, filter });
      expect(ids(hits).sort()).toEqual(PASSAGES.filter(isVisible).map(({ id }) => id));
    }
    expect(toPredicate("adapter", undefined)).toBeUndefined();
    expect(() => toPredicate("adapter", [] as never)).toThrow(/^adapter: filter: expected/);
  });
});

describe("vectorPrecision", () => {
  const VECTORS = [
    [1, 0, 0],
    [0.6, 0.8, 0],
    [0.1, 0.2, 0.97],
  ];
  const passages = VECTORS.map((vector, i) => ({ id: `p${i}`, text: "x", vector }));

  it("int8 finds the same passages with a quarter of the bytes for their vectors, reopened as well", async () => {
    const full = await TriGraph.create({ vectorPrecision: "float32" });
    const small = await TriGraph.create({ vectorPrecision: "int8" });
    await full.upsert(passages);
    await small.upsert(passages);
    // A scale for each passage comes to its codes.
    expect(full.stats().bytes - small.stats().bytes).toBe(3 * (3 * 3 - 4));
    const directory = new MemoryDirectory();
    await small.save(directory);
    const again = await TriGraph.open(directory);
    expect(again.stats()).toEqual(small.stats());
    for (const vector of VECTORS) {
      const expected = await full.nearest(vector, { k: 3 });
      const found = await again.nearest(vector, { k: 3 });
      expect(found.map(({ passage }) => passage.id)).toEqual(expected.map(({ passage }) => passage.id));
      found.forEach(({ score }, i) => expect(Math.abs(score - expected[i].score)).toBeLessThan(0.01));
    }
    expect(await again.upsert(passages)).toMatchObject({ added: 0, replaced: 0, unchanged: 3 });
  });

  it("stays what it was when the index is opened, and is what is asked for when it begins again", async () => {
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { create: true, vectorPrecision: "int8" });
    await index.upsert(passages);
    await index.close();
    await expect(TriGraph.open(directory, { vectorPrecision: "float32" })).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
      message: expect.stringMatching(
        /^open: the index keeps its vectors in int8, got vectorPrecision "float32"/,
      ) as string,
    });
    const again = await TriGraph.open(directory);
    await again.delete(passages.map(({ id }) => id));
    await again.upsert(passages);
    expect([...again.vectorOf("p1")!]).toEqual([...Float32Array.of(0.6, 0.8, 0)]);
  });

  it("is one of two", async () => {
    await expect(TriGraph.create({ vectorPrecision: "int4" as "int8" })).rejects.toThrow(
      'create: expected a vectorPrecision of float32 or int8, got "int4".',
    );
  });
});
