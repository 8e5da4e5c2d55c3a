import { defineConfig } from "tsdown";
import { library } from "../../tsdown.base.js";
import { pageFiles } from "./page-files.js";

const built = library({ index: "src/index.ts" });

export default defineConfig({ ...built, plugins: [built.plugins, pageFiles()] });
