import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "workspace",
    include: ["**/*.test.ts"],
    exclude: ["node_modules/**", ".tmp/**"],
    // They start processes that load frameworks and compilers: seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
