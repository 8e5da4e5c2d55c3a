// Every program in README.md runs, against the built package and a local server in OpenAI's place.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type LocalOpenAi, startLocalOpenAi } from "@trigraph/local-openai";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks } from "../../../test/support/markdown.js";

const root = join(import.meta.dirname, "..");
mkdirSync(join(root, ".tmp"), { recursive: true });
const folder = mkdtempSync(join(root, ".tmp", "readme-"));
const programs = codeBlocks(readFileSync(join(root, "README.md"), "utf8")).filter(({ language }) => language === "ts");

let server: LocalOpenAi;
beforeAll(async () => {
  // As long as the vectors of the model that the programs name.
  server = await startLocalOpenAi({ embeddingDimensions: 1536 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test("there are some", () => expect(programs.length).toBeGreaterThan(4));

test.each(programs)("line $line", async ({ code, line, flags }) => {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const file = join(folder, `line-${line}.mjs`);
  writeFileSync(file, outputText);
  const before = server.requests.length;
  const env = { ...process.env, OPENAI_API_KEY: "local", OPENAI_BASE_URL: server.url };
  // Rejects when the program fails.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
  expect(stderr).toBe("");
  expect(stdout.trim()).not.toBe("");
  // Those that are not run elsewhere are those that ask OpenAI.
  expect(server.requests.length > before).toBe(flags.includes("no-run"));
});
