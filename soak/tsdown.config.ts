import { defineConfig } from "tsdown";
import { program } from "../tsdown.base.js";

export default defineConfig(
  program({
    main: "src/main.ts",
    "kills-writer": "src/kills-writer.ts",
    "fuzz-worker": "src/fuzz-worker.ts",
    reader: "src/reader.ts",
  }),
);
