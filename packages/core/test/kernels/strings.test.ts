import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparePacked, gatherStrings, packStrings, unpackString } from "../../src/segment/strings.js";
import { finish } from "../../src/steps.js";
import { runs } from "./runs.js";

/** Well-formed strings of any script, short and long, ASCII and not. */
const string = fc.oneof(
  fc.string({ unit: "grapheme-ascii", maxLength: 40, size: "max" }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", "\uFEFFbyte order mark", "\0", "日本語", "🜁🜂", "a".repeat(24), "a".repeat(25), "é".repeat(13)),
);

const lists = fc.array(string, { maxLength: 12 });

function unpackAll({ offsets, bytes }: ReturnType<typeof packStrings>): string[] {
  return Array.from({ length: offsets.length - 1 }, (_, i) => unpackString(offsets, bytes, i));
}

describe("packed strings", () => {
  it("come back as they went in", () => {
    fc.assert(
      fc.property(lists, (list) => {
        const packed = packStrings(list);
        expect(unpackAll(packed)).toEqual(list);
        expect(Buffer.from(packed.bytes).equals(Buffer.from(list.join(""), "utf8"))).toBe(true);
      }),
      runs(500),
    );
  });

  it("compare as their bytes do", () => {
    fc.assert(
      fc.property(lists, lists, (left, right) => {
        const [a, b] = [packStrings(left), packStrings(right)];
        left.forEach((x, i) => {
          right.forEach((y, j) => {
            expect(Math.sign(comparePacked(a, i, b, j))).toBe(Buffer.compare(Buffer.from(x), Buffer.from(y)));
          });
        });
      }),
      runs(200),
    );
  });

  it("are gathered from several packs", () => {
    const picks = fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(lists, { minLength: 1, maxLength: 4 }), picks, (packs, wanted) => {
        const full = packs.filter((list) => list.length > 0);
        const chosen = full.length === 0 ? [] : wanted.map(([p, i]) => [p % full.length, i] as const);
        const places = chosen.map(([p, i]) => [p, i % full[p].length] as const);
        const gathered = finish(
          gatherStrings(
            full.map(packStrings),
            Uint32Array.from(places, ([p]) => p),
            Uint32Array.from(places, ([, i]) => i),
          ),
        );
        expect(unpackAll(gathered)).toEqual(places.map(([p, i]) => full[p][i]));
      }),
      runs(200),
    );
  });

  it("pack more than the first buffer holds", () => {
    const list = Array.from({ length: 50 }, (_, i) => "語".repeat(i * 20));
    expect(unpackAll(packStrings(list))).toEqual(list);
  });
});
