import { isBuiltin } from "node:module";
import type { Rolldown, UserConfig } from "tsdown";

/** Entries that may use Node's built-in modules; every other one must also run in browsers and on the edge. */
const NODE_ENTRIES: ReadonlySet<string> = new Set(["node", "english-worker"]);

const quiet: UserConfig = {
  logLevel: "warn",
  inputOptions: { checks: { pluginTimings: false } },
};

/** The build of a library: ESM, CommonJS and declarations of each entry. */
export function library(entry: Record<string, string>): UserConfig {
  return {
    entry,
    format: ["esm", "cjs"],
    platform: "neutral",
    target: "es2022",
    fixedExtension: true,
    dts: true,
    plugins: [portableEntries()],
    ...quiet,
  };
}

/** The build of a program that Node runs: one ES module. */
export function program(entry: Record<string, string>): UserConfig {
  return {
    entry,
    format: ["esm"],
    platform: "node",
    target: "node20",
    fixedExtension: true,
    dts: false,
    sourcemap: true,
    ...quiet,
  };
}

/** Fails the build when an entry for every platform reaches a built-in module of Node. */
function portableEntries(): Rolldown.Plugin {
  return {
    name: "portable-entries",
    resolveId: (id) => (isBuiltin(id) ? { id, external: true } : null),
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !chunk.isEntry || NODE_ENTRIES.has(chunk.name)) continue;
        const seen = new Set([chunk.fileName]);
        for (const file of seen) {
          const part = bundle[file];
          if (part?.type !== "chunk") {
            if (isBuiltin(file)) {
              this.error(`entry "${chunk.name}" imports "${file}", which only Node has; move that under "/node"`);
            }
            continue;
          }
          for (const imported of [...part.imports, ...part.dynamicImports]) seen.add(imported);
        }
      }
    },
  };
}
