/**
 * Indexes as each format was written, in `golden/format-<manifest>-<segment>/`. Those of former formats are read for ever;
 * that of the current one is also written anew, and has the same bytes.
 *
 * After a change of the current format that was not released, `TRIGRAPH_WRITE_GOLDEN=1` makes its files anew; a released
 * one gets a new number and a new folder.
 */
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import type * as Defaults from "../../src/defaults.js";
import { type Directory, MemoryDirectory, type Passage, TriGraph, type VectorPrecision } from "../../src/index.js";
import { FileDirectory } from "../../src/node.js";

// Three dead passages are a file.
vi.mock("../../src/defaults.js", async (original) => ({
  ...(await original<typeof Defaults>()),
  MAX_INLINE_DEAD: 2,
}));

const FOLDER = fileURLToPath(new URL("golden", import.meta.url));
const CURRENT = "format-1-3";
const PRECISIONS: readonly VectorPrecision[] = ["float32", "int8"];

const PASSAGES: readonly Passage[] = [
  {
    id: "quill",
    title: "Ada Quill",
    text: "Ada Quill was a painter. She was born in Norwick in 1931.",
    vector: [1, 0, 0, 0],
  },
  { id: "stone", title: "Bram Stone", text: "Bram Stone wrote The Glass Harbor.", vector: [0, 1, 0, 0] },
  { id: "harbor", title: "The Glass Harbor", text: "The Glass Harbor is about Ada Quill.", vector: [1, 1, 0, 0] },
  {
    id: "norwick",
    title: "Norwick (town)",
    text: "Norwick is a town with a mill.",
    metadata: { kind: "town", mills: 1 },
    vector: [0, 0, 1, 0],
  },
  { id: "straße", text: "Überall in Delmar stehen Mühlen.\n\nCorvin Hale built them.", vector: [0, 0, 0, 0] },
  { id: "old 1", text: "It was sold in 1932.", vector: [1, 2, 3, 4] },
  { id: "old 2", text: "Nothing is known of Elva Marsh.", vector: [4, 3, 2, 1] },
  { id: "changed", text: "The mill stood in Delmar.", vector: [0, 1, 1, 0] },
];
const LATER: readonly Passage[] = [
  { id: "changed", text: "The mill stands in Norwick.", vector: [0, 1, 1, 1] },
  { id: "hale", title: "Corvin Hale", text: "Corvin Hale taught Bram Stone in Delmar.", vector: [-1, 0, 0, 1] },
  { id: "old 3", text: "The school of Port Elva was closed.", vector: [1, 0, 1, 0] },
  { id: "marsh", title: "Elva Marsh", text: "Elva Marsh taught Corvin Hale.", vector: [0.5, 0.25, 0.125, 0] },
];

async function write(directory: Directory, vectorPrecision: VectorPrecision): Promise<void> {
  const index = await TriGraph.open(directory, { create: true, vectorPrecision });
  await index.upsert(PASSAGES);
  await index.upsert(LATER);
  await index.delete(["old 1", "old 2", "old 3"]);
  await index.close();
}

/** The files but for the writer's random digits, and the checksum that depends on them. */
async function contentOf(directory: Directory): Promise<Record<string, string>> {
  const anonymous = (text: string) =>
    text.replaceAll(/-[0-9a-f]{16}-/g, "-writer-").replace(/"checksum":\d+,"formatV/, '"formatV');
  const content: Record<string, string> = {};
  for (const name of await directory.list()) {
    const bytes = Buffer.from(await directory.read(name));
    content[anonymous(name)] = name.endsWith(".json") ? anonymous(bytes.toString()) : bytes.toString("hex");
  }
  return content;
}

if (process.env.TRIGRAPH_WRITE_GOLDEN !== undefined) {
  await rm(join(FOLDER, CURRENT), { recursive: true, force: true });
  for (const precision of PRECISIONS) await write(new FileDirectory(join(FOLDER, CURRENT, precision)), precision);
}

const formats = await readdir(FOLDER);

describe.each(formats.flatMap((format) => PRECISIONS.map((precision) => [format, precision] as const)))(
  "an index of %s with vectors in %s",
  (format, precision) => {
    const directory = new FileDirectory(join(FOLDER, format, precision));

    it("has two segments, one with a file of its dead passages and one with few", async () => {
      const names = await directory.list();
      expect(names.map((name) => name.replace(/^.*\./, ".")).sort()).toEqual([".dead", ".json", ".seg", ".seg"]);
      const manifest = JSON.parse(new TextDecoder().decode(await directory.read(names[0]))) as {
        segments: { dead: unknown }[];
      };
      expect(manifest.segments.map(({ dead }) => (Array.isArray(dead) ? dead.length : "file"))).toEqual(["file", 1]);
    });

    it("is sound, holds what was written and answers", async () => {
      const index = await TriGraph.open(directory, { readOnly: true });
      expect(await index.check()).toEqual([]);
      const expected = new Map([...PASSAGES, ...LATER].map(({ vector: _, ...passage }) => [passage.id, passage]));
      for (const id of ["old 1", "old 2", "old 3"]) expected.delete(id);
      expect(new Map([...index.passages()].map((passage) => [passage.id, passage]))).toEqual(expected);
      expect(index.stats()).toMatchObject({ passages: 8, segments: 2, deadPassages: 4, dimensions: 4 });

      const [first] = await index.retrieve("Where was the painter Ada Quill born?");
      expect(first.passage.id).toBe("quill");
      const nearest = await index.nearest([1, 1, 0, 0.1], { k: 2 });
      expect(nearest.map(({ passage: { id } }) => id)).toEqual(["harbor", "marsh"]);
      expect(nearest[0].score).toBeCloseTo(2 / Math.sqrt(2 * 2.01), 4);
    });

    it("can be written to, in a copy", async () => {
      const copy = new MemoryDirectory();
      for (const name of await directory.list()) await copy.write(name, [await directory.read(name)]);
      const index = await TriGraph.open(copy);
      await index.upsert([{ id: "new", text: "Ada Quill came to Delmar.", vector: [1, 1, 1, 1] }]);
      await index.merge();
      await index.close();
      const again = await TriGraph.open(copy, { readOnly: true });
      expect(again.stats()).toMatchObject({ passages: 9, segments: 1, deadPassages: 0 });
      expect(await again.check()).toEqual([]);
    });
  },
);

describe("the current format", () => {
  it.each(PRECISIONS)("written anew has the same bytes: %s", async (precision) => {
    expect(existsSync(join(FOLDER, CURRENT))).toBe(true);
    const directory = new MemoryDirectory();
    await write(directory, precision);
    expect(await contentOf(directory)).toEqual(await contentOf(new FileDirectory(join(FOLDER, CURRENT, precision))));
  });
});
