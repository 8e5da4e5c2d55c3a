// What is in the workspace, read without a YAML parser: the folders of pnpm-workspace.yaml are named here again,
// and a test of the bootstrap compares the two.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Globs of pnpm-workspace.yaml: a folder, or all folders of a folder. */
export const WORKSPACE_GLOBS = ["packages/*", "examples/*", "bench", "soak", "test"];

/**
 * @typedef {{ name: string, dir: string, manifest: Record<string, any> }} Member
 * @returns {Map<string, Member>} the packages of the workspace by name; `dir` is relative to the root
 */
export function members() {
  const found = new Map();
  for (const glob of WORKSPACE_GLOBS) {
    const parent = glob.endsWith("/*") ? glob.slice(0, -2) : undefined;
    const dirs = parent === undefined ? [glob] : list(parent).map((name) => `${parent}/${name}`);
    for (const dir of dirs) {
      const file = join(root, dir, "package.json");
      if (!existsSync(file)) continue;
      const manifest = JSON.parse(readFileSync(file, "utf8"));
      found.set(manifest.name, { name: manifest.name, dir, manifest });
    }
  }
  return found;
}

/**
 * The package and all packages of the workspace that it needs, or all packages when no name is given.
 *
 * @param {string | undefined} name
 * @returns {Member[]}
 */
export function closure(name) {
  const all = members();
  if (name === undefined) return [...all.values()];
  const names = new Set([name]);
  for (const each of names) {
    const member = all.get(each);
    if (member === undefined) throw new Error(`${name} needs ${each}, which is not in the workspace`);
    for (const field of ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]) {
      for (const [dependency, range] of Object.entries(member.manifest[field] ?? {})) {
        if (String(range).startsWith("workspace:")) names.add(dependency);
      }
    }
  }
  return [...names].map((each) => all.get(each));
}

function list(dir) {
  return existsSync(join(root, dir)) ? readdirSync(join(root, dir)).sort() : [];
}
