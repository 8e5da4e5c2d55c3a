import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "example-edge",
    include: ["test/**/*.test.ts"],
    // It starts a runtime of its own: seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
