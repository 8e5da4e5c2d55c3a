import { readFileSync } from "node:fs";
import { join } from "node:path";
import { members, root } from "../../scripts/lib/workspace.mjs";

export { root };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Record<string, unknown>;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>;
}

/** The packages that are published: their folders, relative to the root, and manifests. */
export function publishedPackages(): { readonly dir: string; readonly manifest: Manifest }[] {
  return [...members().values()]
    .map(({ dir }) => ({
      dir,
      manifest: JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8")) as Manifest,
    }))
    .filter(({ manifest }) => manifest.private !== true);
}
