import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "langchain",
    include: ["test/**/*.test.ts"],
  },
});
