// The code in the documents works. A block marked ts or js is a program of its own: it is type-checked (ts) and run,
// in an empty folder from which the packages resolve. A block "text output" right after it is what it prints.
// "ts no-run" is only type-checked: for what needs a service, or is meant to run for long. OpenAI's interface is a
// local server's.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { transform } from "esbuild";
import ts from "typescript";
import { startLocalOpenAi, type LocalOpenAi } from "@trigraph/local-openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Block, codeBlocks } from "./support/markdown.js";
import { run } from "./support/processes.js";
import { root } from "./support/workspace.js";

interface Snippet extends Block {
  readonly title: string;
  /** The folder that the snippet is run in; it is empty but for the snippet. */
  readonly folder: string;
  readonly output: string | undefined;
}

mkdirSync(join(root, "test", ".tmp"), { recursive: true });
const folder = mkdtempSync(join(root, "test", ".tmp", "readme-"));
const documents = findDocuments();
const snippets = documents.flatMap(findSnippets);

let openAi: LocalOpenAi;
beforeAll(async () => {
  openAi = await startLocalOpenAi();
});
afterAll(async () => {
  await openAi.close();
  rmSync(folder, { recursive: true, force: true });
});

test("README.md has an example with its output", () => {
  const shown = snippets.filter(({ title, output }) => title.startsWith("README.md:") && output !== undefined);
  expect(shown.length).toBeGreaterThan(0);
});

describe.skipIf(snippets.length === 0)("code in documents", () => {
  test("has right types", () => {
    expect(typeErrors(snippets.filter(({ language }) => language === "ts"))).toEqual([]);
  });

  const runnable = snippets.filter(({ flags }) => !flags.includes("no-run"));
  test.skipIf(runnable.length === 0).each(runnable)("$title runs", async (snippet) => {
    const { code: program } = await transform(snippet.code, {
      loader: snippet.language === "ts" ? "ts" : "js",
      target: "node20",
      sourcefile: snippet.title,
    });
    const commonJs = snippet.language === "js" && /\brequire\(/.test(program);
    const file = join(snippet.folder, commonJs ? "snippet.cjs" : "snippet.mjs");
    writeFileSync(file, program);

    const { code, stdout, stderr } = await run(process.execPath, [file], snippet.folder, {
      env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: openAi.url },
    });

    expect(code, stderr).toBe(0);
    if (snippet.output !== undefined) expect(withoutTrailingSpace(stdout)).toBe(withoutTrailingSpace(snippet.output));
  });
});

/** The Markdown at the root, in docs/ and in the packages, but not what a package got copied when it was packed. */
function findDocuments(): string[] {
  const papers = new Set(["LICENSE", "NOTICE", "CHANGELOG.md"]);
  const inFolder = (dir: string) =>
    existsSync(join(root, dir))
      ? readdirSync(join(root, dir))
          .filter((name) => name.endsWith(".md") && !papers.has(name))
          .map((name) => join(dir, name))
      : [];
  const packages = readdirSync(join(root, "packages")).filter((name) => name !== "core");
  return [".", "docs", ...packages.map((name) => join("packages", name))].flatMap(inFolder);
}

function findSnippets(document: string): Snippet[] {
  const blocks = codeBlocks(readFileSync(join(root, document), "utf8"));
  return blocks.flatMap((block, i) => {
    if (block.language !== "ts" && block.language !== "js") return [];
    const title = `${relative(".", document)}:${block.line}`;
    const own = join(folder, title.replace(/[^\w.]+/g, "-"));
    mkdirSync(own);
    const next = blocks[i + 1];
    const output = next?.language === "text" && next.flags.includes("output") ? next.code : undefined;
    return [{ ...block, title, folder: own, output }];
  });
}

function typeErrors(checked: readonly Snippet[]): string[] {
  const titles = new Map<string, string>();
  for (const snippet of checked) {
    const file = join(snippet.folder, "snippet.ts");
    // A snippet without imports is a module all the same: its names are its own, and it may await.
    writeFileSync(file, `${snippet.code}\nexport {};\n`);
    titles.set(basename(snippet.folder), snippet.title);
  }
  const program = ts.createProgram(
    checked.map((snippet) => join(snippet.folder, "snippet.ts")),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    },
  );
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, "\n");
    if (file === undefined) return message;
    const title = titles.get(basename(join(file.fileName, ".."))) ?? file.fileName;
    return `${title}, line ${file.getLineAndCharacterOfPosition(start ?? 0).line + 1} of the block: ${message}`;
  });
}

function withoutTrailingSpace(text: string): string {
  return text.replace(/[ \t]+$/gm, "").trimEnd();
}
