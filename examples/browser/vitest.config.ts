import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "example-browser",
    include: ["test/**/*.test.ts"],
    // It starts a browser: seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
