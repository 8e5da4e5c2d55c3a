import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // One pool of workers for all packages: two cores are shared, not fought over.
    projects: [
      "packages/*/vitest.config.ts",
      "examples/*/vitest.config.ts",
      "bench/vitest.config.ts",
      "test/vitest.config.ts",
    ],
  },
});
