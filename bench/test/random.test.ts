import { describe, expect, test } from "vitest";
import { seededRandom, Shuffle, Zipf } from "../src/synthetic/random.js";

describe("Shuffle", () => {
  test.each([1, 2, 3, 10, 1500, 9973])("maps %i numbers onto themselves", (size) => {
    const shuffle = new Shuffle(size, seededRandom(5));
    const images = Array.from({ length: size }, (_, x) => shuffle.apply(x));
    expect(new Set(images).size).toBe(size);
    expect(Math.max(...images)).toBeLessThan(size);
  });
});

describe("Zipf", () => {
  const zipf = new Zipf(1000, 2);

  test("gives shares that sum to 1 and fall with the rank", () => {
    const shares = Array.from({ length: 1000 }, (_, rank) => zipf.share(rank));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
  });

  test("draws ranks as often as their shares say", () => {
    const random = seededRandom(11);
    const counts = new Array<number>(1000).fill(0);
    const draws = 100_000;
    for (let i = 0; i < draws; i++) counts[zipf.draw(random)]++;
    for (const rank of [0, 1, 5, 20]) {
      const expected = draws * zipf.share(rank);
      // Five standard deviations.
      expect(Math.abs(counts[rank] - expected)).toBeLessThan(5 * Math.sqrt(expected));
    }
  });
});

describe("seededRandom", () => {
  test("has independent streams", () => {
    const [a, b, c] = [seededRandom(1), seededRandom(1, 1), seededRandom(1)];
    const first = a.fraction();
    expect(first).toBe(c.fraction());
    expect(first).not.toBe(b.fraction());
  });
});
