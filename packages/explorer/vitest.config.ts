import { mergeConfig, type ViteUserConfig } from "vitest/config";
import { project } from "../../vitest.base.js";
import { pageFiles } from "./page-files.js";

export default mergeConfig(project("explorer"), { plugins: [pageFiles()] }) as ViteUserConfig;
