import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Directory,
  type GraphEvidence,
  MemoryDirectory,
  type Metadata,
  type Passage,
  type Progress,
  type RankingOptions,
  type RetrievedPassage,
  type RetrieveOptions,
  type RetrieveTrace,
  type TextAnalysis,
  TriGraph,
  type TriGraphOptions,
} from "../../src/index.js";
import { FileDirectory } from "../../src/node.js";
import { filesOf, HashEmbedder } from "./fakes.js";
import { RawTexts } from "./raw-texts.js";
import { content, difference, patience, question, QUESTIONS, RememberingAnalyzer, runs, vector } from "./world.js";

const CHAIN: readonly Passage[] = [
  {
    id: "harbor",
    title: "The Glass Harbor",
    text: "The Glass Harbor is a film by Elva Marsh.",
    metadata: { kind: "film" },
  },
  { id: "elva", title: "Elva Marsh", text: "Elva Marsh was born in Norwick.", metadata: { kind: "person" } },
  { id: "norwick", title: "Norwick", text: "It lies by the sea.", metadata: { kind: "town" } },
  { id: "sea", text: "Fish live in water.", metadata: { kind: "nature" } },
];
const CHAIN_QUESTION = "Where was the maker of The Glass Harbor born?";

const analyzer = new RememberingAnalyzer();

async function indexOf(passages: readonly Passage[], options: TriGraphOptions = {}): Promise<TriGraph> {
  const index = await TriGraph.create({ analyzer, ...options });
  await index.upsert(passages);
  return index;
}

function idsOf(hits: readonly RetrievedPassage[]): string[] {
  return hits.map(({ passage }) => passage.id);
}

const corpus = fc
  .array(fc.record({ content, vector }), { minLength: 1, maxLength: 20 })
  .map((entries) => entries.map(({ content }, i): Passage => ({ id: `p${i}`, ...content })));

describe("hits", () => {
  const RUNS = 300;

  it(
    "are as many as asked for, each once, best first and equals by id",
    async () => {
      const asked = fc.record({
        k: fc.integer({ min: 1, max: 30 }),
        group: fc.option(fc.constantFrom(0, 1, 7), { nil: undefined }),
        priors: fc.array(fc.record({ id: fc.nat(25).map((n) => `p${n}`), score: fc.constantFrom(1, 2, 1e-9) }), {
          maxLength: 3,
        }),
      });
      const ranking = fc.record({
        hubDegree: fc.constantFrom(1, 500),
        candidates: fc.constantFrom(1, 50),
        importance: fc.constantFrom("pagerank", "reset"),
        solver: fc.constantFrom("push", "exact"),
        epsilon: fc.constantFrom(1e-2, 1e-4),
        minSeedPassages: fc.constantFrom(0, 10),
      });
      await fc.assert(
        fc.asyncProperty(
          corpus,
          question,
          asked,
          ranking,
          async (passages, question, { k, group, priors }, ranking) => {
            const index = await indexOf(passages, { ranking });
            const filter = group === undefined ? {} : { filter: { group } };
            const hits = await index.retrieve(question, { k, priors, ...filter });
            const passing = passages.filter(({ metadata }) => group === undefined || metadata?.group === group);
            expect(hits).toHaveLength(Math.min(k, passing.length));
            expect(new Set(idsOf(hits)).size).toBe(hits.length);
            hits.forEach(({ passage, score, rank }, i) => {
              expect(rank).toBe(i + 1);
              expect(passing).toContainEqual(passage);
              expect(score >= 0 && score <= 1).toBe(true);
              if (i === 0) return;
              expect(score).toBeLessThanOrEqual(hits[i - 1].score);
              if (score === hits[i - 1].score) expect(passage.id > hits[i - 1].passage.id).toBe(true);
            });
            // Fewer hits are the beginning of more.
            const all = await index.retrieve(question, { k: 100, priors, ...filter });
            expect(idsOf(hits)).toEqual(idsOf(all).slice(0, k));
          },
        ),
        runs(RUNS),
      );
    },
    patience(RUNS),
  );

  it("are five by default", async () => {
    const index = await indexOf(
      Array.from({ length: 9 }, (_, i) => ({ id: `p${i}`, text: "Ada Quill met Bram Stone." })),
    );
    const hits = await index.retrieve("Who met Ada Quill?");
    expect(idsOf(hits)).toEqual(["p0", "p1", "p2", "p3", "p4"]);
    expect(new Set(hits.map(({ score }) => score)).size).toBe(1);
  });

  it("orders equals by code units, whatever the order they came in", async () => {
    const ids = ["b", "a10", "a9", "B", "ä", "😀", "\uffff", "a"];
    const index = await indexOf(ids.map((id) => ({ id, text: "Ada Quill met Bram Stone." })));
    for (const question of ["Who met Ada Quill?", "who met whom?", "xyzzy"]) {
      expect(idsOf(await index.retrieve(question, { k: 10 }))).toEqual([...ids].sort());
    }
  });

  it("are filled up by words, then by id", async () => {
    const index = await indexOf(
      [
        ...CHAIN,
        { id: "z", text: "A maker of boats was born." },
        { id: "y", text: "Somebody was born." },
        { id: "x", text: "Nothing." },
        { id: "w", text: "No thing." },
      ],
      { ranking: { candidates: 1 } },
    );
    const hits = await index.retrieve("Who is Norwick, maker born?", { k: 10, explain: true });
    const via = Object.fromEntries(hits.map(({ passage, evidence }) => [passage.id, evidence!.via]));
    expect(via).toMatchObject({ norwick: "graph", y: "words", w: "fill", x: "fill" });
    const order = idsOf(hits);
    expect(order.indexOf("z")).toBeLessThan(order.indexOf("y"));
    expect(order.slice(-3)).toEqual(["sea", "w", "x"]);
    expect(hits.slice(-3).map(({ score }) => score)).toEqual([0, 0, 0]);
    expect(hits.find(({ passage }) => passage.id === "y")!.score).toBeGreaterThan(0);
  });

  it.each([
    ["the question names no entity", "which fish lies by the water?", { fusion: "none" }],
    ["no seeds are wanted", CHAIN_QUESTION, { seeds: "none" }],
  ] as const)("are ranked by similarity alone where %s", async (_, question, ranking) => {
    const index = await indexOf(CHAIN, { ranking });
    const hits = await index.retrieve(question, { k: 10, explain: true });
    const texts = new RawTexts(CHAIN);
    for (const { passage, score, evidence } of hits) {
      expect(score).toBeCloseTo(texts.similarity(question, passage, { k1: 1.2, b: 0.75 }), 9);
      expect(evidence!.via).toBe(score > 0 ? "words" : "fill");
    }
    expect(hits[0].score).toBe(1);
  });

  it("come with the cost of the query", async () => {
    const index = await indexOf(CHAIN);
    const traces: RetrieveTrace[] = [];
    await index.retrieve(CHAIN_QUESTION, { onTrace: (trace) => traces.push(trace) });
    expect(traces).toHaveLength(1);
    expect(traces[0].similarity).toBe("words");
    expect(traces[0].seeds).toBe(1);
    expect(traces[0].activatedEntities).toBeGreaterThanOrEqual(1);
    expect(traces[0].edges).toBeGreaterThan(0);
    for (const milliseconds of Object.values(traces[0].milliseconds)) expect(milliseconds).toBeGreaterThanOrEqual(0);
  });
});

describe("settings of one question", () => {
  it.each<Partial<RankingOptions>>([
    { fusion: "none" },
    { seeds: "none", similarity: "lexical" },
    { seeds: "none", similarity: "dense" },
    { hops: 1, damping: 0.3, fusion: "none" },
  ])("answer as an index of these settings does: %j", async (ranking) => {
    const embedder = new HashEmbedder();
    const index = await indexOf(CHAIN, { embedder });
    const other = await indexOf(CHAIN, { embedder, ranking });
    const asked = { k: 10, explain: true };
    const before = await index.retrieve(CHAIN_QUESTION, asked);
    expect(await index.retrieve(CHAIN_QUESTION, { ...asked, ranking })).toEqual(
      await other.retrieve(CHAIN_QUESTION, asked),
    );
    expect(await index.retrieve(CHAIN_QUESTION, asked)).toEqual(before);
  });

  it("start from the index's own", async () => {
    const index = await indexOf(CHAIN, { ranking: { fusion: "none" } });
    const other = await indexOf(CHAIN, { ranking: { fusion: "none", hops: 1 } });
    const ranking = { hops: 1, damping: undefined } as unknown as Partial<RankingOptions>;
    expect(await index.retrieve(CHAIN_QUESTION, { ranking })).toEqual(await other.retrieve(CHAIN_QUESTION));
  });

  it("are checked as those of an index", async () => {
    const index = await indexOf(CHAIN);
    const ask = (ranking: unknown) => index.retrieve("Who?", { ranking: ranking as RetrieveOptions["ranking"] });
    await expect(ask({ hops: 0 })).rejects.toThrow(
      "retrieve: ranking, at hops: expected an integer of at least 1, got 0.",
    );
    await expect(ask({ hop: 1 })).rejects.toThrow("retrieve: ranking, unknown field hop; expected some of");
    await expect(ask(null)).rejects.toThrow("retrieve: expected ranking to be an object of settings, got null.");
    await expect(ask({ similarity: "dense" })).rejects.toThrow("retrieve: expected a vector or an embedder");
  });
});

describe("scores by stage", () => {
  const ask = async (ranking: Partial<RankingOptions>) =>
    (await indexOf(CHAIN)).retrieve(CHAIN_QUESTION, { k: 10, explain: true, ranking });

  it("are those that the passages are ranked by without the stages after", async () => {
    const byId = (hits: RetrievedPassage[]) => new Map(hits.map((hit) => [hit.passage.id, hit]));
    const fused = byId(await ask({}));
    const graph = byId(await ask({ fusion: "none" }));
    const words = byId(await ask({ seeds: "none", similarity: "lexical" }));
    expect([...fused.keys()].sort()).toEqual([...graph.keys()].sort());
    for (const [id, { evidence }] of fused) {
      expect(evidence!.stages).toEqual(graph.get(id)!.evidence!.stages);
      expect(evidence!.stages.similarity).toBeCloseTo(words.get(id)!.score, 12);
      const { pageRank } = evidence!.stages;
      if (pageRank > 0) expect(pageRank).toBeCloseTo(graph.get(id)!.score, 12);
      else expect(graph.get(id)!.evidence!.via).not.toBe("graph");
    }
    expect(fused.get("harbor")!.evidence!.stages.activation).toBeGreaterThan(0);
  });

  it("hold the activation's part of the reset mass, which is all of it without similarity", async () => {
    const hits = await ask({ fusion: "none", importance: "reset", similarityWeight: 0, activationThreshold: 0 });
    const reached = hits.filter(({ evidence }) => evidence!.via === "graph");
    expect(reached.length).toBeGreaterThan(0);
    for (const { score, evidence } of reached) {
      expect(evidence!.stages.activation).toBeCloseTo(score, 12);
      expect(evidence!.stages.pageRank).toBe(0);
    }
  });
});

describe("mentionsOf", () => {
  it("gives the analyzer's mentions of the text", async () => {
    const index = await indexOf(CHAIN);
    const mentions = await index.mentionsOf("elva");
    expect(mentions!.map(({ start, end, name }) => [CHAIN[1].text.slice(start, end), name])).toEqual([
      ["Elva Marsh", "elva marsh"],
      ["Norwick", "norwick"],
    ]);
    expect(await index.mentionsOf("nobody")).toBeUndefined();
    await expect(index.mentionsOf("")).rejects.toThrow("mentionsOf: expected an id");
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(index.mentionsOf("elva", { signal })).rejects.toThrow("enough");
  });
});

describe("filters", () => {
  const metadata: Record<string, Metadata | undefined> = {
    a: { year: 1931, tags: ["x", "y"], nested: { b: 1, c: { d: null } } },
    b: { year: "1931", tags: ["y", "x"], nested: { c: { d: null }, b: 1 } },
    c: { year: null, tags: [], nested: { b: 1 } },
    d: { nested: { b: 1, c: { d: null }, e: 0 }, tags: { 0: "x", 1: "y" } },
    e: undefined,
  };

  it.each<[Metadata, string]>([
    [{}, "abcde"],
    [{ year: 1931 }, "a"],
    [{ year: "1931" }, "b"],
    [{ year: null }, "c"],
    [{ tags: ["x", "y"] }, "a"],
    [{ tags: [] }, "c"],
    [{ tags: { 0: "x", 1: "y" } }, "d"],
    [{ nested: { b: 1, c: { d: null } } }, "ab"],
    [{ nested: { c: { d: null }, b: 1 } }, "ab"],
    [{ nested: { b: 1, c: { d: null } }, year: 1931 }, "a"],
    [{ nested: {} }, ""],
    [{ none: null }, ""],
  ])("%j passes %j", async (filter, ids) => {
    const index = await indexOf(
      Object.entries(metadata).map(([id, metadata]) => ({ id, text: "Ada Quill.", ...(metadata && { metadata }) })),
    );
    expect(idsOf(await index.retrieve("Who is Ada Quill?", { filter }))).toEqual([...ids]);
    expect(idsOf(await index.retrieve("who?", { filter }))).toEqual([...ids]);
  });

  it("see the whole passage, once each at most", async () => {
    const index = await indexOf(CHAIN);
    const seen: Passage[] = [];
    await index.retrieve(CHAIN_QUESTION, {
      k: 10,
      filter: (passage) => {
        seen.push(passage);
        return true;
      },
    });
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    for (const passage of seen) expect(CHAIN).toContainEqual(passage);
  });

  it("let nothing through a hidden bridge", async () => {
    const chain = CHAIN.map((passage) =>
      passage.id === "norwick" ? { ...passage, text: "A river runs by." } : passage,
    );
    const index = await indexOf(chain, { ranking: { activationThreshold: 0 } });
    const all = await index.retrieve(CHAIN_QUESTION, { k: 10, explain: true });
    const found = all.find(({ passage }) => passage.id === "norwick")!;
    expect(found.score).toBeGreaterThan(0);
    expect((found.evidence as GraphEvidence).steps.map(({ to }) => to.passageId)).toContain("elva");
    const hits = await index.retrieve(CHAIN_QUESTION, { k: 10, explain: true, filter: ({ id }) => id !== "elva" });
    expect(idsOf(hits)).toEqual(["harbor", "norwick", "sea"]);
    for (const hit of hits.slice(1)) expect(hit).toMatchObject({ score: 0, evidence: { via: "fill" } });
    expect(JSON.stringify(hits)).not.toContain('"elva"');
  });

  it("leave the corpus's document frequencies as they are", async () => {
    const passages = [
      { id: "a", text: "one alpha here." },
      { id: "b", text: "one beta here." },
      ...[1, 2, 3].map((n) => ({ id: `hidden${n}`, text: "one alpha here." })),
    ];
    const plain = { ranking: { fusion: "none" } } as const;
    const index = await indexOf(passages, plain);
    const hits = await index.retrieve("alpha beta", { filter: ({ id }) => id.length === 1 });
    // Without the hidden ones both words were equally rare, and the tie went to "a".
    expect(idsOf(hits)).toEqual(["b", "a"]);
    expect(hits[0].score).toBe(1);
    expect(hits[1].score).toBeLessThan(1);
    expect(idsOf(await (await indexOf(passages.slice(0, 2), plain)).retrieve("alpha beta"))).toEqual(["a", "b"]);
  });

  it(
    "give what an index does in which the hidden passages have words but no entities",
    async () => {
      const RUNS = 100;
      /** Settings in which an entity's count of passages, a statistic of the whole corpus, has no part. */
      const ranking: Partial<RankingOptions> = {
        fusion: "none",
        specificity: 0,
        definitionWeight: 0,
        hubDegree: Infinity,
        candidates: Infinity,
        minSeedPassages: 1e6,
        minNameUse: 0,
        seeds: "names",
        solver: "exact",
        tolerance: 1e-14,
      };
      const MARK = "\nUnseen.";
      class NameBlind extends RememberingAnalyzer {
        override analyze(text: string): TextAnalysis {
          const analysis = super.analyze(text);
          return text.endsWith(MARK) ? { ...analysis, mentions: [] } : analysis;
        }
      }
      await fc.assert(
        fc.asyncProperty(
          corpus,
          question,
          fc.constantFrom("max", "top-sentences"),
          async (passages, question, propagation) => {
            const isVisible = ({ metadata }: Passage) => metadata?.group !== 1 && metadata?.group !== 2;
            const marked = passages.map((passage) =>
              isVisible(passage) ? passage : { ...passage, text: passage.text + MARK },
            );
            const blind = marked.map(({ title, ...passage }): Passage => {
              if (isVisible(passage)) return title === undefined ? passage : { title, ...passage };
              return { ...passage, text: `${title ?? ""}\n\n${passage.text}` };
            });
            const settings = { ranking: { ...ranking, propagation } };
            const index = await indexOf(marked, settings);
            const oracle = await indexOf(blind, { ...settings, analyzer: new NameBlind() });
            expect(oracle.stats().tokens).toBe(index.stats().tokens);
            const scoresOf = async (which: TriGraph) => {
              const hits = await which.retrieve(question, { k: 100, filter: isVisible });
              return new Map(hits.map(({ passage, score }) => [passage.id, score]));
            };
            const wanted = await scoresOf(oracle);
            const scores = await scoresOf(index);
            expect(scores.size).toBe(wanted.size);
            for (const [id, score] of scores) expect(score).toBeCloseTo(wanted.get(id)!, 10);
          },
        ),
        runs(RUNS),
      );
    },
    patience(100),
  );
});

describe("priors", () => {
  const QUESTION = "which film has fish?";

  it("lift the passages they name and those around", async () => {
    const index = await indexOf(CHAIN);
    const without = await index.retrieve(QUESTION, { k: 10 });
    const hits = await index.retrieve(QUESTION, { k: 10, priors: [{ id: "elva", score: 3 }] });
    const rankOf = (list: RetrievedPassage[], id: string) => list.find(({ passage }) => passage.id === id)!.rank;
    expect(rankOf(without, "elva")).toBeGreaterThan(2);
    expect(rankOf(hits, "elva")).toBeLessThanOrEqual(2);
    expect(rankOf(hits, "norwick")).toBeLessThanOrEqual(rankOf(without, "norwick"));
  });

  it("count by their ratio, the greatest of an id", async () => {
    const index = await indexOf(CHAIN);
    const ask = (priors: RetrieveOptions["priors"]) =>
      index.retrieve(QUESTION, { k: 10, explain: true, priors: priors! });
    const plain = await ask([
      { id: "elva", score: 2 },
      { id: "norwick", score: 1 },
    ]);
    expect(
      difference(
        await ask([
          { id: "norwick", score: 1e6 },
          { id: "elva", score: 2e6 },
        ]),
        plain,
      ),
    ).toBeUndefined();
    expect(
      difference(
        await ask([
          { id: "elva", score: 1 },
          { id: "norwick", score: 1 },
          { id: "elva", score: 2 },
        ]),
        plain,
      ),
    ).toBeUndefined();
  });

  it("are ignored where unknown, deleted or hidden", async () => {
    const index = await indexOf([...CHAIN, { id: "gone", text: "Elva Marsh again." }]);
    await index.delete(["gone"]);
    const filter = { kind: "film" };
    const priors = [
      { id: "elva", score: 9 },
      { id: "gone", score: 9 },
      { id: "none", score: 9 },
    ];
    const wanted = await index.retrieve(QUESTION, { filter, explain: true });
    expect(await index.retrieve(QUESTION, { filter, explain: true, priors })).toEqual(wanted);
    expect(await index.retrieve(QUESTION, { filter, explain: true, priors: [] })).toEqual(wanted);
  });

  it("lead alone where nothing else is similar", async () => {
    const index = await indexOf(CHAIN);
    const hits = await index.retrieve("xyzzy", { k: 10, priors: [{ id: "sea", score: 1 }] });
    expect(idsOf(hits)).toEqual(["sea", "elva", "harbor", "norwick"]);
  });
});

describe("vectors", () => {
  const VECTORS: readonly Passage[] = [
    { id: "east", text: "alpha one.", vector: [1, 0] },
    { id: "north", text: "beta two.", vector: [0, 1] },
    { id: "northeast", text: "gamma three.", vector: [5, 5] },
    { id: "west", text: "alpha alpha.", vector: [-1, 0] },
  ];

  it("that come ready rank by their angle", async () => {
    const index = await indexOf(VECTORS, { ranking: { similarity: "dense", fusion: "none" } });
    const hits = await index.retrieve("which?", { vector: [10, 1], explain: true });
    expect(idsOf(hits)).toEqual(["east", "northeast", "north", "west"]);
    expect(hits.map(({ evidence }) => evidence!.via)).toEqual(["vectors", "vectors", "vectors", "fill"]);
    expect(hits[0].score).toBeCloseTo(10 / Math.sqrt(101), 6);
    expect(hits[3].score).toBe(0);
  });

  it("join the words by default, and are not needed", async () => {
    const index = await indexOf(VECTORS, { ranking: { fusion: "none" } });
    const hybrid = await index.retrieve("gamma", { vector: [0, 1], explain: true });
    // Words 1 and cosine 0.7, over words 0 and cosine 1.
    expect(idsOf(hybrid).slice(0, 2)).toEqual(["northeast", "north"]);
    expect(hybrid[0].score).toBeCloseTo((1 + Math.SQRT1_2) / 2, 6);
    expect(hybrid[1].score).toBeCloseTo(0.5, 6);
    const words = await index.retrieve("beta", { explain: true });
    expect(words[0]).toMatchObject({ passage: { id: "north" }, score: 1, evidence: { via: "words" } });
  });

  it("are left aside when words alone are asked for", async () => {
    const index = await indexOf(VECTORS, { ranking: { similarity: "lexical" } });
    const plain = await index.retrieve("beta");
    expect(await index.retrieve("beta", { vector: [1, 0] })).toEqual(plain);
  });

  it.each(["lexical", "dense", "hybrid", "auto"] as const)("of an embedder serve %s similarity", async (similarity) => {
    const embedder = new HashEmbedder();
    const index = await indexOf(CHAIN, { embedder, ranking: { similarity } });
    expect(embedder.calls).toBe(1);
    expect(index.stats().dimensions).toBe(16);
    const text = "which fish live in water?";
    const hits = await index.retrieve(text, { explain: true });
    expect(embedder.calls).toBe(similarity === "lexical" ? 1 : 2);
    expect(hits[0].passage.id).toBe("sea");
    const via = { lexical: "words", dense: "vectors", hybrid: "hybrid", auto: "hybrid" }[similarity];
    expect(hits[0].evidence).toMatchObject({ via });
    expect(
      difference(await index.retrieve(text, { explain: true, vector: embedder.vectorOf(text) }), hits),
    ).toBeUndefined();
    const ready = await indexOf(
      CHAIN.map((passage) => ({
        ...passage,
        vector: embedder.vectorOf(passage.title ? `${passage.title}\n${passage.text}` : passage.text),
      })),
      { ranking: { similarity } },
    );
    expect(
      difference(await ready.retrieve(text, { explain: true, vector: embedder.vectorOf(text) }), hits),
    ).toBeUndefined();
  });

  it("are made in batches, and only for what changed and has none", async () => {
    const batches: (readonly string[])[] = [];
    class Counting extends HashEmbedder {
      override async embedPassages(texts: readonly string[]) {
        batches.push(texts);
        return super.embedPassages(texts);
      }
    }
    const index = await TriGraph.create({ embedder: new Counting() });
    const many = Array.from({ length: 70 }, (_, i): Passage => ({
      id: `p${i}`,
      text: `Text ${i}.`,
      title: i === 0 ? "Title" : " ",
    }));
    await index.upsert(many);
    expect(batches.map(({ length }) => length)).toEqual([64, 6]);
    expect(batches[0].slice(0, 2)).toEqual(["Title\nText 0.", "Text 1."]);
    batches.length = 0;
    await index.upsert([
      ...many,
      { id: "new", text: "New." },
      { id: "ready", text: "Ready.", vector: new Array<number>(16).fill(1) },
    ]);
    expect(batches).toEqual([["New."]]);
  });
});

describe("writing", () => {
  it("again what is there changes nothing", async () => {
    for (const embedder of [undefined, new HashEmbedder()]) {
      const directory = new MemoryDirectory();
      const index = await TriGraph.open(directory, { create: true, embedder });
      await index.upsert(CHAIN);
      await index.upsert([{ id: "more", text: "Bram Stone." }]);
      const files = await filesOf(directory);
      const stats = index.stats();
      expect(await index.upsert([...CHAIN].reverse())).toEqual({ added: 0, replaced: 0, unchanged: 4, duplicates: [] });
      expect(await index.delete(["none"])).toEqual({ deleted: 0, missing: ["none"] });
      expect(index.stats()).toEqual(stats);
      expect(await filesOf(directory)).toEqual(files);
      await index.close();
      delete files["write.lock"];
      expect(await filesOf(directory)).toEqual(files);
    }
  });

  it.each<[string, Partial<Passage>]>([
    ["text", { text: "Elva Marsh was born in Delmar." }],
    ["title", { title: "E. Marsh" }],
    ["no title", { title: undefined as never }],
    ["metadata", { metadata: { kind: "painter" } }],
    ["vector", { vector: [0, 1] }],
  ])("a passage with another %s replaces it", async (what, change) => {
    const passages = what === "vector" ? CHAIN.map((passage): Passage => ({ ...passage, vector: [1, 0] })) : CHAIN;
    const index = await indexOf(passages);
    const changed = { ...passages[1], ...change };
    expect(await index.upsert([changed])).toEqual({ added: 0, replaced: 1, unchanged: 0, duplicates: [] });
    expect(await index.upsert([changed])).toMatchObject({ unchanged: 1 });
    expect(index.size).toBe(4);
    const fresh = await indexOf([passages[3], changed, passages[0], passages[2]]);
    const options = { k: 10, explain: true, ...(what === "vector" ? { vector: [0, 1] } : {}) };
    for (const question of [CHAIN_QUESTION, "who was born in Norwick?"]) {
      expect(
        difference(await index.retrieve(question, options), await fresh.retrieve(question, options)),
      ).toBeUndefined();
    }
  });

  it("waits its turn, and readers see whole commits", async () => {
    const versions = 12;
    const batch = (version: number) =>
      Array.from({ length: 6 }, (_, i): Passage => ({
        id: `p${i}`,
        text: `Ada Quill, ${version === 3 ? "in a much longer text ".repeat(2000) : ""}met Bram Stone.`,
        metadata: { version },
      }));
    const index = await TriGraph.create();
    const writes = Array.from({ length: versions }, (_, version) => index.upsert(batch(version)));
    let isDone = false;
    const done = Promise.all(writes).then((reports) => {
      isDone = true;
      return reports;
    });
    const seen = new Set<number>();
    while (!isDone) {
      const answers = await Promise.all(
        [1, 2, 3].map(() => index.retrieve("Who met Ada Quill?", { k: 20, explain: true })),
      );
      for (const hits of answers) {
        const found = new Set(hits.map(({ passage }) => passage.metadata!.version as number));
        expect(found.size).toBeLessThanOrEqual(1);
        expect([0, 6]).toContain(hits.length);
        for (const version of found) seen.add(version);
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const reports = await done;
    expect(reports[0]).toMatchObject({ added: 6 });
    for (const report of reports.slice(1)) expect(report).toMatchObject({ replaced: 6 });
    expect([...seen]).toEqual([...seen].sort((a, b) => a - b));
    expect(index.get("p0")!.metadata).toEqual({ version: versions - 1 });
  });

  it("gives concurrent writes their order, and one that fails stops no other", async () => {
    const index = await TriGraph.create();
    const results = await Promise.allSettled([
      index.upsert(CHAIN),
      index.delete(["sea"]),
      index.upsert([{ id: "bad", text: "" }]),
      index.merge(),
      index.upsert([{ id: "sea", text: "The sea is back." }]),
      index.delete(["harbor", "none"]),
    ]);
    expect(results.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true, true, true]);
    expect(results[5]).toMatchObject({ value: { deleted: 1, missing: ["none"] } });
    expect(index.size).toBe(3);
    expect(index.get("sea")!.text).toBe("The sea is back.");
    expect(await index.check()).toEqual([]);
  });

  it("says how far it has come", async () => {
    const index = await TriGraph.open(new MemoryDirectory(), { create: true, embedder: new HashEmbedder() });
    const progress: Progress[] = [];
    const onProgress = (step: Progress) => progress.push(step);
    const many = Array.from({ length: 130 }, (_, i): Passage => ({ id: `p${i}`, text: `Ada Quill saw bridge ${i}.` }));
    await index.upsert(many, { onProgress });
    const last = (phase: Progress["phase"]) => progress.filter((step) => step.phase === phase).map(({ done }) => done);
    expect(last("embed")).toEqual([64, 128, 130]);
    expect(last("analyze").at(-1)).toBe(130);
    expect(last("write")).toHaveLength(1);
    await index.upsert([{ id: "new", text: "New." }]);
    progress.length = 0;
    await index.merge({ onProgress });
    expect(last("merge")).toEqual([1]);
    await index.check({ onProgress });
    expect(last("check").at(-1)).toBe(131);
    await index.close();
  });
});

describe("languages", () => {
  it.each([
    [
      "Chinese",
      "长城在哪里？",
      "长城位于中国北方。",
      [
        "海里有许多鱼。",
        "他喜欢喝茶。",
        "铁路通往山区。",
        "今天下雨了。",
        "书店关门了。",
        "孩子们在唱歌。",
        "市场很热闹。",
      ],
    ],
    [
      "Japanese",
      "富士山の高さは？",
      "富士山の高さは三七七六メートルです。",
      [
        "海には魚がいます。",
        "彼はお茶が好きです。",
        "電車が遅れました。",
        "今日は雨です。",
        "本屋は閉まっています。",
        "子供たちが歌う。",
        "市場はにぎやかです。",
      ],
    ],
    [
      "Thai",
      "ช้างกินอะไร",
      "ช้างกินหญ้าและผลไม้",
      ["ปลาว่ายน้ำในทะเล", "เขาชอบดื่มชา", "รถไฟมาสาย", "วันนี้ฝนตก", "ร้านหนังสือปิดแล้ว", "เด็กๆร้องเพลง", "ตลาดคึกคักมาก"],
    ],
    [
      "Arabic",
      "أين تقع البتراء؟",
      "تقع البتراء في جنوب الأردن.",
      [
        "يعيش السمك في البحر.",
        "هو يحب الشاي.",
        "تأخر القطار.",
        "السماء تمطر اليوم.",
        "المكتبة مغلقة.",
        "الأطفال يغنون.",
        "السوق مزدحم.",
      ],
    ],
    [
      "Hindi",
      "ताजमहल कहाँ है?",
      "ताजमहल आगरा शहर में यमुना के किनारे है।",
      [
        "मछली पानी में रहती है।",
        "वह चाय पीता है।",
        "रेल देर से आई।",
        "आज बारिश हुई।",
        "दुकान बंद है।",
        "बच्चे गाते हैं।",
        "बाज़ार में भीड़ है।",
      ],
    ],
    [
      "Russian",
      "Где находится Эрмитаж?",
      "Эрмитаж находится в Петербурге.",
      [
        "Рыба живёт в море.",
        "Он любит чай.",
        "Поезд опоздал.",
        "Сегодня идёт дождь.",
        "Магазин закрыт.",
        "Дети поют.",
        "На рынке шумно.",
      ],
    ],
    [
      "Korean",
      "경복궁은 어디에 있습니까?",
      "경복궁은 서울에 있습니다.",
      [
        "물고기는 바다에 산다.",
        "그는 차를 좋아한다.",
        "기차가 늦었다.",
        "오늘 비가 온다.",
        "서점은 닫혔다.",
        "아이들이 노래한다.",
        "시장은 붐빈다.",
      ],
    ],
  ])("finds the %s passage that holds the question's words", async (_name, question, answer, others) => {
    for (let place = 0; place < 8; place++) {
      const texts = [...others.slice(0, place), answer, ...others.slice(place)];
      const index = await TriGraph.create();
      await index.upsert(texts.map((text, i) => ({ id: `p${i}`, text })));
      const [first, second] = await index.retrieve(question);
      expect(first.passage.text).toBe(answer);
      expect(first.score).toBeGreaterThan(second.score);
    }
  });
});

describe("the same index", () => {
  const RUNS = 40;

  it(
    "comes of any order of its passages",
    async () => {
      await fc.assert(
        fc.asyncProperty(corpus, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), async (passages, order) => {
          const shuffled = passages.map((passage, i) => ({ passage, key: order[i] })).sort((a, b) => a.key - b.key);
          const one = await indexOf(passages);
          const other = await indexOf(shuffled.map(({ passage }) => passage));
          expect(other.stats()).toEqual(one.stats());
          for (const question of QUESTIONS.slice(0, 8)) {
            const options = { k: 100, explain: true };
            expect(await other.retrieve(question, options)).toEqual(await one.retrieve(question, options));
          }
        }),
        runs(RUNS),
      );
    },
    patience(RUNS),
  );

  it("answers again the same, and concurrent questions as single ones", async () => {
    const index = await indexOf(CHAIN);
    const questions = [CHAIN_QUESTION, "Who is Elva Marsh?", "which fish?", "Norwick"];
    const single = [];
    for (const question of questions) single.push(await index.retrieve(question, { explain: true }));
    const together = await Promise.all(
      [...questions, ...questions].map((question) => index.retrieve(question, { explain: true })),
    );
    expect(together).toEqual([...single, ...single]);
  });

  const directories: [string, (use: (directory: Directory) => Promise<void>) => Promise<void>][] = [
    ["memory", (use) => use(new MemoryDirectory())],
    [
      "a folder",
      async (use) => {
        const folder = await mkdtemp(join(tmpdir(), "trigraph-"));
        try {
          await use(new FileDirectory(join(folder, "index")));
        } finally {
          await rm(folder, { recursive: true });
        }
      },
    ],
  ];

  it.each(directories)("comes back from %s", async (_name, within) => {
    await within(async (directory) => {
      const embedder = new HashEmbedder();
      const index = await TriGraph.create({ embedder });
      await index.upsert(CHAIN);
      await index.upsert([{ id: "more", text: "Bram Stone met Elva Marsh \ud800 in Norwick." }]);
      await index.upsert([{ ...CHAIN[3], text: "Fish live in the sea." }]);
      await index.delete(["harbor"]);
      const answers = (which: TriGraph) =>
        Promise.all(
          ["Who is Elva Marsh?", "which fish?", CHAIN_QUESTION].map((q) => which.retrieve(q, { k: 10, explain: true })),
        );
      const wanted = await answers(index);
      await index.save(directory);
      expect(await answers(index)).toEqual(wanted);

      const reader = await TriGraph.open(directory, { embedder, readOnly: true });
      const opened = await TriGraph.open(directory, { embedder });
      for (const which of [reader, opened]) {
        expect(await answers(which)).toEqual(wanted);
        expect(which.stats()).toEqual(index.stats());
        expect(await which.check()).toEqual([]);
      }
      await opened.merge();
      expect(opened.stats()).toMatchObject({ segments: 1, deadPassages: 0, passages: 4 });
      expect(await answers(opened)).toEqual(wanted);
      await opened.upsert([{ id: "last", text: "Corvin Hale." }]);
      await opened.save(directory);
      await opened.close();
      await reader.close();

      const again = await TriGraph.open(directory, { embedder });
      expect(again.size).toBe(5);
      expect(again.get("more")!.text).toContain("\ud800");
      // Saving replaces what is there.
      await again.close();
      await index.save(directory);
      const restored = await TriGraph.open(directory, { embedder });
      expect(await answers(restored)).toEqual(wanted);
      await restored.close();
    });
  });
});
