import { expect, it } from "vitest";
import { PowerDirectory } from "../src/directories/power.js";
import { soakPower } from "../src/power.js";
import { Random } from "../src/random.js";
import { SILENT } from "../src/report.js";

it("an index survives power failing amid every operation of its histories", async () => {
  const figures = await soakPower({ seed: 1, histories: 3, steps: 4, samples: 0 }, SILENT);
  expect(figures.histories).toBe(3);
  expect(figures.moments).toBeGreaterThan(40);
  expect(figures.keptUnacknowledged).toBeGreaterThan(10);
});

it("a folder whose power fails keeps what was synced, and the rest in any part", async () => {
  const disk = new PowerDirectory(1, new Map([["old", Uint8Array.of(1)]]));
  const bytes = new Uint8Array(300).fill(7);
  await disk.write("new", [bytes]);
  await disk.replace("old", "older");
  const texts = new Set<string>();
  const random = new Random(1);
  for (let i = 0; i < 200; i++) {
    const files = disk.survivors(random);
    const kept = files.get("new");
    texts.add([files.has("old"), files.has("older"), kept?.length === 300, kept?.every((byte) => byte === 7)].join());
  }
  // Either name, both or none; and of the new file nothing, a part, holes, or all.
  expect(texts.size).toBeGreaterThanOrEqual(16);
  expect([...disk.survivors("least")]).toEqual([["old", Uint8Array.of(1)]]);
  await disk.sync(["new"]);
  for (const chance of ["least", "most", random] as const) {
    expect(disk.survivors(chance)).toEqual(
      new Map([
        ["new", bytes],
        ["older", Uint8Array.of(1)],
      ]),
    );
  }
});
