// The documents say of errors, options and defaults what the sources say.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { DEFAULT_RANKING } from "@trigraph/core";
import { describe, expect, test } from "vitest";
import { root } from "./support/workspace.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("troubleshooting.md has a heading for each error code, and none for a code that is gone", () => {
  const headings = [...read("docs/troubleshooting.md").matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code);
  const files = readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/src/errors.ts`)
    .filter((file) => ts.sys.fileExists(join(root, file)));
  const codes = new Set(files.flatMap(errorCodes));
  expect(codes.size).toBeGreaterThan(10);
  expect(headings.sort()).toEqual([...codes].sort());
});

describe("tuning.md", () => {
  const rows = tableRows(read("docs/tuning.md"));

  test("has a row for each option of an index, a question and a ranking, and none for one that is gone", () => {
    const options = [
      ...members("packages/core/src/trigraph.ts", ["TriGraphOptions", "OpenOptions"]),
      ...members("packages/core/src/types.ts", ["CallOptions", "NearestOptions", "RetrieveOptions"]),
      ...Object.keys(DEFAULT_RANKING),
    ];
    expect([...rows.keys()].sort()).toEqual(options.sort());
  });

  test("tells the defaults of a ranking", () => {
    const numbersAndNames = Object.entries(DEFAULT_RANKING).filter(([, value]) => typeof value !== "object");
    expect(numbersAndNames.length).toBeGreaterThan(20);
    for (const [name, value] of numbersAndNames) expect(rows.get(name), name).toBe(`\`${JSON.stringify(value)}\``);
  });
});

/** The second cells of all rows whose first cell is a name in code, by that name. */
function tableRows(markdown: string): Map<string, string> {
  const found = [...markdown.matchAll(/^\| `(\w+)` \| (.*?) ?\|/gm)];
  const rows = new Map(found.map(([, name, second]) => [name, second]));
  if (rows.size !== found.length) throw new Error("tuning.md has two rows for one option");
  return rows;
}

/** What a type called …ErrorCode, or a property `code`, may be. */
function errorCodes(file: string): string[] {
  const codes: string[] = [];
  visit(parse(file), (node) => {
    const isCode =
      (ts.isTypeAliasDeclaration(node) && node.name.text.endsWith("ErrorCode")) ||
      (ts.isPropertyDeclaration(node) && node.name.getText() === "code");
    if (!isCode) return;
    visit(node, (inner) => {
      if (ts.isLiteralTypeNode(inner) && ts.isStringLiteral(inner.literal)) codes.push(inner.literal.text);
    });
  });
  return codes;
}

function members(file: string, interfaces: readonly string[]): string[] {
  return interfaces.flatMap((name) => {
    const names: string[] = [];
    visit(parse(file), (node) => {
      if (!ts.isInterfaceDeclaration(node) || node.name.text !== name) return;
      names.push(...node.members.flatMap((member) => member.name?.getText() ?? []));
    });
    if (names.length === 0) throw new Error(`${file} has no interface ${name}`);
    return names;
  });
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2022, true);
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}
