import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLocalOpenAi } from "@trigraph/local-openai";
import { expect, test } from "vitest";
import { accuracy } from "../src/report.js";

async function run(program: string, args: string[] = [], variables: Record<string, string> = {}): Promise<string> {
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const file = join(import.meta.dirname, "..", "dist", `${program}.mjs`);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, ...args], {
    env: { ...env, ...variables },
  });
  expect(stderr).toBe("");
  return stdout;
}

test("the query engine runs offline and answers from the passages that the graph found", async () => {
  const printed = await run("main");
  expect(printed).toContain("Answers by a local test server");
  expect(printed).toContain("  1. The Silent Harbour\n  2. Ada Lindqvist\n  3. Greta Holm\n");
  expect(printed).toContain("The Silent Harbour is a 1962 drama film by the director Ada Lindqvist.");
  expect(printed).toContain("Contain accuracy: 1 of one answer\n");
});

test("the chat engine answers each message from what is found for it", async () => {
  const printed = await run("chat");
  const [, first, second] = printed.split(/\n\n(?=Who is|And where)/);
  expect(first).toContain("her mother, the painter Greta Holm.");
  expect(second).toContain("Her landscapes hang in the town hall of Uppsala.");
  expect(second).toContain("  1. Greta Holm\n");
  expect(printed).toContain("Contain accuracy: 1 of 2 answers\n");
});

test("with a key it asks OpenAI, here the same interface on this machine, what it is given", async () => {
  const server = await startLocalOpenAi();
  try {
    const key = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url };
    const printed = await run("main", ["Who directed The Silent Harbour?"], key);
    expect(printed).toContain("Answers by OpenAI\n");
    expect(printed).not.toContain("accuracy");
    const [query] = server.requests.filter(({ path }) => path === "/v1/chat/completions");
    expect(query.body).toMatchObject({ model: "gpt-4o-mini" });
    expect(query.text).toContain("Who directed The Silent Harbour?");
    expect(query.text).toContain("Ada Lindqvist was born to her mother, the painter Greta Holm.");
  } finally {
    await server.close();
  }
});

test("accuracy is the share of answers that contain the right one", () => {
  const judged = ["In Uppsala.", "In Visby."].map((answer) => ({ answer, answers: ["Uppsala"] }));
  expect(accuracy(judged)).toBe("Contain accuracy: 0.5 of 2 answers");
});
