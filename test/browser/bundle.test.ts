// What a page loads: a bound on a size that is the same everywhere, some percent above what it is.
import { expect, test } from "vitest";
import { bundleSize } from "./site.js";

test("core and web without the tagger's model, of 3.6 MB, are some 240 kB, 85 kB compressed", async () => {
  const all = `export * from "@trigraph/core"; export * from "@trigraph/core/web"`;
  const { minified, gzipped } = await bundleSize(all, ["wink-eng-lite-web-model"]);
  expect(minified).toBeGreaterThan(200_000);
  expect(minified).toBeLessThan(280_000);
  expect(gzipped).toBeLessThan(95_000);
});
