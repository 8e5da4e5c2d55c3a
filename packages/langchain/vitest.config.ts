import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "langchain",
    include: ["test/**/*.test.ts"],
    // Each file loads a language model and LangChain, some start processes: seconds on a busy machine.
    testTimeout: 30_000,
  },
});
