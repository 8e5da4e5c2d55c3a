import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "example-llamaindex",
    include: ["test/**/*.test.ts"],
    // Starts a process that loads LlamaIndex: seconds on a busy machine.
    testTimeout: 60_000,
  },
});
