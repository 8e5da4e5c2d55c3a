import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../src/cli/terminal.js";
import { cli, type Finished } from "./support/cli.js";
import { SAMPLE } from "./support/data.js";

const folder = mkdtempSync(join(tmpdir(), "trigraph-eval-"));
afterAll(() => rmSync(folder, { recursive: true }));

const inFolder = (name: string) => join(folder, name);
const write = (name: string, content: string) => {
  writeFileSync(inFolder(name), content);
  return inFolder(name);
};

const DATA = ["--corpus", SAMPLE.corpus, "--questions", SAMPLE.questions];

describe("run over the bundled sample", () => {
  let finished: Finished;
  beforeAll(async () => {
    const methods = "trigraph,paper,bm25,minisearch";
    finished = await cli(["run", ...DATA, "--methods", methods, "--k", "2,5,10", "--out", inFolder("report")]);
  });

  test("ends well, prints tables and shows its progress beside", () => {
    const { code, out, err } = finished;
    expect(code, err).toBe(EXIT.done);
    expect(out).toContain("40 questions over 600 passages");
    expect(out).toMatch(/^ +recall@2 +recall@5 +recall@10 +allGold@5 +MRR +nDCG@5 +precision@5/m);
    expect(out).toMatch(/^minisearch +\d/m);
    expect(out).toContain("Recall@5 against trigraph");
    expect(err).toContain("paper: asking");
    expect(out).not.toContain("asking");
  });

  test("writes report, times, Markdown and page", () => {
    const report = JSON.parse(readFileSync(inFolder("report/report.json"), "utf8")) as Record<string, unknown[]>;
    expect(report.questions).toHaveLength(40);
    expect(report.methods).toHaveLength(4);
    const times = JSON.parse(readFileSync(inFolder("report/times.json"), "utf8")) as { methods: { index: number }[] };
    expect(times.methods.every(({ index }) => index > 0)).toBe(true);
    expect(readFileSync(inFolder("report/report.md"), "utf8")).toContain("## Time and space");
    expect(readFileSync(inFolder("report/report.html"), "utf8")).toContain("</html>");
  });

  test("the same again gives the same bytes, but for times", async () => {
    const report = readFileSync(inFolder("report/report.json"), "utf8");
    const methods = (JSON.parse(report) as { methods: { name: string }[] }).methods.map(({ name }) => name).join();
    const { out } = await cli(["run", ...DATA, "--methods", methods, "--json"]);
    expect(out).toBe(report);
  });

  test("compare tells that nothing has changed", async () => {
    const args = ["compare", inFolder("report"), inFolder("report"), "--max-loss", "0"];
    const { code, out } = await cli(args);
    expect(code).toBe(EXIT.done);
    expect(out).toContain("40 questions in both\n");
    expect(out).toMatch(/^recall@5 +([\d.]+) +\1 +0\.0 /m);
  });

  test("compare finds a loss, and ends with a code of its own", async () => {
    const { code } = await cli([
      "run",
      ...DATA,
      "--methods",
      "trigraph,bm25",
      "--without-titles",
      "--out",
      inFolder("bare"),
    ]);
    expect(code).toBe(EXIT.done);
    const lost = await cli(["compare", inFolder("report"), inFolder("bare"), "--max-loss", "1", "--json"]);
    expect(lost.code).toBe(EXIT.lost);
    expect(lost.err).toMatch(/^lost more than 1 points: .*bm25 recall@2/);
    const found = JSON.parse(lost.out) as { sameCorpus: boolean; methods: { method: string }[] };
    expect(found.sameCorpus).toBe(false);
    expect(found.methods.map(({ method }) => method)).toEqual(["trigraph", "bm25"]);
  });
});

describe("run with modules, over a corpus and questions of several files", () => {
  const passage = (id: string, text: string) => `${JSON.stringify({ id, text })}\n`;
  const corpora = [
    write("a.jsonl", passage("sea", "The sea is deep.") + passage("sky", "The sky is blue.")),
    write("b.jsonl", passage("tree", "A tree is green.") + passage("bee", "Bees make honey.")),
  ];
  const evidence = [
    { text: "bees", passages: ["bee"] },
    { text: "unplaced", passages: [] },
  ];
  const questions = [
    write("q.jsonl", `${JSON.stringify({ id: "1", question: "What is deep?", answer: "the sea", gold: ["sea"] })}\n`),
    write("r.jsonl", `${JSON.stringify({ id: "2", question: "Who makes honey?", gold: null, evidence })}\n`),
  ];
  const data = [
    ...corpora.flatMap((file) => ["--corpus", file]),
    ...questions.flatMap((file) => ["--questions", file]),
  ];
  const embedder = write(
    "embedder.mjs",
    `const vector = (text) => Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => text.toLowerCase().split(letter).length);
     export default async () => ({
       id: "letters", dimensions: 26,
       embedPassages: async (texts) => texts.map(vector), embedQuery: async (text) => vector(text),
     });`,
  );
  const chat = write(
    "chat.mjs",
    `export default { id: "parrot", complete: async ([system]) => system.content.includes('{"correct"')
       ? '{"correct": true}' : system.content.includes('{"rating"') ? '{"rating": 1}'
       : system.content.includes('{"supported"') ? '{"supported": [true, false]}' : "It is the sea." };`,
  );

  test("measures vectors and answers", async () => {
    const args = ["run", ...data, "--methods", "vectors,langchain-ensemble,trigraph", "--embedder", embedder];
    const { code, out, err } = await cli([...args, "--chat", chat, "--k", "1,2"]);
    expect(code, err).toBe(EXIT.done);
    expect(out).toContain("vectors of letters; answers of parrot from 5 passages, judged by parrot");
    expect(out).toMatch(/contain accuracy +judged accuracy +context relevance +judged evidence recall/);
    expect(out).toContain("Embedding the passages took");
    expect(out).toContain("contain accuracy: 1 of 2 questions have it.");
    expect(out).toMatch(new RegExp("^set .*q\\.jsonl +1 ", "m"));
  });

  test.each([
    ["methods that need vectors without an embedder", ["--methods", "vectors"], EXIT.usage, "needs vectors"],
    ["a method that there is not", ["--methods", "bm26"], EXIT.usage, 'got "bm26"'],
    ["a depth of nothing", ["--k", "0"], EXIT.usage, "at least 1"],
    ["an option that there is not", ["--deep"], EXIT.usage, "unknown option"],
    ["a module that is not there", ["--embedder", "nowhere.mjs"], EXIT.failed, "nowhere.mjs: does not load"],
    ["a module of another kind", ["--embedder", chat], EXIT.failed, "its dimensions is no number"],
    ["weights that are not there", ["--fusion", "nowhere.json"], EXIT.failed, "nowhere.json: cannot be read"],
    ["weights of another form", ["--fusion", write("other.json", '{"format":2}')], EXIT.failed, "got 2"],
    ["a folder that cannot be made", ["--out", join(corpora[0], "x")], EXIT.failed, "cannot be written"],
  ])("refuses %s", async (_, args, code, message) => {
    const finished = await cli(["run", ...data, ...args]);
    expect(finished.err).toContain(message);
    expect(finished.code).toBe(code);
  });
});

describe("train refuses", () => {
  const out = ["--out", inFolder("weights.json")];
  const plan = write("plan.json", '[{"name":"a","corpora":["none.jsonl"],"questions":["none.jsonl"]}]');
  const wrongPlan = write("wrong.json", '[{"name":"a","corpora":[],"questions":["q"]}]');

  test.each([
    ["no place to write to", DATA, EXIT.usage, "--out"],
    ["no data", out, EXIT.usage, "expected --corpus and --questions, or --plan"],
    ["a plan and files", ["--plan", plan, ...DATA, ...out], EXIT.usage, "leave out --corpus"],
    ["a data folder without a plan", [...DATA, "--data", folder, ...out], EXIT.usage, "give --plan"],
    ["a plan that is not there", ["--plan", inFolder("no.json"), ...out], EXIT.failed, "no.json: cannot be read"],
    ["a plan of another form", ["--plan", wrongPlan, ...out], EXIT.failed, "expected a plan"],
    ["a plan's file that is not there", ["--plan", plan, ...out], EXIT.failed, inFolder("none.jsonl")],
    [
      "that below another folder",
      ["--plan", plan, "--data", inFolder("d"), ...out],
      EXIT.failed,
      inFolder("d/none.jsonl"),
    ],
    ["one fold", [...DATA, "--folds", "1", ...out], EXIT.usage, "at least 2"],
    ["no penalty", [...DATA, "--penalty", "0", ...out], EXIT.usage, "above 0"],
    [
      "a place that cannot be",
      [...DATA, "--out", join(SAMPLE.corpus, "x", "y.json")],
      EXIT.failed,
      "cannot be written",
    ],
  ])("%s", async (_, args, code, message) => {
    const finished = await cli(["train", ...args]);
    expect(finished.err).toContain(message);
    expect(finished.code).toBe(code);
    expect(existsSync(inFolder("weights.json"))).toBe(false);
  });
});

describe("the command line", () => {
  test.each([[[]], [["nonsense"]], [["run"]], [["run", "--corpus", "a"]], [["compare", "only-one"]], [["train"]]])(
    "without what it needs is a usage error: %j",
    async (args) => {
      const { code, err } = await cli(args);
      expect(code).toBe(EXIT.usage);
      expect(err).not.toBe("");
    },
  );

  test("offers help, and describes the methods", async () => {
    const help = await cli(["run", "--help"]);
    expect([help.code, help.err]).toEqual([EXIT.done, ""]);
    expect(help.out).toContain("--without-titles");
    const methods = await cli(["methods"]);
    expect(methods.out).toMatch(/^paper +used +LinearRAG as published/m);
  });

  test("names the file and line of data that is wrong", async () => {
    const bad = write("bad.jsonl", '{"id":"a","text":"x"}\n{"id":"a"}\n');
    const { code, err } = await cli(["run", "--corpus", bad, "--questions", SAMPLE.questions]);
    expect(code).toBe(EXIT.failed);
    expect(err).toContain("bad.jsonl:2: expected a passage");
  });

  test("refuses to compare what is no report", async () => {
    mkdirSync(inFolder("none"));
    write("none/report.json", '{"format":"other"}');
    const { code, err } = await cli(["compare", inFolder("none"), inFolder("none")]);
    expect(code).toBe(EXIT.failed);
    expect(err).toContain("expected a report of trigraph-eval run");
  });

  test("ends when it is interrupted", async () => {
    const { code, err } = await cli(["run", ...DATA], AbortSignal.abort());
    expect(code).toBe(EXIT.interrupted);
    expect(err).toContain("interrupted");
  });
});
