import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCorpus } from "../src/corpora.js";
import { ADDED, measurePhase, type Phase, type PhaseReport, PHASES } from "../src/storage-speed.js";

test("an index goes through all phases, each on what the one before has left", { timeout: 60_000 }, async () => {
  const { questions, ...corpus } = openCorpus({ kind: "generated", passages: 2500 }, undefined, 1);
  const folder = await mkdtemp(join(tmpdir(), "trigraph-bench-"));
  const reports = {} as Record<Phase, PhaseReport>;
  for (const phase of PHASES) {
    reports[phase] = await measurePhase(phase, { ...corpus, questions: questions.slice(0, 5) }, folder);
  }
  await rm(folder, { recursive: true });

  for (const phase of PHASES) expect(reports[phase].took, phase).toBeGreaterThan(0);
  for (const phase of PHASES.slice(1)) expect(reports[phase].longestWait, phase).toBeGreaterThan(0);
  const { open, add, delete: deleted, merge, background } = reports;
  expect(open.segments).toBeGreaterThan(1);
  expect(add.diskBytes).toBeGreaterThan(open.diskBytes);
  expect(merge.segments).toBe(1);
  // 2,340 of 2,600 passages are left, then 1,053.
  expect(merge.diskBytes).toBeLessThan(deleted.diskBytes);
  expect(background.diskBytes / merge.diskBytes).toBeGreaterThan(0.4);
  expect(background.diskBytes / merge.diskBytes).toBeLessThan(0.6);
  expect(add.each!.max).toBeGreaterThanOrEqual(add.took / ADDED);
});
