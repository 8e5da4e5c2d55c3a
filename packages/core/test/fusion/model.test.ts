import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_RANKING,
  FUSION_CONTEXT,
  FUSION_FEATURES,
  type FusionModel,
  type FusionWeights,
  InvalidArgumentError,
  type RankingOptions,
  TriGraph,
} from "../../src/index.js";
import { OF_VECTORS, OF_WORDS } from "../../src/fusion/features.js";
import { FusionScorer } from "../../src/fusion/model.js";
import { runs } from "../kernels/runs.js";

const MODEL = DEFAULT_RANKING.fusion as FusionModel;

const weight = fc.double({ min: -3, max: 3, noNaN: true });
const scale = { mean: weight, deviation: fc.double({ min: 0.1, max: 3, noNaN: true }) };
const range = fc.tuple(weight, weight).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

/** Weights of some of the features, in any order, by some properties of the question. */
const weights: fc.Arbitrary<FusionWeights> = fc.shuffledSubarray([...FUSION_CONTEXT]).chain((context) =>
  fc.record({
    intercept: weight,
    context: fc.tuple(...context.map((name) => fc.record({ name: fc.constant(name), ...scale, range }))),
    features: fc.shuffledSubarray([...FUSION_FEATURES]).chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.array(weight, { maxLength: 3 }).chain((knots) =>
            fc.record({
              name: fc.constant(name),
              ...scale,
              range,
              slope: weight,
              knots: fc.constant([...new Set(knots)].sort((a, b) => a - b)),
              bends: fc.array(weight, { minLength: new Set(knots).size, maxLength: new Set(knots).size }),
              offset: weight,
              byContext: fc.array(weight, { minLength: context.length, maxLength: context.length }),
            }),
          ),
        ),
      ),
    ),
  }),
);

const share = fc.double({ min: 0, max: 1, noNaN: true });

function values(length: number): fc.Arbitrary<Float64Array> {
  return fc
    .array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: length, maxLength: length })
    .map((numbers) => Float64Array.from(numbers));
}

describe("the model of stage 3", () => {
  it("is its formula, and the shares of the features add up to it", () => {
    fc.assert(
      fc.property(
        weights,
        values(FUSION_FEATURES.length),
        values(FUSION_CONTEXT.length),
        fc.record({ words: share, vectors: share }),
        (weights, features, context, trust) => {
          const held = (x: number, [least, greatest]: readonly [number, number]) =>
            x < least ? least : x > greatest ? greatest : x;
          const u = weights.context.map(
            ({ name, mean, deviation, range }) =>
              (held(context[FUSION_CONTEXT.indexOf(name)], range) - mean) / deviation,
          );
          const parts = weights.features.map((weights) => {
            const x = held(features[FUSION_FEATURES.indexOf(weights.name)], weights.range);
            const z = (x - weights.mean) / weights.deviation;
            let f = weights.slope * x - weights.offset;
            weights.knots.forEach((knot, k) => (f += weights.bends[k] * Math.max(0, x - knot)));
            weights.byContext.forEach((v, c) => (f += z * v * u[c]));
            if (OF_WORDS.has(weights.name)) f *= trust.words;
            if (OF_VECTORS.has(weights.name)) f *= trust.vectors;
            return { feature: weights.name, value: features[FUSION_FEATURES.indexOf(weights.name)], logOdds: f };
          });
          const logOdds = parts.reduce((sum, part) => sum + part.logOdds, weights.intercept);
          const scorer = new FusionScorer(weights, context, trust);
          expect(scorer.probability(features)).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 9);
          const shares = scorer.shares(features);
          expect(shares.reduce((sum, share) => sum + share.logOdds, weights.intercept)).toBeCloseTo(logOdds, 8);
          expect(shares).toHaveLength(parts.length);
          for (const { feature, value, logOdds } of parts) {
            const share = shares.find((other) => other.feature === feature)!;
            expect(share.value).toBe(value);
            expect(share.logOdds).toBeCloseTo(logOdds, 8);
          }
          const sizes = shares.map(({ logOdds }) => Math.abs(logOdds));
          expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
        },
      ),
      runs(300),
    );
  });

  it("goes nowhere beyond the range that it was fitted to", () => {
    const [first] = MODEL.words.features;
    const weights: FusionWeights = { ...MODEL.words, features: [{ ...first, range: [-1, 2], slope: 5 }] };
    const scorer = new FusionScorer(weights, new Float64Array(FUSION_CONTEXT.length), { words: 1, vectors: 1 });
    const probability = (x: number) =>
      scorer.probability(Float64Array.from(FUSION_FEATURES, (name) => (name === first.name ? x : 0)));
    expect(probability(1e9)).toBe(probability(2));
    expect(probability(-1e9)).toBe(probability(-1));
    expect(probability(1)).not.toBe(probability(2));
  });
});

describe("a model from outside", () => {
  /** The default model with a change to the weights of its third feature. */
  const withFeature = (change: object) => ({
    ...MODEL,
    words: {
      ...MODEL.words,
      features: MODEL.words.features.map((feature, j) => (j === 2 ? { ...feature, ...change } : feature)),
    },
  });
  const withContext = (change: object) => ({
    ...MODEL,
    words: { ...MODEL.words, context: MODEL.words.context.map((row, c) => (c === 1 ? { ...row, ...change } : row)) },
  });
  const byContext = MODEL.words.context.map(() => 0);

  it.each<[string, unknown, string]>([
    ["nothing", null, 'at fusion: expected "none" or a fusion model, got null'],
    ["another word", "some", 'at fusion: expected "none" or a fusion model, got "some"'],
    ["a list", [], 'at fusion: expected "none" or a fusion model, got an array'],
    ["another format", { ...MODEL, format: 2 }, "at fusion.format: expected format 1, got 2"],
    ["a field too many", { ...MODEL, sentences: 1 }, "at fusion: unknown field sentences"],
    ["a provenance that is no JSON", { ...MODEL, provenance: () => 1 }, "at fusion.provenance: expected JSON, got"],
    ["no weights", { ...MODEL, words: undefined }, "at fusion.words: expected weights, got undefined"],
    [
      "bad weights for vectors",
      { ...MODEL, vectors: {} },
      "at fusion.vectors.intercept: expected a finite number, got",
    ],
    [
      "trust below 0",
      { ...MODEL, halfTrust: -1 },
      "at fusion.halfTrust: expected a finite number of at least 0, got -1",
    ],
    ["a pool of 0", { ...MODEL, pool: { ...MODEL.pool, words: 0 } }, "at fusion.pool.words: expected an integer of at"],
    ["half a passage", { ...MODEL, pool: { ...MODEL.pool, graph: 0.5 } }, "at fusion.pool.graph: expected an integer"],
    [
      "a NaN",
      { ...MODEL, words: { ...MODEL.words, intercept: NaN } },
      "words.intercept: expected a finite number, got NaN",
    ],
    [
      "a slope of NaN",
      withFeature({ slope: NaN }),
      "at fusion.words.features.2.slope: expected a finite number, got NaN",
    ],
    ["a text for a number", withFeature({ offset: "1" }), 'words.features.2.offset: expected a finite number, got "1"'],
    ["a missing field", withFeature({ mean: undefined }), "features.2.mean: expected a finite number, got undefined"],
    [
      "an infinite bend",
      withFeature({ knots: [1], bends: [Infinity] }),
      "features.2.bends.0: expected a finite number",
    ],
    [
      "a deviation of 0",
      withFeature({ deviation: 0 }),
      "features.2.deviation: expected a finite number greater than 0",
    ],
    [
      "an unknown feature",
      withFeature({ name: "luck" }),
      "at fusion.words.features.2.name: expected one of graphScore,",
    ],
    ["a feature twice", withFeature({ name: MODEL.words.features[0].name }), "features: expected each feature once"],
    ["a range upside down", withFeature({ range: [1, 0] }), "features.2.range: expected a range [least, greatest]"],
    ["half a range", withFeature({ range: [1] }), "features.2.range: expected a range [least, greatest]"],
    ["knots out of order", withFeature({ knots: [2, 1], bends: [1, 1] }), "2.knots: expected knots in ascending order"],
    ["a knot twice", withFeature({ knots: [1, 1], bends: [1, 1] }), "2.knots: expected knots in ascending order"],
    ["a bend too few", withFeature({ knots: [1, 2], bends: [1] }), "features.2: expected as many bends as knots"],
    ["no list", withFeature({ byContext: 1 }), "features.2.byContext: expected an array, got 1"],
    ["a context too long", withFeature({ byContext: [...byContext, 0] }), "words: expected byContext to be as long"],
    ["an unknown context", withContext({ name: "mood" }), "words.context.1.name: expected one of seeds, noSeed"],
    ["a context twice", withContext({ name: "seeds" }), "context: expected each property of the question once"],
    ["a context of NaN", withContext({ mean: NaN }), "words.context.1.mean: expected a finite number, got NaN"],
  ])("is refused with %s, and the error names the place", async (_name, fusion, message) => {
    const ranking = { fusion } as RankingOptions;
    const failed = TriGraph.create({ ranking });
    await expect(failed).rejects.toBeInstanceOf(InvalidArgumentError);
    await expect(failed).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toThrow(/^create: ranking, at fusion/);
  });

  it("may come from a JSON file, and answers as itself", async () => {
    const fusion = JSON.parse(
      JSON.stringify({ ...MODEL, provenance: { ["__proto__x"]: [null, 1, "a"] } }),
    ) as FusionModel;
    const passages = ["Ada Quill was born in Norwick.", "Norwick has a mill.", "Bram Stone sells boats."];
    const answers = [];
    for (const ranking of [{}, { fusion }]) {
      const index = await TriGraph.create({ ranking });
      await index.upsert(passages.map((text, i) => ({ id: `${i}`, text })));
      answers.push(await index.retrieve("Where was Ada Quill born?", { explain: true }));
    }
    expect(answers[1]).toEqual(answers[0]);
  });
});
