// The documentation site, `npm run docs`: the guides of docs/ and of the packages, and the API reference from docstrings.
// One program reads the sources of all published packages, so that a type of one package is linked from the others.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Converter, ReflectionKind } from "typedoc";
import { members, root } from "./scripts/lib/workspace.mjs";

const published = [...members().values()].filter(({ manifest }) => manifest.private !== true);

/** What users import, and the file that it is built from. */
const entries = published.flatMap(({ dir, name, manifest }) =>
  Object.keys(manifest.exports ?? {})
    .filter((path) => path !== "./package.json")
    .map((path) => ({
      specifier: join(name, path),
      file: join(dir, "src", path === "." ? "index.ts" : `${path.slice(2)}.ts`),
    })),
);

/** In the order in which a newcomer reads them; others follow. */
const READING_ORDER = ["README.md", "getting-started.md", "concepts.md", "langchain.md", "llamaindex.md"];
const place = (name) => (READING_ORDER.includes(name) ? READING_ORDER.indexOf(name) : READING_ORDER.length);
const guides = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .sort((a, b) => place(a) - place(b))
  .map((name) => `docs/${name}`);

/** The root's README is the first page. The core's is a copy of it, there when the package was packed. */
const packageDocuments = published
  .filter(({ dir }) => dir !== "packages/core")
  .flatMap(({ dir }) => readdirSync(join(root, dir)).map((name) => join(dir, name)))
  .filter((file) => file.endsWith(".md") && !file.endsWith("CHANGELOG.md"));

/** @type {import("typedoc").TypeDocOptions} */
export default {
  name: "trigraph",
  out: "site",
  tsconfig: "tsconfig.docs.json",
  customCss: "docs/site.css",
  entryPoints: entries.map(({ file }) => file),
  // The compiler has checked the types elsewhere; here it takes longer than all the rest.
  skipErrorChecking: true,
  projectDocuments: [
    ...guides,
    ...packageDocuments,
    "packages/*/data/**/README.md",
    ...readdirSync(root).filter((name) => name.endsWith(".md") && name !== "README.md"),
  ],
  plugin: [named],
  sort: ["source-order"],
  sortEntryPoints: false,
  excludePrivate: true,
  // What a framework's class brings along is told in the framework's own reference.
  excludeExternals: true,
  // Links to lines of the sources would need to know where the repository is.
  disableSources: true,
  validation: { invalidLink: true, invalidPath: true, notExported: true, notDocumented: true },
  // A property may be told by its name and type; whatever is exported says in a sentence what it is.
  requiredToBeDocumented: ["Class", "Interface", "TypeAlias", "Variable", "Function", "Method", "Accessor"],
  packagesRequiringDocumentation: published.map(({ name }) => name),
  treatWarningsAsErrors: true,
};

/** Modules are called as they are imported, documents as their first heading says. */
function named(app) {
  // TypeDoc calls a module by its file's path below the folder that all of them share.
  const specifiers = new Map(entries.map(({ specifier, file }) => [moduleName(file), specifier]));
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const specifier = specifiers.get(reflection.name);
    if (specifier === undefined) throw new Error(`typedoc.config.mjs: no package exports "${reflection.name}"`);
    reflection.name = specifier;
  });
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const heading = /^# (.+)$/m.exec(document.content[0].text);
    if (heading?.index !== 0) throw new Error(`typedoc.config.mjs: "${document.name}" does not begin with a heading`);
    document.name = heading[1];
  });
}

function moduleName(file) {
  return file.replace(/^packages\//, "").replace(/(\/index)?\.ts$/, "");
}
