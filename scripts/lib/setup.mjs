// Installs and builds what is missing or out of date, with nothing but Node and what npm brings along.
//
// Each step leaves a stamp when it has succeeded: a hash of all it depends on. The stamp is taken away before the
// step starts, so an interrupted step is done again. When all stamps hold, a check costs a few file system look-ups
// and starts no process.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pnpm } from "./pnpm.mjs";
import { closure, members, root } from "./workspace.mjs";

const STAMPS = join(root, "node_modules", ".cache", "trigraph");
/** What a package's build reads: the same as in turbo.json. */
const INPUTS = ["src", "index.html", "package.json", "tsconfig.json", "tsdown.config.ts", "vite.config.ts"];
const windows = process.platform === "win32";

/**
 * Makes sure that the dependencies are installed and that a package, with all it needs, is built.
 *
 * @param {string | undefined} name a package of the workspace; undefined builds all of them
 */
export async function setUp(name) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  requireNode(manifest.engines.node);
  await install();
  await build(name);
}

function requireNode(range) {
  const wanted = range.replace(/^>=/, "").split(".").map(Number);
  const have = process.versions.node.split(".").map(Number);
  for (let i = 0; i < wanted.length; i++) {
    if (have[i] > wanted[i]) return;
    if (have[i] < wanted[i]) {
      fail(`trigraph needs Node ${range.slice(2)} or later to be built; this is Node ${process.versions.node}.`);
    }
  }
}

async function install() {
  const hash = createHash("sha256");
  // Installed binaries differ by platform: a tree copied to another one is installed again.
  hash.update(`${process.platform} ${process.arch}\n`);
  const manifests = [...members().values()].map(({ dir }) => `${dir}/package.json`);
  for (const file of ["package.json", "pnpm-workspace.yaml", "pnpm-lock.yaml", ...manifests]) {
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  const wanted = hash.digest("hex");
  if (readStamp("install")?.hash === wanted && existsSync(join(root, "node_modules", ".modules.yaml"))) return;

  dropStamps();
  await step("installing dependencies (once)", ["install", "--frozen-lockfile"]);
  writeStamp("install", { hash: wanted });
}

async function build(name) {
  const needed = closure(name);
  const built = needed.filter(({ manifest }) => manifest.scripts?.build !== undefined);
  const stamp = `build-${(name ?? "all").replace(/[^a-z-]+/g, "-")}`;

  const hash = createHash("sha256");
  for (const file of ["package.json", "pnpm-lock.yaml", "tsconfig.base.json", "tsdown.base.ts"]) hashEntry(hash, file);
  // Also of what is built into others, and has no build of its own.
  for (const { dir } of needed) {
    for (const file of INPUTS) hashEntry(hash, `${dir}/${file}`);
  }
  const wanted = hash.digest("hex");
  const last = readStamp(stamp);
  if (last?.hash === wanted && last.outputs.every((file) => existsSync(join(root, file)))) return;

  dropStamp(stamp);
  const filter = name === undefined ? [] : [`--filter=${name}...`];
  await step("building", ["exec", "turbo", "run", "build", "--output-logs=new-only", ...filter]);
  writeStamp(stamp, { hash: wanted, outputs: built.flatMap(({ dir }) => files(`${dir}/dist`)) });
}

/** Adds a file, or all files of a folder, to a hash: path, size and time of change stand for the content. */
function hashEntry(hash, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isDirectory()) {
    for (const name of readdirSync(join(root, path)).sort()) hashEntry(hash, `${path}/${name}`);
  } else {
    hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
}

function files(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => files(`${path}/${name}`));
}

/** Runs pnpm quietly; all that it printed is shown if it fails, and then this process ends. */
export async function step(title, args) {
  const started = performance.now();
  process.stderr.write(`${title}…`);
  const { code, output } = await run(...pnpm(args));
  if (code !== 0) {
    process.stderr.write(` failed\n\n${output}\n`);
    fail(`${title} failed: \`pnpm ${args.join(" ")}\` ended with ${code}; its output is above.`);
  }
  process.stderr.write(` ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      shell: windows,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
    });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => {
      const pass = () => child.kill(signal);
      process.on(signal, pass);
      return () => process.off(signal, pass);
    });
    const done = (code, note) => {
      for (const off of signals) off();
      resolve({ code, output: Buffer.concat(chunks).toString("utf8") + note });
    };
    child.on("error", (error) => done(127, String(error)));
    child.on("close", (code, signal) => done(code ?? signal, ""));
  });
}

function readStamp(name) {
  try {
    return JSON.parse(readFileSync(join(STAMPS, `${name}.json`), "utf8"));
  } catch {
    return undefined;
  }
}

function writeStamp(name, content) {
  mkdirSync(STAMPS, { recursive: true });
  const file = join(STAMPS, `${name}.json`);
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(content));
  renameSync(`${file}.${process.pid}`, file);
}

function dropStamp(name) {
  rmSync(join(STAMPS, `${name}.json`), { force: true });
}

function dropStamps() {
  rmSync(STAMPS, { recursive: true, force: true });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
