import type { Embedder, TriGraph } from "@trigraph/core";
import { describe, expect, test } from "vitest";
import { explore, type Exploration, type ExploreOptions } from "../src/index.js";
import { CHAIN, CHAIN_QUESTION, DEMO_QUESTION, demoPassages, indexOf } from "./support/corpus.js";

const chain = await indexOf(CHAIN);
const demo = await indexOf(demoPassages());

/** Vectors of letters: enough to rank by. */
const letters: Embedder = {
  id: "letters",
  dimensions: 26,
  embedPassages: async (texts) => texts.map(count),
  embedQuery: async (text) => count(text),
};

function count(text: string): number[] {
  const counts = new Array<number>(26).fill(0);
  for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) counts[letter.charCodeAt(0) - 97]++;
  return counts;
}

function nodeIds({ seeds, sentences, bridges, carriers, passages }: Exploration): string[] {
  return ["question", ...[seeds, sentences, bridges, carriers, passages].flatMap((list) => list.map(({ id }) => id))];
}

describe("an exploration", () => {
  test("has the passages of retrieve, their texts, and what brought each", async () => {
    const view = await explore(chain, CHAIN_QUESTION, { k: 4 });
    const hits = await chain.retrieve(CHAIN_QUESTION, { k: 4, explain: true });
    expect(view).toMatchObject({ format: 1, question: CHAIN_QUESTION, indexSize: 4, similarity: "words" });
    expect(view.passages.map(({ passageId, score, rank }) => ({ passageId, score, rank }))).toEqual(
      hits.map(({ passage, score, rank }) => ({ passageId: passage.id, score, rank })),
    );
    for (const [i, { evidence, passage }] of hits.entries()) {
      const shown = view.passages[i];
      expect(shown.text).toBe(passage.text);
      expect(shown.title).toBe(passage.title ?? null);
      expect(shown.metadata).toEqual(passage.metadata ?? null);
      const { fusion, ...stages } = shown.stages;
      expect(stages).toEqual(evidence!.stages);
      expect(fusion).toEqual(evidence!.fusion);
      expect(shown.sentence?.span).toEqual(evidence!.sentence?.span);
    }
    expect(view.seeds).toContainEqual(
      expect.objectContaining({ kind: "entity", entity: "silent harbour", activation: expect.any(Number) as number }),
    );
    expect(view.passages.map(({ passageId }) => passageId).slice(0, 3)).toEqual(["film", "director", "mother"]);
  });

  test("marks the entities of a text and names those of the picture", async () => {
    const view = await explore(chain, CHAIN_QUESTION, { k: 4 });
    const ids = new Set(nodeIds(view));
    const { text, mentions } = view.passages[0];
    expect(mentions.map(({ start, end }) => text.slice(start, end))).toContain("Ada Lindqvist");
    for (const { node } of mentions) if (node !== null) expect(ids).toContain(node);
    const seed = view.seeds.find(({ kind }) => kind === "entity")!;
    expect(mentions[0]).toMatchObject({ entity: "silent harbour", node: seed.id });
  });

  test.each([1, 20, 150])(
    "of %i passages has paths from the question to each, over nodes that are there",
    async (k) => {
      const view = await explore(demo, DEMO_QUESTION, { k, methods: ["fused"] });
      expect(view.passages).toHaveLength(k);
      const ids = nodeIds(view);
      expect(new Set(ids).size).toBe(ids.length);
      const used = new Set(view.passages.flatMap(({ path }) => path));
      expect([...used].sort()).toEqual([...ids].sort());
      for (const { path, id } of view.passages) {
        expect([path[0], path.at(-1)]).toEqual(["question", id]);
        expect(path.length).toBeGreaterThan(2);
        expect(new Set(path).size).toBe(path.length);
      }
      const texts = new Map([...view.passages, ...view.sources].map(({ passageId, text }) => [passageId, text]));
      for (const { passageId, span, text } of view.sentences) {
        expect(texts.get(passageId)!.slice(span.start, span.end)).toBe(text);
      }
      for (const { passageId } of view.carriers) expect([...texts.keys()]).toContain(passageId);
    },
  );

  test("leads over the steps of the evidence", async () => {
    const view = await explore(demo, DEMO_QUESTION, { k: 30, methods: ["fused"] });
    const hits = await demo.retrieve(DEMO_QUESTION, { k: 30, explain: true });
    const names = new Map<string, string>([
      ...view.bridges.map(({ id, entity }) => [id, entity] as const),
      ...view.seeds.flatMap((seed) => (seed.kind === "entity" ? [[seed.id, seed.entity] as const] : [])),
    ]);
    const kinds = new Set<string>();
    for (const [i, { evidence }] of hits.entries()) {
      if (evidence?.via !== "graph") continue;
      for (const { via } of evidence.steps) kinds.add(via);
      const entities = view.passages[i].path.flatMap((id) => names.get(id) ?? []);
      expect(entities).toEqual([evidence.seed.entity, ...evidence.steps.map(({ to }) => to.entity)]);
      expect(view.passages[i].arrival!.entity).toBe(evidence.arrival.entity);
    }
    expect([...kinds].sort()).toEqual(["passage", "sentence"]);
  });

  test("is plain JSON, and the same each time", async () => {
    const view = await explore(demo, DEMO_QUESTION, { k: 12 });
    expect(JSON.parse(JSON.stringify(view))).toEqual(view);
    expect(await explore(demo, DEMO_QUESTION, { k: 12 })).toEqual(view);
  });

  test("obeys the filter, and may find nothing", async () => {
    const view = await explore(chain, CHAIN_QUESTION, { filter: ({ id }) => id !== "film" });
    expect(JSON.stringify([view.passages, view.sources])).not.toContain('"film"');
    const nothing = await explore(chain, CHAIN_QUESTION, { filter: () => false });
    expect(nothing).toMatchObject({ passages: [], seeds: [], sources: [] });
  });
});

describe("ranks", () => {
  /** Ranks of an index that has each method's settings as its own. */
  async function ranksOf(index: TriGraph, view: Exploration): Promise<(number | null)[]> {
    const hits = await index.retrieve(view.question, { k: 100 });
    return view.passages.map(({ passageId }) => {
      const hit = hits.find(({ passage, score }) => passage.id === passageId && score > 0);
      return hit?.rank ?? null;
    });
  }

  test("are those of indexes with the settings of each method", async () => {
    const passages = demoPassages().slice(0, 150);
    const options = { embedder: letters };
    const index = await indexOf(passages, options);
    const view = await explore(index, DEMO_QUESTION, { k: 8 });
    expect(view).toMatchObject({
      methods: ["fused", "graph", "words", "vectors"],
      similarity: "hybrid",
      rankDepth: 100,
    });
    const settings = [
      {},
      { fusion: "none" },
      { seeds: "none", similarity: "lexical" },
      { seeds: "none", similarity: "dense" },
    ] as const;
    for (const [i, ranking] of settings.entries()) {
      const other = await indexOf(passages, { ...options, ranking });
      expect(view.passages.map(({ ranks }) => ranks[i])).toEqual(await ranksOf(other, view));
    }
    expect(view.passages.map(({ ranks }) => ranks[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("leave vectors out where a question has none, and take those given", async () => {
    expect((await explore(chain, CHAIN_QUESTION)).methods).toEqual(["fused", "graph", "words"]);
    const index = await indexOf(CHAIN.map((passage) => ({ ...passage, vector: count(passage.text) })));
    const vector = count(CHAIN_QUESTION);
    const view = await explore(index, CHAIN_QUESTION, { vector });
    expect(view.methods).toEqual(["fused", "graph", "words", "vectors"]);
    const nearest = await index.nearest(vector, { k: 4 });
    for (const { passageId, ranks } of view.passages) {
      expect(ranks[3]).toBe(nearest.find(({ passage }) => passage.id === passageId)!.rank);
    }
  });

  test("compare the methods asked for, the passages being the first's", async () => {
    const view = await explore(demo, DEMO_QUESTION, { k: 3, methods: ["words", "fused"] });
    expect(view.methods).toEqual(["words", "fused"]);
    expect(view.passages.map(({ ranks }) => ranks[0])).toEqual([1, 2, 3]);
    expect(view.seeds).toEqual([{ id: "seed-1", kind: "similarity", via: "words" }]);
  });
});

describe("errors", () => {
  test.each<[unknown, string]>([
    [{ depth: 3 }, 'explore: expected options of k, filter, signal, methods, vector, got "depth"'],
    [{ methods: [] }, "explore: expected methods to be a list of fused, graph, words, vectors, each at most once"],
    [{ methods: ["fused", "bm25"] }, 'each at most once, got "bm25"'],
    [{ methods: ["fused", "fused"] }, "got an array of 2"],
    [{ methods: "fused" }, 'got "fused"'],
    [{ k: 0 }, "expected k to be an integer of at least 1, got 0"],
    [{ methods: ["vectors"] }, "expected a vector or an embedder"],
  ])("%j is refused", async (options, message) => {
    await expect(explore(chain, CHAIN_QUESTION, options as ExploreOptions)).rejects.toThrow(message);
  });

  test("a signal ends it", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(explore(chain, CHAIN_QUESTION, { signal })).rejects.toThrow("enough");
  });

  test("rankings of different commits are not compared", async () => {
    const index = await indexOf(CHAIN);
    const exploring = explore(index, CHAIN_QUESTION);
    await index.upsert([{ id: "late", text: "A late passage." }]);
    await expect(exploring).rejects.toThrow("expected an index that nobody writes to meanwhile");
  });
});
