/**
 * What a push that stops early promises. With p the scores before a node's own residual is added, ρ the
 * residuals and pr(s) the exact solution from a reset s, every step keeps p + pr(ρ) = x. The scores given are
 * p + (1 − d) ρ, so x − score = pr(ρ) − (1 − d) ρ = d P pr(ρ): not negative, at most d · D(v) · max ρ / D, and
 * in total d · Σ ρ, or less where mass is lost at nodes without weight.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { push } from "../../src/pagerank/push.js";
import { corpora, type NamedCorpus, readerOf, vectorOf } from "../spec/corpora.js";
import { containMatrix, pageRankSpec, passageCounts, visibility } from "../spec/equations.js";
import { resetOf } from "./reset.js";
import { runs } from "./runs.js";

interface Case {
  readonly corpus: NamedCorpus;
  readonly passages: readonly number[];
  readonly entities: readonly number[];
  readonly damping: number;
  readonly epsilon: number;
  readonly definitionWeight: number;
}

const cases: fc.Arbitrary<Case> = corpora.chain((corpus) => {
  const n = passageCounts(corpus);
  const visible = visibility(corpus);
  const masses = (length: number) => fc.array(fc.constantFrom(0, 0, 1, 2, 5), { minLength: length, maxLength: length });
  return fc
    .record({
      corpus: fc.constant(corpus),
      passages: masses(visible.length).map((list) => list.map((mass, p) => mass * visible[p])),
      entities: masses(n.length).map((list) => list.map((mass, e) => (n[e] === 0 ? 0 : mass))),
      damping: fc.constantFrom(0.3, 0.5, 0.7, 0.85),
      epsilon: fc.constantFrom(1e-6, 1e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.5),
      definitionWeight: fc.constantFrom(0, 1, 8),
    })
    .map((instance) => {
      const total = [...instance.passages, ...instance.entities].reduce((sum, mass) => sum + mass, 0);
      const scaled = (list: readonly number[]) => list.map((mass) => (total === 0 ? 0 : mass / total));
      return { ...instance, passages: scaled(instance.passages), entities: scaled(instance.entities) };
    });
});

/** Masses above 0 by name. */
function named(masses: readonly number[], names: readonly number[]): Map<number, number> {
  return new Map(masses.flatMap((mass, i) => (mass > 0 ? [[names[i], mass] as const] : [])));
}

async function solve({ corpus, passages, entities, damping, epsilon, definitionWeight }: Case) {
  const { passageNumbers, entityKeys } = corpus;
  const graph = readerOf(corpus, { hubDegree: Infinity, candidates: [] });
  const reset = await resetOf(graph, named(passages, passageNumbers), named(entities, entityKeys));
  const result = await push(graph, reset, { damping, epsilon, definitionWeight });
  const exact = pageRankSpec(corpus, { passages, entities }, damping, definitionWeight);
  const sides = [
    { ...result.passages, names: passageNumbers, mass: passages },
    { ...result.entities, names: entityKeys, mass: entities },
  ];
  return {
    result,
    x: [...exact.passages, ...exact.entities],
    D: [...exact.passageDegrees, ...exact.entityDegrees],
    scores: sides.flatMap(({ nodes, scores, names }) => vectorOf(nodes, scores, names)),
    residuals: sides.flatMap(({ nodes, residuals, names }) => vectorOf(nodes, residuals, names)),
  };
}

const ROUNDING = 1e-12;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

describe("push", { timeout: 60_000 }, () => {
  it("is below the exact solution by no more than the residuals allow", async () => {
    let inexact = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (instance) => {
        const { result, x, D, scores, residuals } = await solve(instance);
        const { damping } = instance;
        const left = residuals.map((residual, u) => (D[u] > 0 ? residual / D[u] : 0));
        const worst = Math.max(0, ...left);
        if (worst > 1e-6) inexact++;
        x.forEach((value, v) => {
          expect(value - scores[v]).toBeGreaterThanOrEqual(-ROUNDING);
          expect(value - scores[v]).toBeLessThanOrEqual(damping * D[v] * worst + ROUNDING);
        });
        const error = sum(x) - sum(scores);
        expect(Math.abs(result.residual - sum(residuals))).toBeLessThan(ROUNDING);
        expect(error).toBeLessThanOrEqual(damping * result.residual + ROUNDING);
        // Where a node with residual leads nowhere its mass is lost; otherwise the bound is the error.
        const isWhole = x.every((value, v) => D[v] > 0 || value === 0);
        if (isWhole) expect(Math.abs(error - damping * result.residual)).toBeLessThan(ROUNDING);
      }),
      { ...runs(400), unbiased: true },
    );
    expect(inexact).toBeGreaterThan(100);
  });

  it("leaves no residual above ε times the edges, and walks at most 1 / (ε (1 − d)) edges", async () => {
    let walked = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (instance) => {
        const { corpus, damping, epsilon } = instance;
        const { result, residuals } = await solve(instance);
        const edges = [...containMatrix(corpus).map(sum), ...passageCounts(corpus)];
        residuals.forEach((residual, v) => {
          expect(residual).toBeGreaterThanOrEqual(0);
          expect(residual).toBeLessThanOrEqual(epsilon * edges[v]);
        });
        expect(result.edges).toBeLessThanOrEqual((1 / (epsilon * (1 - damping))) * (1 + ROUNDING));
        expect(result.converged).toBe(true);
        walked += result.edges;
      }),
      { ...runs(400), unbiased: true },
    );
    expect(walked).toBeGreaterThan(1000);
  });
});
