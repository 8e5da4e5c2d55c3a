import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run, runOrThrow } from "./processes.js";

const root = join(import.meta.dirname, "..", "..");

/** A package as it is built. */
export interface Built {
  /** Names that each module system finds. */
  readonly names: { readonly esm: string[]; readonly cjs: string[] };
  /** What the files of the main entry import. */
  readonly imports: string[];
}

/** Loads and reads a package's build. */
export async function readBuilt(dir: string, name: string): Promise<Built> {
  const folder = join(root, dir);
  const load = async (type: "module" | "commonjs", source: string) => {
    const print = `${source}; console.log(JSON.stringify(Object.keys(entry).sort()))`;
    const { stdout } = await runOrThrow(process.execPath, [`--input-type=${type}`, "-e", print], folder);
    return JSON.parse(stdout) as string[];
  };
  const files = readdirSync(join(folder, "dist")).filter((file) => /\.[mc]js$/.test(file));
  const imports = files.flatMap((file) =>
    [...readFileSync(join(folder, "dist", file), "utf8").matchAll(/(?:from |require\()"([^".][^"]*)"/g)].map(
      ([, specifier]) => specifier,
    ),
  );
  return {
    names: {
      esm: await load("module", `import * as entry from "${name}"`),
      cjs: await load("commonjs", `const entry = require("${name}")`),
    },
    imports: [...new Set(imports)].sort(),
  };
}

/** Runs a script in a package's folder, with packages in the place of others, and reads the JSON that it prints. */
export async function runWith(dir: string, script: string, replaced: Record<string, string>): Promise<unknown> {
  const register = pathToFileURL(join(root, "test", "support", "replaced-modules", "register.mjs")).href;
  const { code, stdout, stderr } = await run(process.execPath, ["--import", register, script], join(root, dir), {
    env: { REPLACED_MODULES: JSON.stringify(replaced) },
  });
  if (code !== 0 || stderr !== "") throw new Error(`${script} ended with ${code}\n${stdout}\n${stderr}`);
  return JSON.parse(stdout);
}
