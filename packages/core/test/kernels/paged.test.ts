import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PagedCounts } from "../../src/index/paged.js";
import { runs } from "./runs.js";

/** Around the ends of pages, and anywhere. */
const index = fc.oneof(fc.constantFrom(0, 1, 1023, 1024, 2047, 2048), fc.nat(5000));

const change = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), index, amount: fc.nat(1000) }),
  fc.record({ kind: fc.constant("bit" as const), index: fc.nat(5000 * 32 + 31), amount: fc.constant(0) }),
);

const SIZE = 5001;

describe("PagedCounts", () => {
  it("is an array in versions: an edit changes no earlier one", () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 8 }), { maxLength: 5 }), (edits) => {
        const versions = [{ counts: PagedCounts.EMPTY, expected: new Uint32Array(SIZE) }];
        for (const changes of edits) {
          const { counts, expected } = versions[versions.length - 1];
          const draft = counts.edit();
          const next = expected.slice();
          for (const { kind, index, amount } of changes) {
            if (kind === "add") {
              draft.add(index, amount);
              next[index] += amount;
            } else {
              draft.setBit(index);
              next[Math.floor(index / 32)] |= 2 ** (index % 32);
            }
          }
          versions.push({ counts: draft.freeze(), expected: next });
        }
        const touched = [0, 1, 1023, 1024, SIZE - 1, ...edits.flat().map(({ index }) => index)].filter((i) => i < SIZE);
        for (const { counts, expected } of versions) {
          for (const i of touched) expect(counts.get(i)).toBe(expected[i]);
        }
        const { counts, expected } = versions[versions.length - 1];
        expect(expected.findIndex((count, i) => counts.get(i) !== count)).toBe(-1);
      }),
      runs(100),
    );
  });

  it("lets two edits of one version go their own ways", () => {
    const draft = PagedCounts.EMPTY.edit();
    draft.add(3, 1);
    const base = draft.freeze();
    const [left, right] = [base.edit(), base.edit()];
    left.add(3, 10);
    right.add(3, 100);
    expect([base, left.freeze(), right.freeze()].map((counts) => counts.get(3))).toEqual([1, 11, 101]);
  });
});
