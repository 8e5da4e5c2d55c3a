// Every program in README.md runs against the built package and prints what is shown, with tiny models in the place of
// those that it names. (That its types are right is checked with all other documents.)
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks } from "../../../test/support/markdown.js";
import { run } from "../../../test/support/processes.js";
import { type Hub, startHub } from "./support/hub.js";

const root = join(import.meta.dirname, "..");
mkdirSync(join(root, ".tmp"), { recursive: true });
const folder = mkdtempSync(join(root, ".tmp", "readme-"));
const blocks = codeBlocks(readFileSync(join(root, "README.md"), "utf8"));
const programs = blocks.flatMap((block, i) =>
  block.language === "ts"
    ? [{ ...block, output: blocks[i + 1].flags.includes("output") ? blocks[i + 1].code : "" }]
    : [],
);

let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true });
});

test("there are some", () => expect(programs.length).toBeGreaterThan(4));

test.each(programs)("line $line", async ({ code, line, output }) => {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const file = join(folder, `line-${line}.mjs`);
  writeFileSync(file, outputText);
  const before = hub.requests.length;
  const preload = pathToFileURL(join(root, "test", "support", "use-hub.mjs")).href;
  const finished = await run(process.execPath, ["--import", preload, file], folder, {
    env: { TRIGRAPH_TEST_HUB: hub.url },
  });
  expect(finished).toEqual({ code: 0, stdout: `${output}\n`, stderr: "" });
  expect(hub.requests.length).toBeGreaterThan(before);
});
