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

async function pushed({ corpus, passages, entities, damping, epsilon, definitionWeight }: Case) {
  const { passageNumbers, entityKeys } = corpus;
  const graph = readerOf(corpus, { hubDegree: Infinity, candidates: [] });
  const reset = await resetOf(graph, named(passages, passageNumbers), named(entities, entityKeys));
  const result = await push(graph, reset, { damping, epsilon, definitionWeight });
  const { passages: p, entities: e } = result;
  return {
    result,
    scores: [...vectorOf(p.nodes, p.scores, passageNumbers), ...vectorOf(e.nodes, e.scores, entityKeys)],
    residuals: [...vectorOf(p.nodes, p.residuals, passageNumbers), ...vectorOf(e.nodes, e.residuals, entityKeys)],
  };
}

const ROUNDING = 1e-12;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

describe("push", () => {
  it("is below the exact solution by no more than the residuals allow", async () => {
    let inexact = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (instance) => {
        const { result, scores, residuals } = await pushed(instance);
        const { corpus, damping, definitionWeight } = instance;
        const exact = pageRankSpec(corpus, instance, damping, definitionWeight);
        const x = [...exact.passages, ...exact.entities];
        const D = [...exact.passageDegrees, ...exact.entityDegrees];
        const left = residuals.map((residual, u) => (D[u] > 0 ? residual / D[u] : 0));
        const worst = Math.max(0, ...left);
        if (worst > 1e-6) inexact++;
        x.forEach((value, v) => {
          const error = value - scores[v];
          const bound = damping * D[v] * worst;
          if (!(error >= -ROUNDING && error <= bound + ROUNDING)) expect.fail(`node ${v}: ${error}, bound ${bound}`);
        });
        const error = sum(x) - sum(scores);
        expect(Math.abs(result.residual - sum(residuals))).toBeLessThan(ROUNDING);
        expect(error).toBeLessThanOrEqual(damping * result.residual + ROUNDING);
        // Where a node with residual leads nowhere its mass is lost; otherwise the bound is the error.
        const isWhole = x.every((value, v) => D[v] > 0 || value === 0);
        if (isWhole) expect(Math.abs(error - damping * result.residual)).toBeLessThan(ROUNDING);
      }),
      { ...runs(250), unbiased: true },
    );
    expect(inexact).toBeGreaterThan(60);
  });

  it("leaves no residual above ε times the edges, and walks at most 1 / (ε (1 − d)) edges", async () => {
    let walked = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (instance) => {
        const { corpus, damping, epsilon } = instance;
        const { result, residuals } = await pushed(instance);
        const edges = [...containMatrix(corpus).map(sum), ...passageCounts(corpus)];
        residuals.forEach((residual, v) => {
          if (!(residual >= 0 && residual <= epsilon * edges[v])) expect.fail(`${residual} at ${edges[v]} edges`);
        });
        expect(result.edges).toBeLessThanOrEqual((1 / (epsilon * (1 - damping))) * (1 + ROUNDING));
        expect(result.converged).toBe(true);
        walked += result.edges;
      }),
      { ...runs(250), unbiased: true },
    );
    expect(walked).toBeGreaterThan(1000);
  });
});
