import { expect, it } from "vitest";
import { soakReaders } from "../src/readers.js";
import { SILENT } from "../src/report.js";

it("readers in the process, in a thread and in another process see commits, and none goes back", async () => {
  const figures = await soakReaders({ seed: 1, seconds: 3, threads: 1, processes: 1 }, SILENT);
  expect(figures.commits).toBeGreaterThan(1);
  expect(figures.byThreads).toBeGreaterThan(0);
  expect(figures.byProcesses).toBeGreaterThan(0);
  expect(figures.bySameIndex).toBeGreaterThan(0);
});
