import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLocalOpenAi } from "@trigraph/local-openai";
import { expect, test } from "vitest";

async function run(variables: Record<string, string>): Promise<string> {
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const main = join(import.meta.dirname, "..", "dist", "main.mjs");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main], { env: { ...env, ...variables } });
  expect(stderr).toBe("");
  return stdout;
}

test("the example runs offline and answers from the passages that the graph found", async () => {
  const printed = await run({});
  expect(printed).toContain("Answers by a local test server");
  const [, query, chat] = /Query engine: ([^]*)Chat engine: ([^]*)/.exec(printed)!;
  expect(query).toContain("  1. The Silent Harbour\n  2. Ada Lindqvist\n  3. Greta Holm\n");
  expect(query).toContain("The Silent Harbour is a 1962 drama film by the director Ada Lindqvist.");
  expect(chat).toContain("Her landscapes hang in the town hall of Uppsala.");
});

test("with a key it asks OpenAI, here the same interface on this machine", async () => {
  const server = await startLocalOpenAi();
  try {
    const printed = await run({ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url });
    expect(printed).toContain("Answers by OpenAI\n");
    const [query, chat] = server.requests.filter(({ path }) => path === "/v1/chat/completions");
    expect(query.body).toMatchObject({ model: "gpt-4o-mini" });
    expect(query.text).toContain("Ada Lindqvist was born to her mother, the painter Greta Holm.");
    expect(chat.body).toMatchObject({ model: "gpt-4o-mini", stream: true });
  } finally {
    await server.close();
  }
});
