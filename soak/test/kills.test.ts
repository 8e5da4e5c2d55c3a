import { expect, it } from "vitest";
import { soakKills } from "../src/kills.js";
import { SILENT } from "../src/report.js";

it("an index survives SIGKILL at operations and at any time", async () => {
  const figures = await soakKills({ seed: 3, kills: 8 }, SILENT);
  expect(figures.kills).toBe(8);
  expect(figures.byOperation).toBeGreaterThan(0);
  expect(figures.byClock).toBeGreaterThan(0);
  expect(figures.acknowledged).toBeGreaterThan(8);
  expect(figures.amidStep).toBeGreaterThan(0);
});
