// `npm test -- ARGS`: installs and builds if need be, then runs the tests of all packages in one vitest;
// ARGS go to vitest. The last line printed is "N passed, N failed, N skipped".
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setUp } from "./lib/setup.mjs";
import { root } from "./lib/workspace.mjs";

await setUp();

const report = join(root, "node_modules", ".cache", "trigraph", `vitest-${process.pid}.json`);
const code = await vitest(["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
const counts = count(report);
rmSync(report, { force: true });

if (counts === undefined) {
  process.stderr.write("vitest left no report\n");
} else {
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
}
process.exitCode = code === 0 && counts === undefined ? 1 : code;

function vitest(args) {
  const main = join(root, "node_modules", "vitest", "vitest.mjs");
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args, ...process.argv.slice(2)], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("error", (error) => {
      process.stderr.write(`${error}\n`);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** A file that could not be loaded ran no test; it counts as one that failed. */
function count(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
