import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "evaluation",
    include: ["test/**/*.test.ts"],
    // Frameworks take seconds to load on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
