import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "example-langchain",
    include: ["test/**/*.test.ts"],
    // Each starts the program: seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
