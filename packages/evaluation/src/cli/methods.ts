import { Command } from "commander";
import { METHODS } from "../methods/registry.js";
import { drawTables } from "../report/terminal.js";
import type { Terminal } from "./terminal.js";

/** `trigraph-eval methods` */
export function methodsCommand({ out }: Terminal): Command {
  return new Command("methods").description("list the methods that run compares").action(() => {
    const rows = [...METHODS.values()].map(({ name, description, embedder }) => [name, embedder, description]);
    out.write(drawTables([{ title: "Methods", columns: ["", "vectors", "what it is"], rows }]));
  });
}
