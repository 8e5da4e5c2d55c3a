import { readFile } from "node:fs/promises";
import { MemoryDirectory, type Passage, TriGraph } from "@trigraph/core";
import type { Rolldown } from "tsdown";

const MODULE = "virtual:index";

/** Passages of the corpus: an index of 0.5 MB, where platforms take functions of some 3 MB compressed. */
export const PASSAGES = 200;

/** Indexes a corpus while the function is bundled: `virtual:index` has the files of the index, in base64. */
export function prebuiltIndex(corpus: URL): Rolldown.Plugin {
  return {
    name: "prebuilt-index",
    resolveId: (id) => (id === MODULE ? MODULE : null),
    load: async (id) => (id === MODULE ? `export default ${JSON.stringify(await indexFiles(corpus))}` : null),
  };
}

async function indexFiles(corpus: URL): Promise<[name: string, base64: string][]> {
  const lines = (await readFile(corpus, "utf8")).split("\n").slice(0, PASSAGES);
  const index = await TriGraph.create();
  await index.upsert(lines.map((line) => JSON.parse(line) as Passage));
  const directory = new MemoryDirectory();
  await index.save(directory);
  const files: [string, string][] = [];
  for (const name of await directory.list()) {
    files.push([name, Buffer.from(await directory.read(name)).toString("base64")]);
  }
  return files;
}
