// The page as text; page.test.ts opens it in a browser.
import { createHash } from "node:crypto";
import { parse, type ParserError } from "parse5";
import { describe, expect, test } from "vitest";
import { explore, toHtml } from "../src/index.js";
import { piecesOf } from "../src/html/pieces.js";
import { formatScore } from "../src/html/rank-table.js";
import { shortened, visible } from "../src/html/visible.js";
import { CHAIN, CHAIN_QUESTION, indexOf } from "./support/corpus.js";
import { HOSTILE, HOSTILE_QUESTION } from "./support/hostile.js";

const plain = await explore(await indexOf(CHAIN), CHAIN_QUESTION, { k: 4 });
const hostile = await explore(await indexOf(HOSTILE), HOSTILE_QUESTION, { k: 3 });

function parseErrors(page: string): string[] {
  const errors: string[] = [];
  parse(page, { onParseError: ({ code, startLine }: ParserError) => errors.push(`${startLine}: ${code}`) });
  return errors;
}

describe("toHtml", () => {
  test.each([
    ["plain", plain],
    ["hostile", hostile],
  ])("writes one well-formed page of %s text", (_name, view) => {
    const page = toHtml(view);
    expect(page.startsWith("<!doctype html>")).toBe(true);
    expect(parseErrors(page)).toEqual([]);
    // Its data and its script, whatever the texts say.
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page.match(/<\/script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|[\u202a-\u202e\u2066-\u2069]/u);
    expect(toHtml(JSON.parse(JSON.stringify(view)) as typeof view)).toBe(page);
  });

  test("admits nothing but its own script and style, by their hashes", () => {
    const page = toHtml(plain);
    const [policy] = /(?<=Content-Security-Policy" content=")[^"]*/.exec(page)!;
    const directives = new Map(
      policy
        .replaceAll("&#39;", "'")
        .split("; ")
        .map((directive) => [directive.split(" ")[0], directive.split(" ").slice(1).join(" ")]),
    );
    const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const [script] = /(?<=<script>)[^]*?(?=<\/script>)/.exec(page)!;
    const [style] = /(?<=<style>)[^]*?(?=<\/style>)/.exec(page)!;
    expect(Object.fromEntries(directives)).toEqual({
      "default-src": "'none'",
      "script-src": hashOf(script),
      "style-src": hashOf(style),
      "base-uri": "'none'",
      "form-action": "'none'",
    });
    expect(page).not.toMatch(/\s(?:src|on\w+|style)=/);
    for (const [, href] of page.matchAll(/\shref="([^"]*)"/g)) expect(href).toMatch(/^#/);
  });

  test("hands on the licences of the libraries in it", () => {
    const [script] = /(?<=<script>)[^]*?(?=<\/script>)/.exec(toHtml(plain))!;
    for (const name of ["@dagrejs/dagre", "d3-drag", "d3-selection", "d3-shape", "d3-zoom"]) {
      expect(script.slice(0, script.indexOf("*/"))).toContain(name);
    }
    expect(script).toMatch(/Permission is hereby granted, free of charge/);
  });

  test("links lead to elements that are there, each id once", () => {
    const page = toHtml(hostile);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/\shref="#([^"]*)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("is titled by the question or as asked, escaped", () => {
    expect(toHtml(plain)).toContain(`<title>${CHAIN_QUESTION}</title>`);
    expect(toHtml(plain, { title: "A <b>\u202e" })).toContain("<title>A &lt;b&gt;\ufffd</title>");
  });

  test.each([undefined, null, {}, { format: 2 }])("refuses %j", (view) => {
    expect(() => toHtml(view as never)).toThrow(
      /^toHtml: expected an exploration of format 1, as explore makes it, got/,
    );
  });
});

describe("text", () => {
  test("that hides or reorders is made visible, at the same length", () => {
    expect(visible("a\u0000b\u202ec\u2069\ud83dd\u009b")).toBe("a\ufffdb\ufffdc\ufffd\ufffdd\ufffd");
    expect(visible("tab\t line\n \u200f שלום 😀")).toBe("tab\t line\n \u200f שלום 😀");
    expect(visible("a\r\nb\rc")).toBe("a \nb\nc");
  });

  test("is cut between characters", () => {
    expect(shortened("abcd", 4)).toBe("abcd");
    expect(shortened("ab cde", 4)).toBe("ab…");
    expect(shortened("😀😀😀", 2)).toBe("😀…");
  });

  test("is cut into pieces that make it again, whatever overlaps", () => {
    const text = "0123456789";
    const marks = [
      { start: 1, end: 3, name: "a" },
      { start: 3, end: 6, name: "b" },
      { start: 8, end: 10, name: "c" },
    ];
    const pieces = piecesOf(text, marks, { start: 2, end: 9 });
    expect(pieces.map(({ text, mark, highlighted }) => [text, mark?.name ?? "", highlighted])).toEqual([
      ["0", "", false],
      ["1", "a", false],
      ["2", "a", true],
      ["345", "b", true],
      ["67", "", true],
      ["8", "c", true],
      ["9", "c", false],
    ]);
    expect(piecesOf(text, [], null)).toEqual([{ text, mark: undefined, highlighted: false }]);
    expect(piecesOf("", [], null)).toEqual([]);
  });

  test("scores have three digits", () => {
    expect([0, 1, 0.5, 0.0012345, 0.0000123, -2.5].map(formatScore)).toEqual([
      ...["0", "1.00", "0.500", "0.00123", "1.2e−5", "-2.50"],
    ]);
  });
});
