import { expect, it } from "vitest";
import { sealManifest, openSegment, parseManifest, sealSegment } from "../src/formats.js";
import { Fuzzer } from "../src/fuzz.js";
import { soakFuzz } from "../src/fuzz-run.js";
import { MUTATIONS } from "../src/mutations.js";
import { SILENT } from "../src/report.js";

it("mutated indexes are refused, or harmless, or found by the check", async () => {
  const figures = await soakFuzz({ seed: 1, first: 0, count: 300 }, SILENT);
  expect(figures.mutations).toBeGreaterThan(250);
  for (const { name, isForged } of MUTATIONS) {
    if (!isForged) expect(figures.refused[name], name).toBeDefined();
  }
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
  expect(sum(figures.harmless)).toBeGreaterThan(20);
  expect(sum(figures.foundByCheck)).toBeGreaterThan(0);
  expect(figures.earlierCommit["creation broken off"]).toBeGreaterThan(0);
});

it("files are taken apart and put together as the index writes them", async () => {
  const fuzzer = await Fuzzer.create(1);
  for (const { files } of fuzzer.bases) {
    for (const [name, bytes] of files) {
      if (name.endsWith(".json")) expect(sealManifest(parseManifest(bytes))).toEqual(bytes);
      if (name.endsWith(".seg")) expect(sealSegment(bytes, openSegment(bytes))).toEqual(bytes);
    }
  }
  expect(fuzzer.bases.flatMap(({ files }) => [...files.keys()]).some((name) => name.endsWith(".dead"))).toBe(true);
});
