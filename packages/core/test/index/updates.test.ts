import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { history, live, ranking, type Setting } from "./update-model.js";
import { patience, runs } from "./world.js";

const RUNS = 48;

// Breaks for other work are a millisecond each by timer; there are tens of thousands here.
beforeAll(() => {
  vi.stubGlobal("setTimeout", (callback: () => void) => setImmediate(callback));
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe("an index after any history equals a fresh build of what is left", () => {
  let states = 0;

  it.each<[string, Partial<Setting>, fc.Arbitrary<Setting["ranking"]>, count?: number]>([
    // The default ε pushes long in so small a graph.
    ["as it is set by default", {}, fc.constant({}), RUNS / 3],
    ["with small hubs and few candidates", {}, fc.constant({ hubDegree: 2, candidates: 2, epsilon: 1e-3 })],
    ["propagating by the maximum", {}, fc.constant({ propagation: "max", activationThreshold: 0.01, epsilon: 1e-3 })],
    ["with vectors", { hasVectors: true }, ranking],
    ["in a directory, with any settings", { isStored: true }, ranking],
  ])(
    "%s",
    async (_name, setting, rankings, count = RUNS) => {
      await fc.assert(
        fc.asyncProperty(history, rankings, async (history, ranking) => {
          states += await live(history, { hasVectors: false, isStored: false, ...setting, ranking });
        }),
        runs(count),
      );
    },
    patience(RUNS),
  );

  it("was compared in five thousand states", () => {
    expect(states).toBeGreaterThanOrEqual(5_000 * Number(process.env.TRIGRAPH_RUNS ?? 1));
  });
});
