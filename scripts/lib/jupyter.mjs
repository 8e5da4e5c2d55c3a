// Jupyter's client for the notebooks: a Python environment of its own, with the versions that requirements.txt pins.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

const folder = join(root, "node_modules", ".cache", "trigraph-jupyter");
const requirements = join(root, "examples", "notebooks", "requirements.txt");
/** What is installed; written last, so that an interrupted installation is done again. */
const stamp = join(folder, "installed.txt");

/** The environment's Python, whether or not it is there. */
export const jupyterPython =
  process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");

/** Installs what is missing or of another version. Needs Python 3 with venv, and a package registry. */
export function installJupyter() {
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(jupyterPython) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  run(process.platform === "win32" ? "python" : "python3", ["-m", "venv", folder]);
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
  run(jupyterPython, ["-m", "pip", "install", ...quiet, "--no-deps", "--requirement", requirements]);
  writeFileSync(stamp, wanted);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (status === 0) return;
  throw new Error(
    `\`${command} ${args.join(" ")}\` ${error === undefined ? `ended with ${status}` : `failed: ${error.message}`}. ` +
      "Notebooks are executed by Python 3.11 or later with venv (on Debian and Ubuntu `apt-get install python3-venv`).",
  );
}
