import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the example runs offline and answers from the passages that the graph found", async () => {
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const main = join(import.meta.dirname, "..", "dist", "main.mjs");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main], { env });
  expect(stderr).toBe("");
  const [, query, chat] = /Query engine: ([^]*)Chat engine: ([^]*)/.exec(stdout)!;
  expect(query).toContain("  1. The Silent Harbour\n  2. Ada Lindqvist\n  3. Greta Holm\n");
  expect(query).toContain("The Silent Harbour is a 1962 drama film by the director Ada Lindqvist.");
  expect(chat).toContain("Her landscapes hang in the town hall of Uppsala.");
});
