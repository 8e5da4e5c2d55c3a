import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { activate, type ActivationOptions } from "../../src/activation/activate.js";
import { ALL_WORDS } from "../../src/graph/reader.js";
import { solveExactly } from "../../src/pagerank/exact.js";
import { push } from "../../src/pagerank/push.js";
import { type ResetOptions, resetVector } from "../../src/pagerank/reset.js";
import { runs } from "../kernels/runs.js";
import { corpora, type NamedCorpus, readerOf, vectorOf } from "./corpora.js";
import {
  activateSpec,
  containMatrix,
  mentionMatrix,
  pageRankSpec,
  passageCounts,
  resetSpec,
  sigmaTo,
  type SpecActivationOptions,
} from "./equations.js";

interface Case {
  readonly corpus: NamedCorpus;
  /** a⁰ by entity. */
  readonly seeds: readonly number[];
  /** Visible passages and sim(q, p). */
  readonly candidates: readonly { readonly passage: number; readonly similarity: number }[];
  /** Visible passages and their weights. */
  readonly priors: readonly { readonly passage: number; readonly weight: number }[];
  readonly options: ActivationOptions & ResetOptions & { readonly damping: number };
}

const options: fc.Arbitrary<Case["options"]> = fc.record({
  propagation: fc.constantFrom("max", "top-sentences"),
  hops: fc.constantFrom(1, 2, 3, 4, 5, 5),
  activationThreshold: fc.constantFrom(0, 0, 1 / 16, 1 / 8, 1 / 4),
  sentencesPerEntity: fc.integer({ min: 1, max: 4 }),
  sentenceWords: fc.constantFrom("open", "open", "all"),
  hubDegree: fc.constantFrom(1, 3, Infinity, Infinity),
  similarityWeight: fc.constantFrom(0, 0.05, 2),
  passageWeight: fc.constantFrom(0, 0.05, 1),
  specificity: fc.constantFrom(0, 0.5, 1),
  definitionWeight: fc.constantFrom(0, 1, 8),
  priorShare: fc.constantFrom(0, 0.25, 0.5, 1),
  damping: fc.constantFrom(0.3, 0.5, 0.7, 0.85),
});

const cases: fc.Arbitrary<Case> = corpora.chain((corpus) => {
  const n = passageCounts(corpus);
  const passages = [...corpus.passages.keys()];
  const visible = passages.filter((p) => !corpus.passages[p].hidden);
  const weight = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8);
  return fc.record({
    corpus: fc.constant(corpus),
    seeds: fc
      .tuple(
        fc.shuffledSubarray([...n.keys()], { minLength: Math.min(n.length, 1), maxLength: Math.min(n.length, 3) }),
        fc.tuple(weight, weight, weight),
      )
      .map(([subset, weights]) =>
        n.map((count, e) => (count > 0 && subset.includes(e) ? weights[subset.indexOf(e)] : 0)),
      ),
    candidates: fc
      .tuple(fc.shuffledSubarray(visible), fc.array(weight, { minLength: passages.length, maxLength: passages.length }))
      .map(([subset, weights]) => subset.map((passage) => ({ passage, similarity: weights[passage] }))),
    priors: fc
      .tuple(
        fc.boolean(),
        fc.shuffledSubarray(visible),
        fc.array(weight, { minLength: passages.length, maxLength: passages.length }),
      )
      .map(([any, subset, weights]) =>
        any ? subset.map((passage) => ({ passage, weight: weights[passage] + 1 / 8 })) : [],
      ),
    options,
  });
});

/** Equal to 1e-9, relative and absolute. */
function expectClose(actual: readonly number[], expected: readonly number[], what: string): void {
  expect(actual).toHaveLength(expected.length);
  const wrong = actual.findIndex((value, i) => !(Math.abs(value - expected[i]) <= 1e-9 * (1 + Math.abs(expected[i]))));
  if (wrong >= 0) expect.fail(`${what}[${wrong}] is ${actual[wrong]}, not ${expected[wrong]}`);
}

function hubsOf({ candidates, options: { hubDegree } }: Case) {
  return { hubDegree, candidates: candidates.map(({ passage }) => passage) };
}

function activated({ corpus, seeds, options }: Case, graph: ReturnType<typeof readerOf>) {
  const given = seeds.flatMap((activation, e) =>
    activation > 0 ? [{ entity: corpus.entityKeys[e], activation }] : [],
  );
  return activate(graph, given, options);
}

function reset(instance: Case, activation: Awaited<ReturnType<typeof activate>>, graph: ReturnType<typeof readerOf>) {
  const { corpus, candidates, priors, options } = instance;
  const listed = (passages: readonly { readonly passage: number }[]) => ({
    ids: Float64Array.from(passages, ({ passage }) => corpus.passageNumbers[passage]),
    length: passages.length,
  });
  return resetVector(
    graph,
    activation,
    { passages: listed(candidates), weights: candidates.map(({ similarity }) => similarity) },
    { passages: listed(priors), weights: priors.map(({ weight }) => weight) },
    options,
  );
}

function specOf(instance: Case) {
  const { corpus, seeds, candidates, priors, options } = instance;
  const similarity = corpus.passages.map(() => 0);
  for (const candidate of candidates) similarity[candidate.passage] = candidate.similarity;
  const weights = corpus.passages.map(() => 0);
  for (const { passage, weight } of priors) weights[passage] = weight;
  const settings = { ...options, ...hubsOf(instance) };
  const activation = activateSpec(corpus, seeds, settings);
  return { activation, reset: resetSpec(corpus, activation, similarity, weights, settings) };
}

describe("the kernels equal the equations", () => {
  it("activation (3)–(5), in both modes", async () => {
    let beyondSeeds = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (instance) => {
        const { corpus, options } = instance;
        const expected = specOf(instance).activation;
        const actual = await activated(instance, readerOf(corpus, hubsOf(instance)));
        expectClose(vectorOf(actual.entities, actual.activations, corpus.entityKeys), expected.a, "a");
        expect(vectorOf(actual.entities, actual.levels, corpus.entityKeys)).toEqual(expected.levels);

        if (Math.max(...expected.levels) > 2) beyondSeeds++;

        // Every bridge is an edge of M at both ends and carries the greatest contribution.
        const M = mentionMatrix(corpus);
        const index = (key: number) => corpus.entityKeys.indexOf(key);
        const sentences = corpus.passages.flatMap((passage) => passage.sentences);
        actual.bridges.forEach((bridge, i) => {
          const entity = index(actual.entities.ids[i]);
          expect(bridge === undefined).toBe(actual.levels[i] === 1);
          if (bridge === undefined) return;
          const sentence = corpus.sentenceNumbers.indexOf(bridge.sentence);
          expect(M[sentence][entity]).toBe(1);
          expect(M[sentence][index(actual.entities.ids[bridge.from])]).toBe(1);
          expect(actual.levels[bridge.from]).toBeLessThan(actual.levels[i]);
          const isOpen = options.propagation === "top-sentences" && options.sentenceWords === "open";
          const { words } = sentences[sentence];
          if (isOpen) expect(bridge.covered & ~words).toBe(0);
          else expect(bridge.covered).toBe(words);
          expect(bridge.relevance).toBe(sigmaTo(sentences[sentence], isOpen ? bridge.covered : ALL_WORDS));
          expectClose([bridge.activation * bridge.relevance], [expected.strongest[entity]], options.propagation);
        });
      }),
      { ...runs(300), unbiased: true },
    );
    // The examples are no trivial ones.
    expect(beyondSeeds).toBeGreaterThan(30);
  });

  it("reset (7), with hubs, candidates and priors", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (instance) => {
        const { corpus } = instance;
        const expected = specOf(instance).reset;
        const graph = readerOf(corpus, hubsOf(instance));
        const actual = await reset(instance, await activated(instance, graph), graph);
        expectClose(vectorOf(actual.passages, actual.passageMass, corpus.passageNumbers), expected.passages, "r(p)");
        expectClose(vectorOf(actual.entities, actual.entityMass, corpus.entityKeys), expected.entities, "r(e)");
        const total = [...actual.passageMass, ...actual.entityMass].reduce((sum, mass) => sum + mass, 0);
        if (total > 0) expectClose([total], [1], "total");
      }),
      { ...runs(300), unbiased: true },
    );
  });

  it("PageRank (6), by local push and by power iteration", async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (instance) => {
        const { corpus, options } = instance;
        const { damping, definitionWeight } = options;
        const expected = pageRankSpec(corpus, specOf(instance).reset, damping, definitionWeight);
        const graph = readerOf(corpus, hubsOf(instance));
        const mass = await reset(instance, await activated(instance, graph), graph);

        const pushed = await push(graph, mass, { ...options, epsilon: 1e-13 });
        const { passages, entities } = pushed;
        expectClose(vectorOf(passages.nodes, passages.scores, corpus.passageNumbers), expected.passages, "push p");
        expectClose(vectorOf(entities.nodes, entities.scores, corpus.entityKeys), expected.entities, "push e");

        const exact = await solveExactly(graph, mass, { ...options, tolerance: 1e-14, maxIterations: 1000 });
        expect(exact.converged).toBe(true);
        const { passages: p, entities: e } = exact;
        expectClose(vectorOf(p.nodes, p.scores, corpus.passageNumbers), expected.passages, "exact p");
        expectClose(vectorOf(e.nodes, e.scores, corpus.entityKeys), expected.entities, "exact e");
      }),
      { ...runs(200), unbiased: true },
    );
  });
});

describe("the kernels on graphs that outgrow their first buffers", () => {
  const SIZE = 1500;
  const numbers = Array.from({ length: SIZE }, (_, i) => i);
  /** Every passage names entity 0 and two of its own neighbourhood; one of each is a hub. */
  const corpus: NamedCorpus = {
    entities: 3,
    passages: numbers.map((p) => ({
      sentences: [{ entities: [0, 0, ...(p % 2 === 0 ? [1] : [2])], sigma: 0.5, words: 0 }],
      defines: p % 7 === 0 ? [1] : [],
      hidden: false,
    })),
    entityKeys: [70, 50, 60],
    passageNumbers: numbers.map((p) => (p * 17) % SIZE),
    sentenceNumbers: numbers,
  };
  const settings: Case["options"] & SpecActivationOptions = {
    propagation: "max",
    hops: 1,
    activationThreshold: 0.1,
    sentencesPerEntity: 1,
    sentenceWords: "open",
    hubDegree: Infinity,
    candidates: [],
    similarityWeight: 0.05,
    passageWeight: 0.05,
    specificity: 0.5,
    definitionWeight: 8,
    priorShare: 0.5,
    damping: 0.7,
  };

  it.each([
    { what: "entities alone", seeds: [1, 0.5, 0.25], candidates: [], hubDegree: Infinity },
    { what: "candidates alone", seeds: [0, 0, 0], candidates: numbers, hubDegree: Infinity },
    { what: "hubs in candidates", seeds: [1, 0, 0.5], candidates: numbers, hubDegree: 1000 },
    { what: "both", seeds: [1, 0.5, 0], candidates: numbers.slice(100, 1400), hubDegree: 1000 },
  ])("reset from $what", async ({ seeds, candidates, hubDegree }) => {
    const instance: Case = {
      corpus,
      seeds,
      candidates: candidates.map((passage) => ({ passage, similarity: (passage % 9) / 8 })),
      priors: [],
      options: { ...settings, hubDegree },
    };
    const expected = specOf(instance).reset;
    const graph = readerOf(corpus, hubsOf(instance));
    const actual = await reset(instance, await activated(instance, graph), graph);
    expectClose(vectorOf(actual.passages, actual.passageMass, corpus.passageNumbers), expected.passages, "r(p)");
    expectClose(vectorOf(actual.entities, actual.entityMass, corpus.entityKeys), expected.entities, "r(e)");
  });

  it("push and power iteration agree", async () => {
    const wide: NamedCorpus = {
      ...corpus,
      entities: SIZE,
      entityKeys: numbers.map((e) => ((e * 7919) % SIZE) * 4294967296 + 5),
      passages: numbers.map((p) => ({
        sentences: [{ entities: [p, (p * 31 + 7) % SIZE, (p * p) % SIZE], sigma: 0, words: 0 }],
        defines: [p],
        hidden: p % 50 === 0,
      })),
    };
    const graph = readerOf(wide, { hubDegree: Infinity, candidates: [] });
    const start = await resetVector(
      graph,
      await activate(graph, [{ entity: wide.entityKeys[3], activation: 1 }], settings),
      { passages: { ids: new Float64Array(0), length: 0 }, weights: [] },
      { passages: { ids: new Float64Array(0), length: 0 }, weights: [] },
      settings,
    );
    const exact = await solveExactly(graph, start, { ...settings, tolerance: 1e-14, maxIterations: 1000 });
    const pushed = await push(graph, start, { ...settings, epsilon: 1e-12 });
    expect(pushed.passages.nodes.length).toBeGreaterThan(1100);
    expect(pushed.entities.nodes.length).toBeGreaterThan(1100);
    expectClose(
      vectorOf(pushed.passages.nodes, pushed.passages.scores, wide.passageNumbers),
      vectorOf(exact.passages.nodes, exact.passages.scores, wide.passageNumbers),
      "push",
    );
  });
});

describe("the equations themselves", () => {
  it("on the smallest example that has it all", () => {
    // Passage 0 says "A meets B." and is about A; passage 1 says "B is in C. C, C."
    const corpus = {
      entities: 3,
      passages: [
        { sentences: [{ entities: [0, 1], sigma: 0.5, words: 0 }], defines: [0], hidden: false },
        {
          sentences: [
            { entities: [1, 2], sigma: 0.25, words: 0 },
            { entities: [2, 2], sigma: 1, words: 0 },
          ],
          defines: [],
          hidden: false,
        },
      ],
    };
    expect(mentionMatrix(corpus)).toEqual([
      [1, 1, 0],
      [0, 1, 1],
      [0, 0, 1],
    ]);
    expect(containMatrix(corpus)).toEqual([
      [1, 1, 0],
      [0, 1, 1],
    ]);
    const none = { hubDegree: Infinity, candidates: [] };
    const spread = {
      hops: 3,
      activationThreshold: 0.1,
      sentencesPerEntity: 1,
      sentenceWords: "open",
      ...none,
    } as const;
    // B by A's sentence; C by B's: 0.5 · 0.25 = 0.125. In the third hop B has from A's sentence, which now
    // holds 1 + 0.5, its 0.75, and from its own 0.125.
    expect(activateSpec(corpus, [1, 0, 0], { ...spread, propagation: "max" })).toEqual({
      a: [1, 0.875, 0.125],
      levels: [1, 2, 3],
      strongest: [0, 0.5, 0.125],
    });
    const activation = activateSpec(corpus, [1, 0, 0], { ...spread, propagation: "top-sentences" });
    expect(activation).toEqual({ a: [1, 0.5, 0.125], levels: [1, 2, 3], strongest: [0, 0.5, 0.125] });
    const paper = { similarityWeight: 0.5, passageWeight: 0.1, specificity: 0, definitionWeight: 0, priorShare: 0.5 };
    const reset = resetSpec(corpus, activation, [1, 0], [0, 0], { ...paper, ...none });
    const [ln2, ln4] = [Math.log(2), Math.log(4)];
    const raw = [
      (0.5 + Math.log(1 + ln2 + (0.5 * ln2) / 2)) * 0.1,
      Math.log(1 + (0.5 * ln2) / 2 + (0.125 * ln4) / 3) * 0.1,
    ];
    const total = raw[0] + raw[1] + 1.625;
    expectClose(reset.passages, [raw[0] / total, raw[1] / total], "r(p)");
    expectClose(reset.entities, [1 / total, 0.5 / total, 0.125 / total], "r(e)");
    const rank = pageRankSpec(corpus, reset, 0.5, 0);
    // (6) at B: half of what A's passage has, and a quarter of what C's has.
    expectClose(
      [rank.entities[1]],
      [0.5 * reset.entities[1] + 0.5 * (rank.passages[0] / 2 + rank.passages[1] / 4)],
      "I(B)",
    );
    expectClose([rank.passages.concat(rank.entities).reduce((sum, score) => sum + score, 0)], [1], "total");
  });
});
