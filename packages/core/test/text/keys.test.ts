import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { stableKey } from "../../src/text/keys.js";

/** From Python: `(mmh3.hash(n, 0, signed=False) >> 11) << 32 | mmh3.hash(n, 0x9747B28C, signed=False)` (mmh3 5). */
const GOLDEN: readonly (readonly [string, number])[] = [
  ["", 3954623016],
  ["a", 2116205542416038],
  ["ab", 5479942138058130],
  ["abc", 6328457282347741],
  ["abcd", 2389981532751399],
  ["abcde", 8184162877290546],
  ["abcdef", 3430718205669573],
  ["abcdefg", 4793405757583280],
  ["abcdefgh", 2598944018425572],
  ["abcdefghi", 2324917546895928],
  ["theodred ii", 4036147421810423],
  ["bishop of elmham", 4562944823268978],
  ["king williams college", 3530718698630067],
  ["j r r tolkien", 538961060393945],
  ["z\u00fcrich", 2627809922083917],
  ["\u6771\u4eac", 5303915608852078],
  ["\ud55c\uad6d", 266974034422270],
  ["\u043c\u043e\u0441\u043a\u0432\u0430", 1402726706990229],
  ["\u0e44\u0e17\u0e22", 6432506599402418],
  ["\ud83d\ude00", 6709792505596975],
  ["a\ud83d\ude00b", 6553694040068363],
  ["\u0645\u0635\u0631", 2879698857562325],
  ["\u0939\u093f\u0928\u094d\u0926\u0940", 1253223501663091],
  ["x".repeat(255), 5926257268674562],
  ["x".repeat(256), 2336141742813994],
  ["x".repeat(257), 1898138283782288],
  ["\u00e9".repeat(300), 8442022390168964],
  ["\u0000", 2860676543659688],
  ["\u007f", 3009613680403747],
  ["\u0080", 2659456114555549],
  ["\u07ff", 4948895350318157],
  ["\u0800", 4315009694219262],
  ["\uffff", 2226922524152563],
  ["\ud800\udc00", 3439476880722483],
  ["\udbff\udfff", 1540004252605753],
  ["1998", 4603890251903688],
  ["gone with the wind", 5695058217462466],
];

describe("stableKey", () => {
  it.each(GOLDEN)("equals mmh3 on %j", (name, key) => {
    expect(stableKey(name)).toBe(key);
  });

  it("hashes lone surrogates as U+FFFD", () => {
    expect(stableKey("\ud800")).toBe(6425085834608699);
    expect(stableKey("\udc00")).toBe(6425085834608699);
    expect(stableKey("a\ud83db")).toBe(7156899864177545);
  });

  it("is a safe, non-negative integer and repeatable", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (name) => {
        const key = stableKey(name);
        expect(Number.isSafeInteger(key) && key >= 0).toBe(true);
        expect(stableKey(name)).toBe(key);
        expect(stableKey(new TextDecoder().decode(new TextEncoder().encode(name)))).toBe(key);
      }),
    );
  });

  it("spreads similar names over all its bits", () => {
    const count = 200_000;
    const low = new Float64Array(count);
    const high = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const key = stableKey(`saint ${i % 500} of ${Math.floor(i / 500)}`);
      low[i] = key % 2 ** 32;
      high[i] = Math.floor(key / 2 ** 21);
    }
    // Collisions of n random 32-bit numbers: about n²/2^33 = 4.66, Poisson. 0 to 18 leaves odds of 1e-6 above.
    expect(duplicates(low)).toBeLessThanOrEqual(18);
    expect(duplicates(high)).toBeLessThanOrEqual(18);
    // All 53 bits: expected 2e-6.
    expect(new Set(Array.from(low, (value, i) => `${value} ${high[i]}`)).size).toBe(count);
  });
});

function duplicates(values: Float64Array): number {
  const sorted = values.slice().sort();
  let count = 0;
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) count++;
  return count;
}
