/** A Python with Jupyter's client: `TRIGRAPH_PYTHON`, the one that `npm run notebooks` made, or the machine's. */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { jupyterPython } from "../../../../scripts/lib/jupyter.mjs";
import { mayBeSkipped } from "../../../../test/support/required.js";

const found = findPython();

/** Tests that need Jupyter are skipped by `describe.skipIf(withoutJupyter)`. */
export const withoutJupyter = mayBeSkipped(found !== undefined);

export function python(): string {
  if (found !== undefined) return found;
  throw new Error(
    "Jupyter's client is missing: `npm run notebooks -- --install-only` installs it, or set TRIGRAPH_PYTHON to a Python with nbclient",
  );
}

function findPython(): string | undefined {
  const named = process.env.TRIGRAPH_PYTHON;
  if (named !== undefined) return named;
  return [jupyterPython, "python3"].find((name) => spawnSync(name, ["-c", "import nbclient"]).status === 0);
}
