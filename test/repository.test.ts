// What the files at the root promise each other.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAMS, SERVED } from "../scripts/lib/examples.mjs";
import { WORKSPACE_GLOBS } from "../scripts/lib/workspace.mjs";
import { root } from "./support/workspace.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the bootstrap knows the folders of the workspace", () => {
  const listed = /^packages:\n((?: {2}- .*\n)+)/m.exec(read("pnpm-workspace.yaml"))![1];
  expect([...listed.matchAll(/"(.+)"/g)].map(([, glob]) => glob)).toEqual(WORKSPACE_GLOBS);
});

test("the lock file leaves it to the user where packages come from", () => {
  // What a maintainer says of a deprecated package may hold a link.
  const lock = read("pnpm-lock.yaml").replace(/^ +deprecated: .*$/gm, "");
  expect(lock).not.toMatch(/https?:|tarball:/);
});

test("every gold passage of the demo's questions is in its corpus", () => {
  const rows = <T>(path: string) =>
    read(path)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as T);
  const ids = new Set(rows<{ id: string }>("examples/demo/data/corpus.jsonl").map(({ id }) => id));
  const gold = rows<{ gold: string[] }>("examples/demo/data/questions.jsonl").flatMap((question) => question.gold);
  expect(gold.length).toBeGreaterThan(0);
  expect(gold.filter((id) => !ids.has(id))).toEqual([]);
});

test("each program that npm run example knows is there, and is told of with its command", () => {
  const table = read("examples/README.md");
  for (const name of PROGRAMS) {
    const [folder, program = "main"] = name.split("/");
    const source = `examples/${folder}/src/${program}.ts`;
    expect(existsSync(join(root, source)), source).toBe(true);
    expect(read(`examples/${folder}/tsdown.config.ts`)).toContain(`${program}: "src/${program}.ts"`);
    expect(table).toContain(`[${name}](${folder}/src/${program}.ts) | \`npm run example -- ${name}`);
    expect(read(source)).toContain(`npm run example -- ${name}\n`);
  }
  for (const name of SERVED) {
    expect(read(`examples/${name}/serve.mjs`)).toContain(`npm run example -- ${name}\``);
    expect(table).toMatch(
      new RegExp(`^\\| \\[${name}\\]\\(${name}/src/.*\\) \\| \`npm run example -- ${name}\` \\|`, "m"),
    );
  }
});
