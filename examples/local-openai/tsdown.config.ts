import { defineConfig } from "tsdown";
import { program } from "../../tsdown.base.js";

export default defineConfig({ ...program({ index: "src/index.ts" }), dts: true });
