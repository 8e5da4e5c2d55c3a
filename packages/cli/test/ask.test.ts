import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CheckFinding, type IndexStats, TriGraph } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { EXIT } from "../src/terminal.js";
import { cli, Folder, json, jsonLines } from "./support/cli.js";

const ROWS = [
  { id: "film", title: "Blue Lake", text: "Blue Lake is a film by Ada Byron.", metadata: { year: 1961, kind: "film" } },
  { id: "ada", title: "Ada Byron", text: "She was born in Lima.", metadata: { year: "1961" } },
  { id: "lima", text: "A director was born.", metadata: { kind: "other", __proto__: "1" } },
];
const QUESTION = "Where was the director of Blue Lake born?";

interface Found {
  question: string;
  hits: { rank: number; id: string; score: number; text: string; evidence?: { via: string } }[];
}

const folder = new Folder();
const IN = ["--in", folder.at("index")];
beforeAll(async () => {
  const file = folder.write("rows.jsonl", jsonLines(...ROWS));
  await cli(["index", file, "--into", folder.at("index"), "--batch", "1"]);
});
afterAll(() => folder.remove());
afterEach(() => vi.restoreAllMocks());

const ask = async (...args: string[]) => (await json<Found>(["search", QUESTION, ...IN, ...args])).hits;

test("search finds what the graph leads to, as text and as JSON", async () => {
  const hits = await ask("-k", "2");
  expect(hits.map(({ rank, id }) => [rank, id])).toEqual([
    [1, "film"],
    [2, "ada"],
  ]);
  expect(hits[0]).toMatchObject(ROWS[0]);
  expect(hits[0].evidence).toBeUndefined();
  const { code, out, err } = await cli(["search", ...QUESTION.split(" "), ...IN, "-k", "2"]);
  expect(out).toMatch(/^1\. Blue Lake 0\.\d+ {2}film\n {3}Blue Lake is a film by Ada Byron\.\n2\. Ada Byron/);
  expect({ code, err }).toEqual({ code: EXIT.done, err: "" });
});

test("explain tells the path and what each stage made of it", async () => {
  const { hits } = await json<Found>(["explain", QUESTION, ...IN, "-k", "2"]);
  expect(hits.map(({ evidence }) => evidence?.via)).toEqual(["graph", "graph"]);
  const { out } = await cli(["explain", QUESTION, ...IN, "-k", "2"]);
  expect(out).toContain("path question → Blue Lake → Ada Byron → here (title)");
  expect(out).toContain("via  #1: “Blue Lake is a film by Ada Byron.”");
  expect(out).toMatch(/1, 2 blue lake 1 → ada byron [\d.e-]+ → here, by \w+ [\d.e-]+/);
  expect(out).toMatch(/3 {4}0\.\d+: \w+ [+−]\d/);
});

test("explore writes a page of the paths, or prints what it shows", async () => {
  const page = folder.at("page.html");
  expect(await cli(["explore", QUESTION, ...IN, "-k", "2", "-o", page])).toEqual({
    code: EXIT.done,
    out: `${page}: 2 passages and what led to them\n`,
    err: "",
  });
  expect(readFileSync(page, "utf8")).toMatch(/^<!doctype html>[^]*Ada Byron/i);
  const shown = await json<{ passages: { passageId: string }[] }>(["explore", QUESTION, ...IN, "-k", "2", "-o", page]);
  expect(shown.passages.map(({ passageId }) => passageId)).toEqual(["film", "ada"]);
  expect(await cli(["explore", QUESTION, ...IN, "-o", join(folder.at("rows.jsonl"), "page.html")])).toMatchObject({
    code: EXIT.failed,
    err: expect.stringContaining("cannot be written") as string,
  });
});

test.each([
  ["year=1961", ["ada", "film"]],
  ['year="1961"', ["ada"]],
  ["kind=film", ["film"]],
  ["kind=none", []],
  ["toString=x", []],
])("a filter %s leaves %j", async (filter, ids) => {
  const { out, code } = await cli(["search", QUESTION, ...IN, "--filter", filter, "--json"]);
  expect((JSON.parse(out) as Found).hits.map(({ id }) => id).sort()).toEqual(ids);
  expect(code).toBe(ids.length === 0 ? EXIT.findings : EXIT.done);
});

test("all filters must hold, and each has the form key=value", async () => {
  expect((await ask("-f", "year=1961", "-f", "kind=film")).map(({ id }) => id)).toEqual(["film"]);
  expect(await cli(["search", QUESTION, ...IN, "-f", "=x"])).toMatchObject({
    code: EXIT.usage,
    err: expect.stringContaining("KEY=VALUE") as string,
  });
});

test("nothing found is told beside, with a code of its own", async () => {
  const { code, out, err } = await cli(["search", "xyzzy", ...IN]);
  expect({ code, out }).toEqual({ code: EXIT.findings, out: "" });
  expect(err).toContain("no passage");
});

test("who reads does not wait for who writes; who writes is refused", async () => {
  const writer = await TriGraph.open(new FileDirectory(folder.at("index")));
  try {
    expect(await ask("-k", "1")).toHaveLength(1);
    const { code, err } = await cli(["delete", "film", ...IN]);
    expect(err).toContain("has had the index open for writing");
    expect(code).toBe(EXIT.failed);
  } finally {
    await writer.close();
  }
});

test("stats, merge and check", async () => {
  const stats = await json<IndexStats>(["stats", ...IN]);
  expect(stats).toMatchObject({ passages: 3, segments: 3, dimensions: 0 });
  expect((await cli(["stats", ...IN])).out).toMatch(/^passages +3$/m);
  expect(await json(["merge", ...IN])).toEqual({ segments: { before: 3, after: 1 }, dropped: 0 });
  expect((await cli(["merge", ...IN])).out).toBe("1 → 1 segments, 0 dead passages dropped\n");
  expect(await cli(["check", ...IN, "-q"])).toEqual({ code: EXIT.done, out: "all is well\n", err: "" });
  expect(await json(["check", ...IN, "-q"])).toEqual({ findings: [] });
});

test("what check finds ends with a code of its own", async () => {
  const findings: CheckFinding[] = [{ where: "segment 1", what: "counts differ" }];
  vi.spyOn(TriGraph.prototype, "check").mockResolvedValue(findings);
  expect(await cli(["check", ...IN, "-q"])).toMatchObject({ code: EXIT.findings, out: "segment 1: counts differ\n" });
  const { code, out } = await cli(["check", ...IN, "-q", "--json"]);
  expect({ code, found: JSON.parse(out) as unknown }).toEqual({ code: EXIT.findings, found: { findings } });
});

test("a damaged index is a finding of check and an error of the others", async () => {
  const file = folder.write("two.jsonl", jsonLines(...ROWS));
  await cli(["index", file, "--into", folder.at("damaged")]);
  const path = folder.at("damaged");
  const segment = join(
    path,
    readdirSync(path).find((name) => name.endsWith(".seg"))!,
  );
  const bytes = readFileSync(segment);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(segment, bytes);
  expect(await cli(["check", "--in", path, "-q"])).toMatchObject({ code: EXIT.findings, err: "" });
  const { code, err } = await cli(["stats", "--in", path]);
  expect(err).toContain(path);
  expect(err).not.toContain("    at ");
  expect(code).toBe(EXIT.failed);
  expect((await cli(["stats", "--in", path, "--debug"])).err).toMatch(/^ {4}at /m);
});

test("delete takes ids from the command line, a file and standard input, and tells which it misses", async () => {
  const path = folder.at("deleted");
  const file = folder.write("three.jsonl", jsonLines(...ROWS, { id: "x y", text: "x" }));
  await cli(["index", file, "--into", path]);
  expect(await json(["delete", "film", "--in", path])).toEqual({ deleted: 1, missing: [] });
  const ids = folder.write("ids.txt", "x y\r\n\nnone\n");
  const { code, out, err } = await cli(["delete", "--from", ids, "--in", path]);
  expect({ code, out }).toEqual({ code: EXIT.findings, out: "1 deleted\n" });
  expect(err).toBe("not in the index: none\n");
  expect(await cli(["delete", "--from", "-", "--in", path], { input: ["ad", "a\n"] })).toMatchObject({
    code: EXIT.done,
  });
  expect(await json<IndexStats>(["stats", "--in", path])).toMatchObject({ passages: 1 });
  expect((await cli(["delete", "--in", path])).code).toBe(EXIT.usage);
});

test("a folder without an index is told how to get one, and stays as it is", async () => {
  const { code, err } = await cli(["search", "q", "--in", folder.at("nowhere")]);
  expect(err).toContain("trigraph index FILES --into");
  expect(code).toBe(EXIT.failed);
  expect(readdirSync(folder.path)).not.toContain("nowhere");
});

test.each([
  [["serch", "q"], "Did you mean search?"],
  [["search", "q", "--in", "x", "--fulll"], "unknown option"],
  [["search", "q"], "--in"],
  [["search", "q", "--in", "x", "-k", "0"], "at least 1"],
  [["export", "everything", "--in", "x"], "Allowed choices"],
])("the command line %j is refused", async (args, message) => {
  const { code, out, err } = await cli(args);
  expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
  expect(err).toContain(message);
});

test("help and version go to standard output", async () => {
  const { out } = await cli(["--help"]);
  const names = [...out.matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, name]) => name);
  expect(names).toEqual(["index", "search", "explain", "explore", "delete", "stats", "check", "merge", "export"]);
  for (const name of names) {
    const { code, out: help } = await cli([name, "--help"]);
    expect(code).toBe(EXIT.done);
    expect(help).toContain(`Usage: trigraph ${name}`);
    expect(help).toContain("--json");
  }
  expect((await cli(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
