import { expect, it } from "vitest";
import { soakFaults } from "../src/faults.js";
import { SILENT } from "../src/report.js";

it("every fault of every operation reaches the caller, and the index goes on", async () => {
  const figures = await soakFaults({ seed: 2, histories: 1, steps: 3 }, SILENT);
  for (const operation of ["list", "size", "read", "write", "sync", "createExclusive", "remove"]) {
    expect(figures.faults[`fail ${operation}`], operation).toBeGreaterThan(0);
  }
  for (const kind of ["short write", "full write", "late createExclusive", "late sync", "vanish read"]) {
    expect(figures.faults[kind], kind).toBeGreaterThan(0);
  }
  expect(figures.reported.STORAGE).toBeGreaterThan(40);
});
