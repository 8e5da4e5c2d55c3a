import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold } from "../../src/text/fold.js";

describe("fold", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("is idempotent on every character of the basic plane, alone and after a letter", () => {
    const changing: string[] = [];
    for (let unit = 0; unit < 0x10000; unit++) {
      for (const text of [String.fromCharCode(unit), `A${String.fromCharCode(unit)}`]) {
        const once = fold(text);
        if (fold(once) !== once) changing.push(text);
      }
    }
    expect(changing).toEqual([]);
  });

  it("folds each character of its fast path as the slow path does", () => {
    const differing: string[] = [];
    for (let unit = 0; unit < 0x10000; unit++) {
      const character = String.fromCharCode(unit);
      // A capital with an accent forces the slow path and is folded to two known letters.
      // Marks, and what folds to one, belong to the letter before.
      if (/\p{M}/u.test(fold(character))) continue;
      if (fold(`É${character}`) !== `e${fold(character)}`) differing.push(character);
    }
    expect(differing).toEqual([]);
  });
});
