// `npm run notebooks`: executes the notebooks from clean and stores their outputs in them. With `-- --install-only` it only
// installs what their tests need beside Node.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installJupyter, jupyterPython } from "./lib/jupyter.mjs";
import { setUp } from "./lib/setup.mjs";
import { members, root } from "./lib/workspace.mjs";

installJupyter();
if (!process.argv.includes("--install-only")) {
  const name = "@trigraph/example-notebooks";
  await setUp(name);
  const folder = join(root, members().get(name).dir);
  const { status } = spawnSync(jupyterPython, [join(folder, "scripts", "execute.py"), folder], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
