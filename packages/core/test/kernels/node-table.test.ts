import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NodeTable } from "../../src/graph/node-table.js";
import { grown } from "../../src/typed-arrays.js";
import { runs } from "./runs.js";

/** Ids as they come: running numbers, 53-bit keys, and keys that agree in their low or high 32 bits. */
const ids = fc.oneof(
  fc.nat(50),
  fc.maxSafeNat(),
  fc.nat(2 ** 21 - 1).map((high) => high * 2 ** 32 + 7),
  fc.nat(2 ** 31 - 1).map((low) => 5 * 2 ** 32 + low),
  fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1),
);

function expectMap(list: readonly number[], probes: readonly number[]): void {
  const table = new NodeTable();
  const expected = new Map<number, number>();
  for (const id of list) {
    expect(table.find(id)).toBe(expected.get(id) ?? -1);
    if (!expected.has(id)) expected.set(id, expected.size);
    expect(table.add(id)).toBe(expected.get(id));
    expect(table.size).toBe(expected.size);
  }
  for (const id of [...list, ...probes]) expect(table.find(id)).toBe(expected.get(id) ?? -1);
  expect([...table.ids.subarray(0, table.size)]).toEqual([...expected.keys()]);
}

describe("NodeTable", () => {
  it("is a map from ids to the order of their first touch", () => {
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 100, size: "max" }), fc.array(ids, { maxLength: 10 }), expectMap),
      runs(200),
    );
  });

  it.each([
    { what: "running numbers", id: (i: number) => i },
    { what: "keys", id: (i: number) => (i * 4503599627371 + 11) % 2 ** 53 },
    { what: "keys with the same low bits", id: (i: number) => i * 2 ** 32 + 3 },
  ])("outgrows its first buffers: $what", ({ id }) => {
    const table = new NodeTable();
    const list = Array.from({ length: 5000 }, (_, i) => id(i));
    expect(list.map((one) => table.add(one))).toEqual([...list.keys()]);
    expect(list.map((one) => table.find(one))).toEqual([...list.keys()]);
    expect([...table.ids.subarray(0, table.size)]).toEqual(list);
    expect(table.find(id(5000))).toBe(-1);
  });
});

describe("grown", () => {
  it("is a copy of twice the length, or of what is asked for at least", () => {
    const array = Uint32Array.of(3, 1, 2);
    expect(grown(array, Uint32Array)).toEqual(Uint32Array.of(3, 1, 2, 0, 0, 0));
    expect(grown(array, Uint32Array, 8)).toEqual(Uint32Array.of(3, 1, 2, 0, 0, 0, 0, 0));
    expect(array).toEqual(Uint32Array.of(3, 1, 2));
  });
});
