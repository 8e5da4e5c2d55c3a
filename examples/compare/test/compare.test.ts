// The built program, as its user runs it.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLocalOpenAi } from "@trigraph/local-openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseArguments } from "../src/arguments.js";

const MAIN = join(import.meta.dirname, "..", "dist", "main.mjs");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trigraph-compare-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (args: string[] = [], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [MAIN, ...args], { env: { ...process.env, OPENAI_API_KEY: "", ...env } });

/** The figures of a table's row, as it is printed. */
function figuresOf(printed: string, row: string): number[] {
  const line = printed.split("\n").find((each) => each.startsWith(`${row} `))!;
  return [...line.slice(row.length).matchAll(/\d+\.\d/g)].slice(0, 4).map(([figure]) => Number(figure));
}

test("over the bundled notes the graph finds more of the evidence than words or vectors, and answers with more", async () => {
  const { stdout, stderr } = await run();
  expect(stderr).toBe("");
  expect(stdout).toContain("12 questions over 19 passages");
  expect(stdout).toContain("a local test server, no models");
  const [, at5, , accuracy] = figuresOf(stdout, "trigraph");
  for (const other of ["bm25", "langchain-vectors"]) {
    const [, theirs, , theirAccuracy] = figuresOf(stdout, other);
    expect(theirs).toBeGreaterThan(0);
    expect(at5).toBeGreaterThan(theirs);
    expect(accuracy).toBeGreaterThanOrEqual(theirAccuracy);
  }
  expect(stdout).toMatch(/\n {2}When does the Ledger Team meet\? +1\/1 +1\/1 +1\/1/);
  expect(stdout).toMatch(/\n\* Where did the lead of the Ledger Team grow up\? +2\/2 /);
});

test("with a key it asks OpenAI, here the same interface, about one's own files, and writes the report", async () => {
  const notes = join(folder, "notes");
  await mkdir(notes);
  await writeFile(
    join(notes, "bees.md"),
    "# Bees\n\nBees make honey.\n\n## Sting\n\nThey sting when they are afraid.\n",
  );
  await writeFile(join(notes, "bread.txt"), "Bread is baked of flour.");
  const questions = join(folder, "questions.jsonl");
  await writeFile(questions, `{"question": "Who makes honey?", "answers": ["bees"], "quotes": ["Bees make honey."]}\n`);
  const server = await startLocalOpenAi({ answers: () => "The bees do." });
  try {
    const report = join(folder, "report");
    const { stdout } = await run([notes, questions, "--methods", "words,no-vectors", "--report", report], {
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: server.url,
    });
    expect(stdout).toContain("Answers and vectors by gpt-4o-mini and text-embedding-3-small\n");
    expect(figuresOf(stdout, "no-vectors")).toEqual([100, 100, 100, 100]);
    expect((await readdir(report)).sort()).toEqual(["report.html", "report.json", "report.md", "times.json"]);
    const chats = server.requests.filter(({ path }) => path === "/v1/chat/completions");
    expect(chats).toHaveLength(2);
    expect(chats[0].body).toMatchObject({ model: "gpt-4o-mini" });
    expect(chats[0].text).toContain("Bees make honey.");
  } finally {
    await server.close();
  }
});

test("what is wrong ends it: 1 for what is read, 2 for the command line", async () => {
  await expect(run([folder, join(folder, "none.jsonl")])).rejects.toMatchObject({ code: 1, stdout: "" });
  await expect(run([folder])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("compare: expected a folder and a file of questions") as string,
  });
  expect(() => parseArguments(["--what"])).toThrow("--what");
  expect(parseArguments(["a", "b", "--methods", "x, y"])).toMatchObject({ folder: "a", methods: ["x", "y"] });
});
