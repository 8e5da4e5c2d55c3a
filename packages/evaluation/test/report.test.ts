import { parse, parseFragment, type ParserError } from "parse5";
import { beforeAll, describe, expect, test } from "vitest";
import { compareMethods, type ComparisonResult } from "../src/compare.js";
import type { Method } from "../src/methods/method.js";
import { trigraphMethod } from "../src/methods/trigraph.js";
import { VARIANTS } from "../src/methods/variants.js";
import { compareReports } from "../src/report/compare-reports.js";
import type { StoredReport } from "../src/report/files.js";
import { renderHtml } from "../src/report/html.js";
import { renderJson } from "../src/report/json.js";
import { renderMarkdown } from "../src/report/markdown.js";
import { PASSAGES, QUESTIONS } from "./support/data.js";

const HOSTILE = `<script>alert("x")</script> & 'q' | </td> <!-- \`c\` [l](javascript:x) *b*`;

/** Text that would be markup in a title, a text, a question, a type, a set and an id. */
const corpus = [...PASSAGES, { id: `id ${HOSTILE}`, title: HOSTILE, text: `Gothenburg ${HOSTILE}` }];
const questions = [
  { ...QUESTIONS[0], set: "plain" },
  {
    id: `q ${HOSTILE}`,
    question: `Gothenburg ${HOSTILE}?`,
    type: HOSTILE,
    set: HOSTILE,
    gold: [corpus[5].id, "mother"],
  },
];
const nothing: Method = {
  ...{ name: "nothing", description: `finds ${HOSTILE}`, embedder: "unused" },
  build: async () => ({ retrieve: () => [] }),
};
const last: Method = { ...nothing, name: "last", build: async () => ({ retrieve: () => [corpus[5].id, "mother"] }) };
const methods = [trigraphMethod("trigraph", VARIANTS.trigraph), nothing, last];

let result: ComparisonResult;
beforeAll(async () => {
  result = await compareMethods({ methods, corpus, questions, ks: [1, 2] });
});

describe("the page", () => {
  let page: string;
  beforeAll(async () => {
    page = await renderHtml(result.report, result.times);
  });

  test("is well-formed HTML", () => {
    const errors: ParserError[] = [];
    parse(page, { onParseError: (error) => errors.push(error), sourceCodeLocationInfo: true });
    expect(errors).toEqual([]);
  });

  test("needs nothing from elsewhere and runs nothing", () => {
    const elements = allElements(page);
    const names = new Set(elements.map(({ tagName }) => tagName));
    for (const name of ["script", "link", "iframe", "img", "object", "base"]) expect(names).not.toContain(name);
    const attributes = elements.flatMap(({ attrs }) => attrs);
    expect(attributes.filter(({ name }) => name.startsWith("on"))).toEqual([]);
    const links = attributes.filter(({ name }) => ["href", "src", "xlink:href", "action"].includes(name));
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ value }) => !value.startsWith("#"))).toEqual([]);
    expect(page).not.toMatch(/@import|url\(/);
  });

  test("links only to what it has", () => {
    const attributes = allElements(page).flatMap(({ attrs }) => attrs);
    const ids = attributes.filter(({ name }) => name === "id").map(({ value }) => value);
    expect(new Set(ids).size).toBe(ids.length);
    const links = attributes.filter(({ name }) => name === "href").map(({ value }) => value.slice(1));
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  test("has the place that a loss links to inside what is closed, so that following the link opens it", () => {
    const closed = allElements(page).filter(({ tagName }) => tagName === "details");
    const inside = closed.flatMap((element) => element.childNodes.flatMap((child) => allElements(child)));
    const isTarget = ({ attrs }: Element) => attrs.some(({ name, value }) => name === "id" && /^q\d+$/.test(value));
    expect(inside.filter(isTarget).length).toBeGreaterThan(0);
    expect(inside.filter(isTarget)).toHaveLength(allElements(page).filter(isTarget).length);
  });

  test("shows hostile text as it is: in tables, charts, failures and passages", () => {
    const text = textOf(page);
    expect(text.split(HOSTILE).length - 1).toBeGreaterThanOrEqual(10);
    expect(page).not.toContain("<script>");
  });

  test("has a chart for recall, differences and latency, in the page's colours, light and dark", () => {
    expect(allElements(page).filter(({ tagName }) => tagName === "svg")).toHaveLength(3);
    expect(page).toContain('fill="currentColor"');
    // Facets in the order of the depths and groups, not of the alphabet.
    const at = (label: string) => page.indexOf(`>${label}</text>`);
    expect(at("@1")).toBeGreaterThan(0);
    expect(at("@1")).toBeLessThan(at("@2"));
    expect(page).toContain("color-scheme: light dark");
  });

  test("shows gold ranks under each method, the path that led to a passage, and what moved it", () => {
    const text = textOf(page).replace(/\s+/g, " ");
    expect(text).toContain("fails: trigraph, nothing, last");
    expect(text).toContain("silent harbour → ada lindqvist");
    expect(text).toMatch(/p 0\.\d\d: \w+ [+−]\d+\.\d, \w+ [+−]\d+\.\d, \w+ [+−]\d+\.\d/);
  });
});

describe("Markdown", () => {
  test("has the tables and the losses, and hostile text escaped", async () => {
    const markdown = await renderMarkdown(result.report, result.times);
    expect(markdown).toContain("# Evaluation of retrieval");
    expect(markdown).toMatch(/\| trigraph +\|/);
    expect(markdown).toContain("## Where trigraph loses");
    // What opens a tag, a comment, a link, a cell or emphasis has a backslash before it.
    expect(markdown).not.toMatch(/(?<!\\)<(script|!--)/);
    expect(markdown).not.toMatch(/(?<!\\)\[l\]/);
    const rows = markdown.split("\n").filter((line) => line.startsWith("| type "));
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(6);
  });
});

describe("JSON", () => {
  test("is the same for the same input, byte for byte, and holds no time", async () => {
    const again = await compareMethods({ methods, corpus, questions, ks: [1, 2] });
    expect(renderJson(again.report)).toBe(renderJson(result.report));
    expect(renderJson(result.report)).not.toMatch(/millisecond|p50|"index"/);
  });

  test("depends on the seed by its intervals alone", async () => {
    const other = await compareMethods({ methods, corpus, questions, ks: [1, 2], seed: 2 });
    expect(other.report.questions).toEqual(result.report.questions);
    const means = ({ report }: ComparisonResult) =>
      report.groups.flatMap(({ measures }) => measures.flatMap((each) => each.methods.map(({ mean }) => mean)));
    expect(means(other)).toEqual(means(result));
  });
});

describe("compareReports", () => {
  /** A report of one method with some recalls at 5, by the question's id. */
  const reportOf = (recalls: Record<string, number>, sha256 = "a"): StoredReport => ({
    format: "trigraph-eval",
    version: 1,
    settings: { ks: [5], titles: true },
    corpus: { sources: [{ name: "corpus.jsonl", sha256 }] },
    measures: ["recall@5"],
    methods: [{ name: "mine" }],
    questions: Object.entries(recalls).map(([id, recall]) => ({
      ...{ id, question: `${id}?`, methods: [{ method: "mine", measures: { "recall@5": recall } }] },
    })),
  });

  test("tells the change of each measure, and which questions have become worse", () => {
    const before = reportOf({ a: 1, b: 0.5, c: 1, old: 1 });
    const found = compareReports(before, reportOf({ c: 0.5, b: 1, a: 0, new: 1 }, "b"));
    expect(found).toMatchObject({ questions: 3, onlyBefore: ["old"], onlyAfter: ["new"], sameCorpus: false });
    const [{ measure, before: old, after, change, worse }] = found.methods[0].measures;
    expect([measure, old, after]).toEqual(["recall@5", 2.5 / 3, 0.5]);
    expect(change.difference).toBeCloseTo(-1 / 3, 12);
    expect([change.better, change.equal, change.worse]).toEqual([1, 0, 2]);
    // Of the signs of −1, −½ and ½ those with |sum| ≥ 1: all but ±(1 − ½ − ½).
    expect(change.p).toBe(6 / 8);
    expect(worse.map(({ id }) => id)).toEqual(["a", "c"]);
  });

  test("refuses reports with nothing in common", () => {
    expect(() => compareReports(reportOf({ a: 1 }), reportOf({ b: 1 }))).toThrow("a question in common");
    const other = { ...reportOf({ a: 1 }), methods: [{ name: "yours" }] };
    expect(() => compareReports(reportOf({ a: 1 }), other)).toThrow("a method in common");
  });
});

interface Element {
  readonly tagName: string;
  readonly attrs: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes: readonly object[];
}

function allElements(root: string | object): Element[] {
  const found: Element[] = [];
  const visit = (node: object) => {
    if ("tagName" in node) found.push(node as Element);
    if ("childNodes" in node) for (const child of node.childNodes as object[]) visit(child);
  };
  visit(typeof root === "string" ? parse(root) : root);
  return found;
}

/** The text of a page, as a reader has it. */
function textOf(page: string): string {
  const parts: string[] = [];
  const visit = (node: object) => {
    if ("nodeName" in node && node.nodeName === "style") return;
    if ("value" in node) parts.push(node.value as string);
    if ("childNodes" in node) for (const child of node.childNodes as object[]) visit(child);
  };
  visit(parseFragment(page));
  return parts.join("");
}
