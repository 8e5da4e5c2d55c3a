import { defineConfig } from "vitest/config";
import { pageFiles } from "./page-files.js";

export default defineConfig({
  plugins: [pageFiles()],
  test: {
    name: "explorer",
    include: ["test/**/*.test.ts"],
    // A browser starts: seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
