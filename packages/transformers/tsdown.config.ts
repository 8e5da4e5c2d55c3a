import { defineConfig } from "tsdown";
import { library } from "../../tsdown.base.js";

export default defineConfig(
  library({ index: "src/index.ts", langchain: "src/langchain.ts", llamaindex: "src/llamaindex.ts" }),
);
