// Runs the built programs as their user would: offline, and against OpenAI's interface with a key.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startLocalOpenAi } from "@trigraph/local-openai";
import { expect, test } from "vitest";

async function run(program: string, args: string[] = [], env: Record<string, string> = {}): Promise<string> {
  const file = fileURLToPath(new URL(`../dist/${program}.mjs`, import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, ...args], {
    env: { ...process.env, OPENAI_API_KEY: "", ...env },
  });
  expect(stderr).toBe("");
  return stdout;
}

const CITED = `Cited (each number is a passage):
[1] The Silent Harbour, by silent harbour
[2] Ada Lindqvist, by silent harbour → ada lindqvist
[3] Greta Holm, by silent harbour → ada lindqvist → greta holm
Contain accuracy: 1 (Greta Holm)
`;

test("the chain answers offline, says by what, and cites the passages with the path to each", async () => {
  const printed = await run("main");
  expect(printed).toContain("not a language model");
  expect(printed).toContain("by the director Ada Lindqvist. [1]");
  expect(printed.slice(printed.indexOf("Cited"))).toBe(CITED);
});

test("the agent searches by itself, answers from what it found, and cites it", async () => {
  const printed = await run("agent");
  expect(printed).toContain('search_passages({"question":"Who is the mother of the director of The Silent Harbour?"})');
  expect(printed).toContain("found: The Silent Harbour, Ada Lindqvist, Greta Holm\n");
  expect(printed.indexOf("not a language model")).toBeGreaterThan(printed.indexOf("found:"));
  expect(printed.slice(printed.indexOf("Cited"))).toBe(CITED);
});

test("with a key the chain asks OpenAI, here the same interface, and a number made up is told", async () => {
  const server = await startLocalOpenAi({ answers: () => "Ada Lindqvist [1], they say [7]." });
  try {
    const question = "Who directed The Silent Harbour?";
    const printed = await run("main", question.split(" "), {
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: server.url,
    });
    expect(printed).toContain("Cited (no passages: 7):\n[1] The Silent Harbour");
    // Nobody has said what the right answer is.
    expect(printed).not.toContain("accuracy");
    const chat = server.requests.at(-1)!;
    expect(chat.body).toMatchObject({ model: "gpt-4o-mini", stream: true });
    expect(chat.text).toContain("[1] The Silent Harbour is a 1962 drama film");
    expect(chat.text).toContain(question);
  } finally {
    await server.close();
  }
});
