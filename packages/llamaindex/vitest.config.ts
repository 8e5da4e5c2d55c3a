import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "llamaindex",
    include: ["test/**/*.test.ts"],
    // One load of LlamaIndex for all files: they leave its Settings as they were.
    isolate: false,
    // Loading LlamaIndex alone takes seconds on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
