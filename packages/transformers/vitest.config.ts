import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "transformers",
    include: ["test/**/*.test.ts"],
    // Each file loads the ONNX runtime, some start processes: seconds on a busy machine.
    testTimeout: 30_000,
  },
});
