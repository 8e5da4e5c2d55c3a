// `npm run pack`: installs and builds if need be, then makes the tarballs of all published packages in `packed/`.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pnpm } from "./lib/pnpm.mjs";
import { setUp } from "./lib/setup.mjs";
import { members, root } from "./lib/workspace.mjs";

await setUp();
const target = join(root, "packed");
rmSync(target, { recursive: true, force: true });
for (const { dir, manifest } of members().values()) {
  if (manifest.private !== true) await pack(join(root, dir));
}

function pack(cwd) {
  const [command, args] = pnpm(["pack", "--pack-destination", target]);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`pnpm pack ended with ${code} in ${cwd}`))));
  });
}
