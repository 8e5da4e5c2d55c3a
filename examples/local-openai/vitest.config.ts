import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "local-openai",
    include: ["test/**/*.test.ts"],
  },
});
