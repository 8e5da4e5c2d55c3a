// The sessions of README.md: what is typed gives what is shown. `cat FILE` shows a file that the session works with.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cli, Folder } from "./support/cli.js";

const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
const commands = [...readme.matchAll(/^```console\n([^]*?)^```$/gm)].flatMap(([, block]) =>
  block
    .split(/^\$ /m)
    .filter((part) => part !== "")
    .map((part) => {
      const end = part.indexOf("\n");
      return { line: part.slice(0, end), shown: part.slice(end + 1).trimEnd() };
    }),
);

const folder = new Folder();
const before = process.cwd();
afterAll(() => {
  process.chdir(before);
  folder.remove();
});

test("the session in README.md goes as it says", async () => {
  expect(commands.length).toBeGreaterThan(8);
  process.chdir(folder.path);
  for (const { line, shown } of commands) {
    const [program, ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
    if (program === "cat") {
      folder.write(args[0], `${shown}\n`);
      continue;
    }
    expect([program, args.shift()], line).toEqual(["npx", "trigraph"]);
    const { out, err } = await cli([...args, ...(args[0] === "index" ? ["-q"] : [])]);
    expect(withoutTrailingSpace(out), `${line}\n${err}`).toBe(shown);
  }
});

function withoutTrailingSpace(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trimEnd();
}
