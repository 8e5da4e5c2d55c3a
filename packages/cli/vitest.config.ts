import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "cli",
    include: ["test/**/*.test.ts"],
    // Some start a process: seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
