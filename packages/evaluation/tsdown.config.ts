import { defineConfig } from "tsdown";
import { library, program } from "../../tsdown.base.js";

export default defineConfig([
  // Its CommonJS build asks for its own place, to load what has no ES module that works.
  { ...library({ index: "src/index.ts", node: "src/node.ts" }), platform: "node" },
  { ...program({ cli: "src/cli/main.ts" }), clean: false },
]);
