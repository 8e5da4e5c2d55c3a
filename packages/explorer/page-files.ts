import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";

const NAME = "virtual:page-files";
const RESOLVED = `\0${NAME}`;
const FOLDER = join(import.meta.dirname, "src", "page");

/**
 * What the written page holds, as the module "virtual:page-files": its script, bundled with the libraries it needs and
 * their licences, its style, and the hashes of both by which its content security policy admits them. So the package
 * has no dependency on what only the page runs. For tsdown and vitest alike.
 */
export function pageFiles() {
  return {
    name: "page-files",
    resolveId: (id: string) => (id === NAME ? RESOLVED : null),
    async load(id: string) {
      if (id !== RESOLVED) return null;
      const { outputFiles, metafile } = await build({
        entryPoints: [join(FOLDER, "main.ts"), join(FOLDER, "style.css")],
        outdir: FOLDER,
        absWorkingDir: import.meta.dirname,
        bundle: true,
        minify: true,
        format: "iife",
        target: ["es2022", "chrome123", "firefox120", "safari17.5"],
        charset: "utf8",
        legalComments: "none",
        metafile: true,
        write: false,
      });
      const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))!.text.trim();
      const script = `${licencesOf(metafile)}\n${withoutControls(textOf(".js"))}`;
      const style = textOf(".css");
      if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) {
        throw new Error("The page's script or style would end its own element. Write it in another way.");
      }
      const module = { script, scriptHash: hashOf(script), style, styleHash: hashOf(style) };
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join("\n");
    },
  };
}

/** Control characters, which libraries have in strings and no HTML may have, as escapes. */
function withoutControls(code: string): string {
  return code.replace(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** As a content security policy names it. */
function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** A comment with the licence of every package in the bundle; equal ones once. */
function licencesOf({ inputs }: Metafile): string {
  const folders = new Set<string>();
  for (const path of Object.keys(inputs)) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found !== null) folders.add(join(import.meta.dirname, found[1]));
  }
  const names = new Map<string, string[]>();
  for (const folder of [...folders].sort()) {
    const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name: string };
    const licence = licenceIn(folder);
    names.set(licence, [...(names.get(licence) ?? []), name]);
  }
  const texts = [...names].map(([licence, packages]) => `${packages.join(", ")}\n\n${licence}`);
  return `/*!\n${texts.join("\n\n").replaceAll("*/", "* /")}\n*/`;
}

function licenceIn(folder: string): string {
  const file = existsSync(folder) ? readdirSync(folder).find((name) => /^licen[cs]e/i.test(name)) : undefined;
  if (file === undefined) throw new Error(`${folder} has no licence to hand on.`);
  return readFileSync(join(folder, file), "utf8").trim();
}
