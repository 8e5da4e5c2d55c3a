// The documents say of errors, options and defaults what the sources say.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { DEFAULT_RANKING } from "@trigraph/core";
import { describe, expect, test } from "vitest";
import { publishedPackages, root } from "./support/workspace.js";

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

describe("installing", () => {
  const manifests = new Map(publishedPackages().map(({ manifest }) => [manifest.name, manifest]));
  // The core's own README is a copy of the root's, made when it is packed.
  const folders = [".", "docs", ...publishedPackages().map(({ dir }) => dir)].filter((dir) => dir !== "packages/core");
  const files = folders.flatMap((dir) =>
    readdirSync(join(root, dir))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(dir, name)),
  );
  const installs = files.flatMap((file) =>
    [...read(file).matchAll(/^npm install .*trigraph.*$/gm)].map(([command]) => ({ file, command })),
  );

  test("is told for each package", () => {
    const told = installs.flatMap(({ command }) => tarballs(command));
    expect([...new Set(told)].sort()).toEqual([...manifests.keys()].sort());
  });

  test.each(installs)("$file: $command brings the tarball of each package that is needed", ({ command }) => {
    // None is on a registry, so npm finds no other.
    expect(command).not.toMatch(/ @trigraph/);
    const brought = tarballs(command);
    expect(brought).toEqual(expect.arrayContaining(brought.flatMap(needs)));
  });

  function tarballs(command: string): string[] {
    return [...command.matchAll(/PATH\/packed\/trigraph-(\w+)-([\d.]+)\.tgz/g)].map(([, name, version]) => {
      expect(manifests.get(`@trigraph/${name}`)?.version, name).toBe(version);
      return `@trigraph/${name}`;
    });
  }

  function needs(name: string): string[] {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifests.get(name)!;
    const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
    return [...Object.keys(dependencies), ...peers].filter((each) => each.startsWith("@trigraph/"));
  }
});

describe("tuning.md", () => {
  const { "Of an index": ofIndex, "Of a question": ofQuestion, ...others } = optionRows(read("docs/tuning.md"));
  const ofRanking = Object.values(others).flat();
  const names = (rows: readonly OptionRow[]) => rows.map(({ name }) => name).sort();

  test("has a row for each option of an index, and none for one that is gone", () => {
    const options = members("packages/core/src/trigraph.ts", ["TriGraphOptions", "OpenOptions"]);
    expect(names(ofIndex)).toEqual(options.sort());
  });

  test("has a row for each option of a question, and none for one that is gone", () => {
    const options = members("packages/core/src/types.ts", ["CallOptions", "NearestOptions", "RetrieveOptions"]);
    expect(names(ofQuestion)).toEqual(options.sort());
  });

  test("has a row with its default for each setting of a ranking", () => {
    expect(names(ofRanking)).toEqual(Object.keys(DEFAULT_RANKING).sort());
    const defaults = new Map(ofRanking.map(({ name, value }) => [name, value]));
    for (const [name, value] of Object.entries(DEFAULT_RANKING)) {
      if (typeof value !== "object") expect(defaults.get(name), name).toBe(`\`${JSON.stringify(value)}\``);
    }
  });
});

interface OptionRow {
  readonly name: string;
  /** The second cell: the default. */
  readonly value: string;
}

/** The rows whose first cell is a name in code, by the heading that they stand under. */
function optionRows(markdown: string): Record<string, OptionRow[]> {
  const sections = markdown.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => [
      section.slice(0, section.indexOf("\n")),
      [...section.matchAll(/^\| `(\w+)` \| (.*?) ?\|/gm)].map(([, name, value]) => ({ name, value })),
    ]),
  );
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
