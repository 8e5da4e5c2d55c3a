import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cachedEmbedder, MemoryVectorCache, TriGraph, type VectorCache } from "../../src/index.js";
import { FileVectorCache } from "../../src/node.js";
import { HashEmbedder } from "../index/fakes.js";

/** Counts texts, and may fail after some. */
class CountingEmbedder extends HashEmbedder {
  texts: string[] = [];
  limit = Infinity;

  override async embedPassages(texts: readonly string[]): Promise<readonly ArrayLike<number>[]> {
    if (this.texts.length + texts.length > this.limit) throw new Error("no more today");
    this.texts.push(...texts);
    return super.embedPassages(texts);
  }
}

let folder: string;
const opened: FileVectorCache[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trigraph-vectors-"));
});
afterEach(async () => {
  for (const cache of opened.splice(0)) await cache.close();
  await rm(folder, { recursive: true });
});

function fileCache(): FileVectorCache {
  const cache = new FileVectorCache(join(folder, "cache"));
  opened.push(cache);
  return cache;
}

describe.each<[string, () => VectorCache]>([
  ["MemoryVectorCache", () => new MemoryVectorCache()],
  ["FileVectorCache", fileCache],
])("cachedEmbedder over %s", (_name, create) => {
  it("embeds each text once, whatever the order and the passages", async () => {
    const embedder = new CountingEmbedder();
    const cached = cachedEmbedder(embedder, create());
    const texts = ["one", "two", "one", "", "ün"];
    const vectors = await cached.embedPassages(texts);
    expect(vectors.map((vector) => [...Array.from(vector)])).toEqual(texts.map((text) => embedder.vectorOf(text)));
    expect(embedder.texts).toEqual(["one", "two", "", "ün"]);
    const again = await cached.embedPassages(["ün", "three", "two"]);
    expect(again.map((vector) => Array.from(vector))).toEqual(
      ["ün", "three", "two"].map((text) => embedder.vectorOf(text)),
    );
    expect(embedder.texts.slice(4)).toEqual(["three"]);
  });

  it("tells models, and lengths of vectors, apart", async () => {
    const cache = create();
    const [a, b, longer] = [new CountingEmbedder("a"), new CountingEmbedder("b"), new CountingEmbedder("a", 24)];
    for (const embedder of [a, b, longer]) await cachedEmbedder(embedder, cache).embedPassages(["one"]);
    for (const embedder of [a, b, longer]) {
      const [vector] = await cachedEmbedder(embedder, cache).embedPassages(["one"]);
      expect(Array.from(vector)).toEqual(embedder.vectorOf("one"));
      expect(embedder.texts).toEqual(["one"]);
    }
  });

  it("makes an index that was interrupted, or is built anew, embed only what is new", async () => {
    const embedder = new CountingEmbedder();
    const cache = create();
    const passages = Array.from({ length: 100 }, (_, i) => ({ id: String(i), text: `Passage ${i} about rivers.` }));
    embedder.limit = 64;
    const index = await TriGraph.create({ embedder: cachedEmbedder(embedder, cache) });
    await expect(index.upsert(passages)).rejects.toMatchObject({ code: "EMBEDDING" });
    expect(index.size).toBe(0);
    embedder.limit = Infinity;
    await index.upsert(passages);
    expect(embedder.texts).toHaveLength(100);
    await index.upsert(passages.map((passage) => ({ ...passage, metadata: { seen: true } })));
    const rebuilt = await TriGraph.create({ embedder: cachedEmbedder(embedder, cache) });
    await rebuilt.upsert([...passages, { id: "new", text: "Another." }]);
    expect(embedder.texts).toHaveLength(101);
    expect(rebuilt.vectorOf("7")).toEqual(index.vectorOf("7"));
  });

  it("keeps no vectors that cannot be used", async () => {
    const embedder = new CountingEmbedder();
    const cached = cachedEmbedder(embedder, create());
    const wrong = [[], [Number.NaN], [1, 2]];
    for (const vectors of wrong) {
      embedder.embedPassages = async () => vectors as unknown as number[][];
      const index = await TriGraph.create({ embedder: cached });
      await expect(index.upsert([{ id: "a", text: "one" }])).rejects.toMatchObject({ code: "EMBEDDING" });
    }
    embedder.embedPassages = async (texts) => texts.map((text) => embedder.vectorOf(text));
    const [vector] = await cached.embedPassages(["one"]);
    expect(Array.from(vector)).toEqual(embedder.vectorOf("one"));
  });
});

describe("FileVectorCache", () => {
  const embedder = new CountingEmbedder();
  const words = Array.from({ length: 600 }, (_, i) => `word${i}`);

  async function fill(): Promise<string> {
    const cache = fileCache();
    await cachedEmbedder(embedder, cache).embedPassages(words);
    await cache.close();
    const [name] = await readdir(join(folder, "cache"));
    return join(folder, "cache", name);
  }

  async function missing(): Promise<string[]> {
    embedder.texts = [];
    const cache = fileCache();
    const vectors = await cachedEmbedder(embedder, cache).embedPassages(words);
    expect(vectors.map((vector) => Array.from(vector))).toEqual(words.map((word) => embedder.vectorOf(word)));
    await cache.close();
    return embedder.texts;
  }

  it("is there when it is opened again", async () => {
    await fill();
    expect(await missing()).toEqual([]);
  });

  it("loses the last record when it was cut short, and goes on", async () => {
    const file = await fill();
    await truncate(file, (await readFile(file)).length - 5);
    expect(await missing()).toEqual(["word599"]);
    expect(await missing()).toEqual([]);
  });

  it("loses a record that was damaged, and no other", async () => {
    const file = await fill();
    const bytes = await readFile(file);
    const record = bytes.length / 600;
    bytes[Math.floor(record * 300.5)] ^= 1;
    await writeFile(file, bytes);
    expect(await missing()).toEqual(["word300"]);
    expect(await missing()).toEqual([]);
  });

  it("says where it failed", async () => {
    await writeFile(join(folder, "cache"), "a file, no folder");
    await expect(fileCache().get(["00".repeat(32)])).rejects.toMatchObject({
      code: "STORAGE",
      message: expect.stringMatching(/^FileVectorCache\.open: failed on ".*cache": /) as string,
    });
    expect(() => new FileVectorCache("")).toThrow("FileVectorCache: expected the path of a folder");
  });
});
