import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // One pool of workers for all packages: cores are shared, not fought over. vitest would leave one to itself, which on
    // two cores is half of them: 625 s instead of 402.
    maxWorkers: "100%",
    projects: [
      "packages/*/vitest.config.ts",
      "examples/*/vitest.config.ts",
      "bench/vitest.config.ts",
      "soak/vitest.config.ts",
      "test/vitest.config.ts",
    ],
  },
});
