import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DataFolder } from "../src/data-sets.js";
import { UsageError } from "../src/errors.js";
import { questionRecall } from "../src/rankings.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trigraph-bench-test-"));
  for (const name of ["2wikimultihopqa", "hotpotqa", "musique", "novel"]) {
    mkdirSync(join(folder, name));
    write(`${name}/corpus.jsonl`, [
      { id: `${name}-0`, title: "One", text: "First." },
      { id: `${name}-1`, title: "Two", text: "Second." },
    ]);
    write(`${name}/questions.jsonl`, [{ id: "q", question: "Which?", answer: "", type: "t", gold: [`${name}-1`] }]);
  }
  write("distractors.jsonl", [{ id: "distractor-0", title: "Three", text: "Third." }]);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("DataFolder", () => {
  test("reads a set, and the mix of three sets and the distractors", () => {
    const data = new DataFolder(folder);
    expect(data.readSet("hotpotqa")).toEqual({
      passages: [
        { id: "hotpotqa-0", title: "One", text: "First." },
        { id: "hotpotqa-1", title: "Two", text: "Second." },
      ],
      questions: [{ id: "q", question: "Which?", set: "hotpotqa/questions.jsonl", type: "t", gold: ["hotpotqa-1"] }],
    });
    const mix = data.readMix();
    expect(mix.passages).toHaveLength(7);
    expect([...mix.questions.keys()]).toEqual(["2wikimultihopqa", "hotpotqa", "musique"]);
  });

  test("reads evidence", () => {
    const evidence = [
      { text: "a", passages: ["novel-0", "novel-1"] },
      { text: "b", passages: ["novel-1"] },
      { text: "c", passages: [] },
    ];
    write("novel/questions.jsonl", [{ id: "q", question: "Which?", type: "t", gold: null, evidence }]);
    const [question] = new DataFolder(folder).readSet("novel").questions;
    expect(question).toMatchObject({ id: "q", question: "Which?", type: "t", gold: null, evidence });
    expect(questionRecall(1, { question, ids: ["novel-0", "novel-1"] })).toBe(0.5);
  });

  test.each([
    ["no JSON", "hotpotqa/questions.jsonl", "{"],
    ["gold that is not in the corpus", "hotpotqa/questions.jsonl", '{"id":"q","question":"?","gold":["x"]}'],
    ["no gold", "hotpotqa/questions.jsonl", '{"id":"q","question":"?","gold":[]}'],
    ["no text", "hotpotqa/corpus.jsonl", '{"id":"x"}'],
    ["an id twice", "hotpotqa/corpus.jsonl", '{"id":"x","text":""}\n{"id":"x","text":""}'],
    ["evidence without a place", "hotpotqa/questions.jsonl", '{"id":"q","question":"?","gold":null,"evidence":[]}'],
    ["no rows", "hotpotqa/corpus.jsonl", ""],
  ])("says where the data has %s", (_, file, content) => {
    writeFileSync(join(folder, file), content);
    const read = () => new DataFolder(folder).readSet("hotpotqa");
    expect(read).toThrow(UsageError);
    expect(read).toThrow(file);
  });

  test("says that a folder or a file is missing", () => {
    expect(() => new DataFolder(undefined)).toThrow("--data FOLDER");
    expect(() => new DataFolder(join(folder, "nowhere"))).toThrow(UsageError);
    rmSync(join(folder, "distractors.jsonl"));
    expect(() => new DataFolder(folder).readMix()).toThrow('"distractors.jsonl" is missing');
  });
});

function write(file: string, rows: readonly object[]): void {
  writeFileSync(join(folder, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}
