import fc from "fast-check";
import { expect, it, vi, describe } from "vitest";
import type * as Defaults from "../../src/defaults.js";
import {
  DEFAULT_RANKING,
  FUSION_CONTEXT,
  FUSION_FEATURES,
  type FusionModel,
  type Passage,
  type RankingOptions,
  type RetrieveOptions,
  TriGraph,
} from "../../src/index.js";
import { RawTexts } from "../index/raw-texts.js";
import { content, patience, question, RememberingAnalyzer, runs, vector } from "../index/world.js";
import { PlainFeatures, type PlainRanking } from "./plain-features.js";

// Segments of one or two passages, which seldom merge.
vi.mock("../../src/defaults.js", async (original) => ({
  ...(await original<typeof Defaults>()),
  SEGMENT_TOKENS: 20,
  MERGE_FACTOR: 5,
  SMALLEST_TIER_TOKENS: 30,
}));

const analyzer = new RememberingAnalyzer();
const MODEL = DEFAULT_RANKING.fusion as FusionModel;

const corpus = fc
  .array(fc.record({ content, vector, isDeleted: fc.boolean() }), { minLength: 3, maxLength: 24, size: "max" })
  .map((entries) =>
    entries.map(({ content, vector, isDeleted }, i) => ({
      passage: { id: `p${i}`, ...content },
      vector,
      isDeleted: isDeleted && i % 3 === 0,
    })),
  );

const pool = fc.record({
  graph: fc.constantFrom(1, 3, 25),
  words: fc.constantFrom(1, 2, 12),
  vectors: fc.constantFrom(1, 2, 12),
  secondHop: fc.constantFrom(1, 2, 10),
});

const settings: fc.Arbitrary<Partial<RankingOptions>> = fc.record({
  epsilon: fc.constantFrom(1e-3, 1e-4),
  hops: fc.constantFrom(1, 3),
  activationThreshold: fc.constantFrom(0.001, 0.05),
  sentenceLengthScale: fc.constantFrom(5, 15),
});

/** An index of the passages after some more were deleted. */
async function indexOf(
  entries: readonly { passage: Passage; isDeleted: boolean }[],
  ranking: Partial<RankingOptions>,
): Promise<TriGraph> {
  const index = await TriGraph.create({ analyzer, ranking });
  await index.upsert(entries.map(({ passage }) => passage));
  await index.delete(entries.filter(({ isDeleted }) => isDeleted).map(({ passage }) => passage.id));
  return index;
}

async function rankingOf(index: TriGraph, question: string, options: RetrieveOptions): Promise<PlainRanking> {
  const hits = await index.retrieve(question, { ...options, k: 100 });
  return hits.filter(({ score }) => score > 0).map(({ passage, score }) => ({ id: passage.id, score }));
}

describe("the pool of stage 3", () => {
  const RUNS = 120;

  it(
    "has the features of its passages' texts",
    async () => {
      const seen = { passages: 0, hops: 0, bridges: 0, segments: 0, deleted: 0, alone: 0 };
      await fc.assert(
        fc.asyncProperty(corpus, question, pool, settings, fc.boolean(), async (entries, question, ...rest) => {
          const [pool, setting, isFiltered] = rest;
          const changes = { minSeedPassages: 1e6, minNameUse: 0, ...setting };
          const options = { ...DEFAULT_RANKING, ...changes };
          const fused = await indexOf(entries, { ...changes, fusion: { ...MODEL, pool } });
          const filter = isFiltered ? ({ metadata }: Passage) => metadata?.group !== 1 : undefined;
          const { candidates, context } = await fused.candidates(question, { filter });

          const live = entries.filter(({ isDeleted }) => !isDeleted).map(({ passage }) => passage);
          const texts = new RawTexts(live, filter);
          const asked = filter === undefined ? {} : { filter };
          const unfused = await indexOf(entries, { ...changes, fusion: "none" });
          const similar = await indexOf(entries, { ...changes, fusion: "none", seeds: "none" });
          const isGraphUsed = texts.seeds(question, options).length > 0;
          // What stage 2 did not reach only fills up the ranking, and says so by a score of half the last one's at most.
          const graph = isGraphUsed ? await rankingOf(unfused, question, asked) : [];
          const reached = candidates.filter(({ features }) => features[FUSION_FEATURES.indexOf("graphScore")] > 0);
          expect(reached.length).toBeLessThanOrEqual(pool.graph);
          expect(reached.length > 0).toBe(isGraphUsed);
          const byGraph = graph.slice(0, reached.length);
          expect(new Set(byGraph.map(({ id }) => id))).toEqual(new Set(reached.map(({ id }) => id)));
          if (reached.length < Math.min(pool.graph, graph.length)) {
            expect(graph[reached.length].score).toBeLessThanOrEqual(byGraph.at(-1)!.score / 2);
          }

          const byWords = await rankingOf(similar, question, asked);
          const plain = new PlainFeatures({ texts, question, options, pool, byGraph, byWords });
          expect(new Set(candidates.map(({ id }) => id))).toEqual(plain.members);
          expect(candidates).toHaveLength(plain.members.size);
          for (const { id, features } of candidates) {
            const wanted = plain.of(id);
            FUSION_FEATURES.forEach((name, j) => {
              const isEqual = Math.abs(features[j] - wanted[name]) <= 1e-9;
              if (!isEqual) expect.fail(`${name} of ${id}: ${features[j]}, by the texts ${wanted[name]}`);
            });
            seen.passages++;
            if (wanted.secondHop > 0) seen.hops++;
            if (wanted.bridgeWindow > 0 && wanted.secondHopDefines > 0) seen.bridges++;
            if (wanted.graphScore === 0 && wanted.wordScore === 0) seen.alone++;
          }
          expect(context).toEqual(contextOf(texts, question, options));
          const [best] = await fused.retrieve(question, { ...asked, k: 1, explain: true });
          if (candidates.length > 0) expect(best.evidence!.fusion !== undefined).toBe(plain.hasSources);
          seen.segments = Math.max(seen.segments, fused.stats().segments);
          seen.deleted = Math.max(seen.deleted, fused.stats().deadPassages);
        }),
        runs(RUNS),
      );
      expect(seen.passages).toBeGreaterThan(4 * runs(RUNS).numRuns!);
      expect(Math.min(seen.hops, seen.bridges)).toBeGreaterThan(runs(RUNS).numRuns! / 4);
      expect(Math.min(seen.segments, seen.deleted, seen.alone)).toBeGreaterThan(1);
    },
    patience(RUNS),
  );

  it(
    "has the cosines of its passages' vectors by the best one's, and no passage without them, a word, the graph or a bridge",
    async () => {
      await fc.assert(
        fc.asyncProperty(corpus, question, vector, pool, async (entries, question, asked, pool) => {
          const index = await TriGraph.create({ analyzer, ranking: { fusion: { ...MODEL, pool }, epsilon: 1e-3 } });
          await index.upsert(entries.map(({ passage, vector }) => ({ ...passage, vector })));
          const { candidates } = await index.candidates(question, { vector: asked });
          const cosines = entries.map(({ passage, vector }) => ({ id: passage.id, score: cosine(vector, asked) }));
          const list = cosines
            .filter(({ score }) => score > 1e-6)
            .sort((a, b) => (Math.abs(a.score - b.score) < 1e-6 ? (a.id < b.id ? -1 : 1) : b.score - a.score))
            .slice(0, pool.vectors);
          for (const { id } of list) expect(candidates.map((candidate) => candidate.id)).toContain(id);
          for (const { id, features } of candidates) {
            const own = Math.max(0, cosines.find((other) => other.id === id)!.score);
            const isListed = list.some((other) => other.id === id);
            const rank = isListed ? list.filter(({ score }) => score > own + 1e-6).length : pool.vectors;
            const feature = (name: (typeof FUSION_FEATURES)[number]) => features[FUSION_FEATURES.indexOf(name)];
            expect(feature("vectorScore")).toBeCloseTo(isListed ? own / list[0].score : 0, 5);
            expect(feature("vectorRank")).toBeCloseTo(Math.log1p(rank), 12);
            const why = [feature("graphScore"), feature("wordScore"), feature("vectorScore"), feature("secondHop")];
            expect(Math.max(...why)).toBeGreaterThan(0);
          }
        }),
        runs(RUNS),
      );
    },
    patience(RUNS),
  );
});

function contextOf(texts: RawTexts, question: string, options: RankingOptions): Float64Array {
  const seeds = texts.seeds(question, options).map(({ name }) => texts.occurrences(name, texts.visible[0]));
  const degrees = seeds.map(({ passages }) => Math.log(passages));
  const count = Math.max(1, seeds.length);
  const context = {
    seeds: seeds.length,
    noSeed: seeds.length === 0 ? 1 : 0,
    meanSeedDegree: degrees.reduce((sum, degree) => sum + degree, 0) / count,
    leastSeedDegree: degrees.length === 0 ? 0 : Math.min(...degrees),
    definedSeeds: seeds.filter(({ definitions }) => definitions > 0).length / count,
    questionLength: Math.log(analyzer.analyze(question).tokens.length + 1),
  };
  return Float64Array.from(FUSION_CONTEXT, (name) => context[name]);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, x, i) => sum + x * b[i], 0);
  return product / (Math.hypot(...a) * Math.hypot(...b) || 1);
}
