import { defineConfig } from "tsdown";
import { program } from "../../tsdown.base.js";

export default defineConfig(program({ main: "src/main.ts", agent: "src/agent.ts" }));
