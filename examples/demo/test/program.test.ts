/** The built program as a process of its own. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFolder, spawnDemo } from "./support/run.js";

describe("the program", () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  beforeAll(async () => {
    folder = await makeFolder({ "bad.jsonl": '{"id": 1}\n', "a.md": "# Blue Lake\n\nBlue Lake is a film.\n" });
  });
  afterAll(() => folder.remove());

  test("answers, piped and without input, in no colour", async () => {
    const { code, stdout, stderr } = await spawnDemo([], { env: { COLUMNS: "60" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("All 40 questions");
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("─".repeat(60));
    expect(stdout).not.toContain("─".repeat(61));
  });

  test("answers a question over a folder", async () => {
    const { code, stdout } = await spawnDemo(["--corpus", folder.path, "What is Blue Lake?"]);
    expect(code).toBe(0);
    expect(stdout).toContain("path question → Blue Lake → here");
  });

  test("ends with 0 for help, 1 for what cannot be read, 2 for wrong usage", async () => {
    expect(await spawnDemo(["--help"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--corpus PATH") as string,
    });
    expect(await spawnDemo(["--corpus", `${folder.path}/bad.jsonl`, "q"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^\S+bad\.jsonl:1: expected a passage .*\n$/) as string,
    });
    expect(await spawnDemo(["--what"])).toMatchObject({ code: 2, stdout: "" });
    expect(await spawnDemo(["--corpus", folder.path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("expected a question") as string,
    });
    expect(await spawnDemo([folder.path, "q"], { env: { npm_config_corpus: "true" } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('write npm start -- --corpus PATH "question"') as string,
    });
  });

  test("ends quietly when its reader does", async () => {
    // More than a pipe holds.
    expect(await spawnDemo(["--json"], { hangUp: true })).toMatchObject({ code: 0, stderr: "" });
  });
});
