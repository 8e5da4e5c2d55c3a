// `npm run pack`: installs and builds if need be, then makes the tarballs of all published packages in `packed/`.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setUp, step } from "./lib/setup.mjs";
import { members, root } from "./lib/workspace.mjs";

await setUp();
const target = join(root, "packed");
rmSync(target, { recursive: true, force: true });
for (const [name, { manifest }] of members()) {
  if (manifest.private === true) continue;
  await step(`packing ${name} into packed/`, ["--filter", name, "pack", "--pack-destination", target]);
}
