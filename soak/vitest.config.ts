import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "soak",
    include: ["test/**/*.test.ts"],
    testTimeout: 240_000,
  },
});
