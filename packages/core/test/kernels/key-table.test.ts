import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distinctKeys, KeyTable } from "../../src/segment/key-table.js";
import { finish } from "../../src/steps.js";
import { runs } from "./runs.js";

/** Spread keys, clustered ones, and the ends of the range. */
const keys = fc.array(fc.oneof(fc.maxSafeNat(), fc.nat(20), fc.constantFrom(0, 1, 2 ** 52, 2 ** 53 - 2, 2 ** 53 - 1)), {
  maxLength: 40,
  size: "max",
});

describe("KeyTable", () => {
  it("finds the first of equal keys, and no others", () => {
    fc.assert(
      fc.property(keys, keys, (list, probes) => {
        const sorted = Float64Array.from(list).sort();
        const table = new KeyTable(sorted);
        expect(table.size).toBe(list.length);
        for (const key of [...list, ...probes, 0, 2 ** 53 - 1]) expect(table.find(key)).toBe(sorted.indexOf(key));
      }),
      runs(500),
    );
  });

  it("may be empty, or hold one key", () => {
    expect(new KeyTable(new Float64Array(0)).find(5)).toBe(-1);
    for (const key of [0, 5, 2 ** 53 - 1]) {
      const table = new KeyTable(Float64Array.of(key));
      expect(table.find(key)).toBe(0);
      expect(table.find(key === 0 ? 1 : key - 1)).toBe(-1);
    }
  });
});

describe("distinctKeys", () => {
  it("is the set, sorted; its argument stays as it is", () => {
    fc.assert(
      fc.property(keys, (list) => {
        const given = Float64Array.from(list);
        expect([...finish(distinctKeys(given))]).toEqual([...new Set(list)].sort((a, b) => a - b));
        expect([...given]).toEqual(list);
      }),
      runs(200),
    );
  });
});
