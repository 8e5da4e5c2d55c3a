// Runs the built program as its user would: offline, and against OpenAI's interface with a key.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Document } from "@langchain/core/documents";
import { startLocalOpenAi } from "@trigraph/local-openai";
import { expect, test } from "vitest";
import { cited } from "../src/chain.js";

const MAIN = fileURLToPath(new URL("../dist/main.mjs", import.meta.url));

async function run(args: string[], env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...args], {
    env: { ...process.env, OPENAI_API_KEY: "", ...env },
  });
  expect(stderr).toBe("");
  return stdout;
}

test("answers offline, says by what, and cites the passages with the path to each", async () => {
  const printed = await run([], {});
  expect(printed).toContain("not a language model");
  expect(printed).toContain("by the director Ada Lindqvist. [1]");
  expect(printed.split("Cited:\n")[1]).toBe("[1] The Silent Harbour, by silent harbour\n");
});

test("with a key it asks OpenAI, here the same interface on this machine", async () => {
  const server = await startLocalOpenAi();
  try {
    const question = "Who directed The Silent Harbour?";
    const printed = await run([question], { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url });
    expect(printed).toContain("Cited:\n[1] The Silent Harbour");
    const chat = server.requests.at(-1)!;
    expect(chat.body).toMatchObject({ model: "gpt-4o-mini", stream: true });
    expect(chat.text).toContain("[1] The Silent Harbour is a 1962 drama film");
    expect(chat.text).toContain(question);
  } finally {
    await server.close();
  }
});

test("only passages that exist are cited, each once, in order", () => {
  const documents = ["a", "b"].map((id) => new Document({ id, pageContent: id }));
  expect([...cited("B [2], a [1][2] and nothing [3] [0] [x].", documents)].map(([n, { id }]) => `${n}${id}`)).toEqual([
    "1a",
    "2b",
  ]);
});
