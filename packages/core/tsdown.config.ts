import { defineConfig } from "tsdown";
import { library } from "../../tsdown.base.js";

export default defineConfig(
  library({
    index: "src/index.ts",
    node: "src/node.ts",
    web: "src/web.ts",
    "english-worker": "src/workers/english-worker.ts",
  }),
);
