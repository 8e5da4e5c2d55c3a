import { describe, expect, it } from "vitest";
import { personalizedPageRank, type WeightedGraph } from "../../src/pagerank/power-iteration.js";
import { push } from "../../src/pagerank/push.js";
import { solveExactly } from "../../src/pagerank/exact.js";
import { vectorOf } from "../spec/corpora.js";
import { ListReader } from "../spec/list-reader.js";
import golden from "./pagerank-golden.json" with { type: "json" };
import { resetOf } from "./reset.js";

type Case = (typeof golden.cases)[number];
type BipartiteCase = Case & { readonly passages: number; readonly counts: readonly number[] };

const DAMPINGS = [0.5, 0.7, 0.85] as const;

const EVERY = golden.cases.flatMap((instance) =>
  DAMPINGS.map((damping) => ({ name: instance.name, instance, damping, ranks: instance.scores[`${damping}`] })),
);

function graphOf({ nodes, directed, from, to, weights }: Case): WeightedGraph {
  const edges = from.flatMap((u, i) => {
    const edge = { u, v: to[i], w: weights[i] };
    return directed ? [edge] : [edge, { u: edge.v, v: edge.u, w: edge.w }];
  });
  const rows = Array.from({ length: nodes }, (_, node) => edges.filter(({ u }) => u === node));
  const indptr = [0];
  for (const row of rows) indptr.push(indptr[indptr.length - 1] + row.length);
  return {
    indptr: Uint32Array.from(indptr),
    indices: Uint32Array.from(rows.flat(), ({ v }) => v),
    data: Float64Array.from(rows.flat(), ({ w }) => w),
  };
}

function resetMass({ reset }: Case): Float64Array {
  const total = reset.reduce((sum, mass) => sum + mass, 0);
  return Float64Array.from(reset, (mass) => mass / total);
}

/** Divided by their sum, the scores are igraph's. */
function expectRanks(scores: ArrayLike<number>, ranks: readonly number[]): void {
  const values = Array.from(scores);
  const total = values.reduce((sum, score) => sum + score, 0);
  values.forEach((score, v) => {
    expect(Math.abs(score / total - ranks[v]), `node ${v}`).toBeLessThan(1e-9);
  });
}

describe("personalised PageRank is igraph's", () => {
  it.each(EVERY)("power iteration: $name, d = $damping", ({ instance, damping, ranks }) => {
    const options = { damping, tolerance: 1e-14, maxIterations: 1000 };
    const { scores, converged, residual } = personalizedPageRank(graphOf(instance), resetMass(instance), options);
    expect(converged).toBe(true);
    expect(residual).toBeLessThan(1e-14);
    expectRanks(scores, ranks);
    // Not yet divided: all mass, but for what goes on from nodes that lead nowhere.
    const { indptr } = graphOf(instance);
    const lost = scores.reduce((sum, score, u) => (indptr[u] === indptr[u + 1] ? sum + damping * score : sum), 0);
    const total = scores.reduce((sum, score) => sum + score, 0);
    expect((total * (1 - damping) + lost) / (1 - damping)).toBeCloseTo(1, 12);
  });

  it.each(EVERY.filter(({ instance }) => "counts" in instance))(
    "push and the exact solver: $name, d = $damping",
    async ({ instance, damping, ranks }) => {
      const { passages, nodes, from, to, counts } = instance as BipartiteCase;
      // Entity keys that are in another order than their numbers.
      const keyOf = (entity: number) => 1e9 - entity * 977;
      const graph = new ListReader(
        Array.from({ length: passages }, (_, p) => {
          const entities = counts.flatMap((n, i) => (from[i] === p ? Array<number>(n).fill(keyOf(to[i])) : []));
          return { id: p, sentences: [{ id: p, entities, sigma: 1, words: 0 }], defines: [], visible: true };
        }),
        { hubDegree: Infinity, candidates: [] },
      );
      const passageNumbers = Array.from({ length: passages }, (_, p) => p);
      const entityKeys = Array.from({ length: nodes - passages }, (_, e) => keyOf(passages + e));
      const mass = resetMass(instance);
      const reset = await resetOf(
        graph,
        new Map(passageNumbers.map((p) => [p, mass[p]])),
        new Map(entityKeys.map((key, e) => [key, mass[passages + e]])),
      );
      const pushed = await push(graph, reset, { damping, epsilon: 1e-13, definitionWeight: 8 });
      expectRanks(
        [
          ...vectorOf(pushed.passages.nodes, pushed.passages.scores, passageNumbers),
          ...vectorOf(pushed.entities.nodes, pushed.entities.scores, entityKeys),
        ],
        ranks,
      );
      const options = { damping, definitionWeight: 8, tolerance: 1e-14, maxIterations: 1000 };
      const exact = await solveExactly(graph, reset, options);
      expectRanks(
        [
          ...vectorOf(exact.passages.nodes, exact.passages.scores, passageNumbers),
          ...vectorOf(exact.entities.nodes, exact.entities.scores, entityKeys),
        ],
        ranks,
      );
    },
  );

  it("says when it stopped too early, and by how much all scores still changed", () => {
    const [instance] = golden.cases;
    const run = (maxIterations: number) =>
      personalizedPageRank(graphOf(instance), resetMass(instance), { damping: 0.85, tolerance: 1e-14, maxIterations });
    const [before, after] = [run(3), run(4)];
    expect(after).toMatchObject({ iterations: 4, converged: false });
    const change = after.scores.reduce((sum, score, v) => sum + Math.abs(score - before.scores[v]), 0);
    expect(after.residual).toBeCloseTo(change, 15);
    expect(after.residual).toBeGreaterThan(1e-3);
  });
});
