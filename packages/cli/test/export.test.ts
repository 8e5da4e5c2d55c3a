import { existsSync, readFileSync } from "node:fs";
import type { IndexStats } from "@trigraph/core";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { escapeXml } from "../src/graphml.js";
import { EXIT } from "../src/terminal.js";
import { cli, Folder, json, jsonLines } from "./support/cli.js";

/** Texts that a format might not survive. */
const ROWS = [
  {
    id: "a",
    title: "Blue Lake",
    text: "Blue Lake is by Ada Byron. Ada Byron left Lima.",
    metadata: { n: [1, null, "x"] },
  },
  {
    id: 'q"<&>\u0001',
    title: "Ada ]]> Byron & <Sons>",
    text: "Line\r\none\u2028two\u0000 ]]> <b>&amp;</b>\ud800 Ada Byron.",
  },
  { id: "d\ud83d\ude00", text: "\u0007.", title: "😀" },
];

const folder = new Folder();
const IN = ["--in", folder.at("index")];
beforeAll(async () => {
  const { code, err } = await cli(["index", "-", "--into", folder.at("index"), "--batch", "2"], {
    input: [jsonLines(...ROWS)],
  });
  expect(code, err).toBe(EXIT.done);
});
afterAll(() => folder.remove());

const parse = (lines: string) =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const byId = (a: Record<string, unknown>, b: Record<string, unknown>) => ((a.id as string) < (b.id as string) ? -1 : 1);

describe("passages", () => {
  test("come back from index as they were", async () => {
    const { out } = await cli(["export", ...IN]);
    expect(parse(out).sort(byId)).toEqual([...ROWS].sort(byId));
    await cli(["index", folder.write("again.jsonl", out), "--into", folder.at("again")]);
    const again = await cli(["export", "passages", "--in", folder.at("again")]);
    expect(parse(again.out).sort(byId)).toEqual([...ROWS].sort(byId));
    const report = await json(["index", folder.at("again.jsonl"), "--into", folder.at("index"), "-q"]);
    expect(report).toMatchObject({ unchanged: ROWS.length, replaced: 0 });
  });

  test("keep their vectors if asked to", async () => {
    const rows = [
      { id: "x", text: "x", vector: [3, 4] },
      { id: "y", text: "y", vector: [1, 0] },
    ];
    await cli(["index", "-", "--into", folder.at("vectors")], { input: [jsonLines(...rows)] });
    const { out } = await cli(["export", "--vectors", "--in", folder.at("vectors")]);
    const found = new Map(parse(out).map(({ id, vector }) => [id, vector as number[]]));
    expect(found.get("x")![0]).toBeCloseTo(0.6, 6);
    expect(found.get("y")).toEqual([1, 0]);
    await cli(["index", folder.write("vectors.jsonl", out), "--into", folder.at("vectors2")]);
    expect(await json<IndexStats>(["stats", "--in", folder.at("vectors2")])).toMatchObject({
      passages: 2,
      dimensions: 2,
    });
  });

  test("go to a file whole or not at all", async () => {
    const file = folder.at("out.jsonl");
    expect(await json(["export", ...IN, "--out", file])).toMatchObject({ what: "passages", passages: 3, file });
    expect(parse(readFileSync(file, "utf8"))).toHaveLength(3);
    const { code, err } = await cli(["export", ...IN, "--out", folder.at("none/out.jsonl")]);
    expect(err).toContain("cannot be written");
    expect(code).toBe(EXIT.failed);
    const aborted = AbortSignal.abort();
    const before = readFileSync(file, "utf8");
    const stopped = await cli(["export", "graph", ...IN, "--out", file], { signal: aborted });
    expect(stopped.code).toBe(EXIT.interrupted);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(existsSync(`${file}.part`)).toBe(false);
  });
});

describe("the graph", () => {
  test("as JSON Lines has all nodes once and edges between them", async () => {
    const lines = parse((await cli(["export", "graph", ...IN])).out);
    const stats = await json<IndexStats>(["stats", ...IN]);
    const kinds = (kind: string) => lines.filter(({ node }) => node === kind);
    expect(
      kinds("passage")
        .map(({ passage }) => passage)
        .sort(),
    ).toEqual(ROWS.map(({ id }) => id).sort());
    expect(kinds("sentence")).toHaveLength(stats.sentences);
    expect(kinds("entity")).toHaveLength(stats.entities);
    const known = new Set<unknown>();
    for (const { node, id, source, target } of lines) {
      if (node !== undefined) known.add(id);
      else expect([known.has(source), known.has(target)]).toEqual([true, true]);
    }
    const names = new Map(kinds("entity").map(({ id, name }) => [id, name]));
    const contained = lines.filter(({ edge, source }) => edge === "contain" && source === "p:a");
    expect(new Map(contained.map(({ target, count, defines }) => [names.get(target), [count, defines]]))).toEqual(
      new Map<unknown, unknown>([
        ["blue lake", [1, true]],
        ["ada byron", [2, false]],
        ["lima", [1, false]],
      ]),
    );
    expect(lines.filter(({ edge, source }) => edge === "mention" && source === "s:0:a")).toHaveLength(2);
  });

  test("as GraphML is the same, in well-formed XML", async () => {
    const { out } = await cli(["export", "--format", "graphml", ...IN]);
    const lines = parse((await cli(["export", "graph", ...IN])).out);
    const found = readXml(out);
    expect(new Set(found.nodes.keys())).toEqual(
      new Set(lines.filter(({ id }) => id !== undefined).map(({ id }) => readable(id as string))),
    );
    const edges = lines.filter(({ edge }) => edge !== undefined);
    expect(found.edges.map((each) => JSON.stringify(each)).sort()).toEqual(
      edges
        .map(({ source, target, edge, count, defines }) =>
          JSON.stringify([readable(source as string), target && readable(target as string), edge, count, defines]),
        )
        .sort(),
    );
    expect(found.nodes.get("p:a")).toMatchObject({ kind: "passage", label: "Blue Lake" });
    expect([...found.nodes.values()].map(({ label }) => label)).toContain("Ada ]]> Byron & <Sons>");
  });

  test("what goes together is checked", async () => {
    for (const args of [
      ["passages", "--format", "graphml"],
      ["graph", "--vectors"],
      ["--format", "graphml", "--json"],
    ]) {
      expect((await cli(["export", ...args, ...IN])).code).toBe(EXIT.usage);
    }
  });
});

test("every text can be written in XML and read again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
      const escaped = escapeXml(text);
      const parser = new SaxesParser();
      let [inText, inAttribute] = ["", ""];
      parser.on("text", (part) => (inText += part));
      parser.on("opentag", ({ attributes }) => (inAttribute = attributes.a));
      parser.write(`<x a="${escaped}">${escaped}</x>`).close();
      expect(inText).toBe(readable(text));
      expect(inAttribute).toBe(readable(text));
    }),
  );
});

/** What is left of a text in XML, by the definition of Char in XML 1.0. */
function readable(text: string): string {
  return Array.from(text, (sign) => {
    const code = sign.codePointAt(0)!;
    const isChar =
      [0x9, 0xa, 0xd].includes(code) ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd) ||
      code >= 0x10000;
    return isChar ? sign : "\ufffd";
  }).join("");
}

function readXml(xml: string) {
  const nodes = new Map<string, Record<string, string>>();
  const edges: unknown[][] = [];
  const parser = new SaxesParser();
  let attributes: Record<string, string> = {};
  let data: Record<string, string> = {};
  let key: string | undefined;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    if (tag.name === "data") data[(key = (tag.attributes as Record<string, string>).key)] = "";
    else [attributes, data] = [tag.attributes as Record<string, string>, {}];
  });
  parser.on("text", (text) => {
    if (key !== undefined) data[key] += text;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "data") key = undefined;
    if (name === "node") nodes.set(attributes.id, data);
    if (name === "edge") {
      const { source, target } = attributes;
      const count = data.count === undefined ? undefined : Number(data.count);
      edges.push([source, target, data.kind, count, data.defines === undefined ? undefined : data.defines === "true"]);
    }
  });
  parser.write(xml).close();
  return { nodes, edges };
}
