import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "demo",
    include: ["test/**/*.test.ts"],
    // Each starts a language model, some a process: seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
