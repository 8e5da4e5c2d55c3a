import { expect, test } from "vitest";
import { countWords, spread } from "../src/measures.js";

test("spread", () => {
  expect(spread([5, 1, 3])).toEqual({ min: 1, median: 3, max: 5 });
});

test("words are what stands between spaces", () => {
  expect(["", "one", "one two  three"].map(countWords)).toEqual([0, 1, 4]);
});
