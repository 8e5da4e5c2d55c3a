import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseCorpora } from "../src/data/corpus.js";
import { readData } from "../src/data/files.js";
import { needsSeveral, placesOf } from "../src/data/question.js";
import { parseQuestions } from "../src/data/question-files.js";
import { EvaluationError } from "../src/errors.js";

const folder = mkdtempSync(join(tmpdir(), "trigraph-evaluation-data-"));
afterAll(() => rmSync(folder, { recursive: true }));

const rows = (...all: unknown[]) => all.map((row) => `${JSON.stringify(row)}\n`).join("");

describe("parseCorpora", () => {
  const text = rows(
    { id: "a", title: "A", text: "one", metadata: { year: 1 } },
    { id: 2, title: null, text: "two", extra: true },
  );

  test("reads several files, blank lines, numbers as ids, and no titles if told so", () => {
    const files = [
      { name: "a.jsonl", text: `\n${text}` },
      { name: "b.jsonl", text: rows({ id: "c", text: "" }) },
    ];
    expect(parseCorpora(files)).toEqual([
      { id: "a", title: "A", text: "one", metadata: { year: 1 } },
      { id: "2", text: "two" },
      { id: "c", text: "" },
    ]);
    expect(parseCorpora(files, { titles: false })[0]).toEqual({ id: "a", text: "one", metadata: { year: 1 } });
  });

  test.each([
    ["{", "b.jsonl:2"],
    ['{"id":"b"}', "text"],
    ['{"id":"","text":""}', "id"],
    ['{"id":"b","text":"","title":3}', "title"],
    ['{"id":"a","text":""}', 'got "a", as in b.jsonl:1'],
  ])("says what is wrong with %s, and where", (line, part) => {
    const read = () => parseCorpora([{ name: "b.jsonl", text: `{"id":"a","text":""}\n${line}` }]);
    expect(read).toThrow(EvaluationError);
    expect(read).toThrow("b.jsonl:2: expected");
    expect(read).toThrow(part);
  });

  test("refuses an empty file, and an id of another file", () => {
    expect(() => parseCorpora([{ name: "b.jsonl", text: "\n" }])).toThrow("b.jsonl: expected at least one row");
    const twice = [1, 2].map((n) => ({ name: `${n}.jsonl`, text: rows({ id: "a", text: "" }) }));
    expect(() => parseCorpora(twice)).toThrow('2.jsonl:1: expected an id of its own, got "a", as in 1.jsonl:1');
  });
});

describe("parseQuestions", () => {
  const known = (id: string) => ["a", "b", "7"].includes(id);
  const parse = (...all: unknown[]) => parseQuestions([{ name: "q.jsonl", text: rows(...all) }], known);

  test("reads gold, evidence, and what may be missing", () => {
    const evidence = [
      { text: "one", passages: ["a", "b"] },
      { text: "two", passages: [] },
    ];
    const [plain, placed, bare] = parse(
      { id: "q", question: "Which?", answer: "x", answer_aliases: ["y"], type: "t", gold: ["a", 7] },
      { id: "r", question: "Which?", gold: null, evidence },
      { id: "s", question: "Which?" },
    );
    expect(plain).toEqual({
      ...{
        id: "q",
        question: "Which?",
        set: "q.jsonl",
        answer: "x",
        answerAliases: ["y"],
        type: "t",
        gold: ["a", "7"],
      },
    });
    expect(placesOf(plain)).toEqual([["a"], ["7"]]);
    expect(placed).toEqual({ id: "r", question: "Which?", set: "q.jsonl", gold: null, evidence });
    expect(placesOf(placed)).toEqual([["a", "b"]]);
    expect(placesOf(bare)).toEqual([]);
  });

  test.each([
    [{ id: "q", question: " ", gold: ["a"] }, "question"],
    [{ id: "q", question: "?", gold: ["z"] }, 'got "z"'],
    [{ id: "q", question: "?", gold: "a" }, "gold"],
    [{ id: "q", question: "?", evidence: [{ text: "t", passages: ["z"] }] }, 'got "z"'],
    [{ id: "q", question: "?", evidence: [{ passages: ["a"] }] }, "evidence.0.text"],
  ])("says what is wrong with %j", (row, part) => {
    expect(() => parse(row)).toThrow("q.jsonl:1: expected");
    expect(() => parse(row)).toThrow(part);
  });
});

describe("readData", () => {
  const write = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test("reads files and tells their digests", async () => {
    const corpora = [write("c.jsonl", rows({ id: "a", text: "" }))];
    const questions = [write("q.jsonl", rows({ id: "q", question: "?", gold: ["a"] }))];
    const { passages, questions: asked, sources } = await readData({ corpora, questions });
    expect(passages).toEqual([{ id: "a", text: "" }]);
    expect(asked).toHaveLength(1);
    // As sha256sum has it.
    expect(sources.corpora).toEqual([
      { name: corpora[0], sha256: "acd5dd5445527d6431c096a6c8524ed73f16631736b58c34e7fb22cd88837984" },
    ]);
  });

  test("says which file cannot be read, or is no UTF-8", async () => {
    const missing = readData({ corpora: [join(folder, "nowhere.jsonl")], questions: [] });
    await expect(missing).rejects.toMatchObject({
      code: "DATA",
      message: expect.stringContaining("nowhere.jsonl") as string,
    });
    const latin = write("latin.jsonl", Uint8Array.of(0x22, 0xe9, 0x22));
    await expect(readData({ corpora: [latin], questions: [] })).rejects.toThrow("UTF-8");
  });
});

test("needsSeveral asks whether one passage holds all placed statements", () => {
  const base = { id: "q", question: "?" };
  const statement = (...passages: string[]) => ({ text: "", passages });
  expect(needsSeveral({ ...base, gold: ["a"] })).toBe(false);
  expect(needsSeveral({ ...base, gold: ["a", "b"] })).toBe(true);
  const together = [statement("a", "b"), statement("b"), statement()];
  expect(needsSeveral({ ...base, gold: null, evidence: together })).toBe(false);
  expect(needsSeveral({ ...base, gold: null, evidence: [statement("a"), statement("b")] })).toBe(true);
});
