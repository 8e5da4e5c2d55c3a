import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type * as Defaults from "../../src/defaults.js";
import { TriGraph } from "../../src/index.js";
import { history, live, ranking, type Setting } from "./update-model.js";
import { patience, runs } from "./world.js";

const RUNS = 68;

// A segment of one or two passages, merged by threes into size classes that begin at once, all but the smallest in the
// background.
vi.mock("../../src/defaults.js", async (original) => ({
  ...(await original<typeof Defaults>()),
  SEGMENT_TOKENS: 20,
  MERGE_FACTOR: 3,
  SMALLEST_TIER_TOKENS: 30,
  SMALL_MERGE_TOKENS: 60,
  MAX_SEGMENTS: 8,
}));

beforeAll(() => {
  vi.stubGlobal("setTimeout", (callback: () => void) => setImmediate(callback));
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe("an index of many small segments after any history equals a fresh build of what is left", () => {
  let states = 0;

  it.each<[string, Partial<Setting>, fc.Arbitrary<Setting["ranking"]>]>([
    ["with small hubs and few candidates", {}, fc.constant({ hubDegree: 2, candidates: 2, epsilon: 1e-3 })],
    ["in memory, with any settings", {}, ranking],
    ["in a directory, with vectors and any settings", { isStored: true, hasVectors: true }, ranking],
  ])(
    "%s",
    async (_name, setting, rankings) => {
      await fc.assert(
        fc.asyncProperty(history, rankings, async (history, ranking) => {
          states += await live(history, { hasVectors: false, isStored: false, ...setting, ranking });
        }),
        runs(RUNS),
      );
    },
    patience(RUNS),
  );

  it("was compared in five thousand states, each of several segments", async () => {
    expect(states).toBeGreaterThanOrEqual(5_000 * Number(process.env.TRIGRAPH_RUNS ?? 1));
    const index = await TriGraph.create();
    await index.upsert(
      Array.from({ length: 8 }, (_, i) => ({ id: `${i}`, text: "Ada Quill met Bram Stone. ".repeat(2 + i) })),
    );
    expect(index.stats().segments).toBeGreaterThan(1);
  });
});
