import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readQuestions } from "../src/questions.js";

const passages = [
  { id: "a", text: "The Ledger Team runs\nthe Billing Service. It meets on Tuesdays." },
  { id: "b", text: "Minutes: the Ledger Team runs the Billing Service." },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trigraph-compare-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(...rows: object[]) {
  const file = join(folder, "questions.jsonl");
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return readQuestions(file, passages);
}

test("a quote is found across line ends, in every passage that has it", async () => {
  const [first, second] = await read(
    { question: "Who runs it?", answers: ["Ledger Team", "ledgers"], quotes: ["Team runs the  Billing", "Tuesdays"] },
    { question: "And else?" },
  );
  expect(first).toMatchObject({
    question: "Who runs it?",
    answer: "Ledger Team",
    answerAliases: ["ledgers"],
    evidence: [
      { text: "Team runs the  Billing", passages: ["a", "b"] },
      { text: "Tuesdays", passages: ["a"] },
    ],
  });
  expect(second).toEqual({ id: `${join(folder, "questions.jsonl")}:2`, question: "And else?", gold: null });
});

test("what is wrong is told with file and line", async () => {
  const good = { question: "Who?" };
  await expect(read(good, { question: "Who?", quotes: ["Team ran"] })).rejects.toThrow(/jsonl:2: .*got "Team ran"/);
  await expect(read(good, { question: " " })).rejects.toThrow(/jsonl:2: expected a question/);
  await expect(read(good, { question: "Who?", answers: "one" })).rejects.toThrow(/jsonl:2: expected a question/);
  await expect(read({ question: "Who?", answer: "one" })).rejects.toThrow(/jsonl:1: .*"answer"/);
  await expect(read(good)).rejects.toThrow('jsonl: expected at least one question with "quotes"');
  await expect(read()).rejects.toThrow("expected at least one question");
});
