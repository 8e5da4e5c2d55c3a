import { defineConfig } from "tsdown";
import { library } from "../../tsdown.base.js";
import { prebuiltIndex } from "./src/prebuilt-index.js";

const { plugins, ...base } = library({ handler: "src/handler.ts" });

// One ES module with all that it needs, as platforms at the edge load it. The build fails if it reaches Node's modules.
export default defineConfig({
  ...base,
  format: ["esm"],
  platform: "browser",
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./] },
  plugins: [plugins, prebuiltIndex(new URL("../demo/data/corpus.jsonl", import.meta.url))],
});
