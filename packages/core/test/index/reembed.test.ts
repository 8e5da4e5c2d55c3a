import { describe, expect, it } from "vitest";
import { cachedEmbedder, MemoryDirectory, MemoryVectorCache, type Passage, TriGraph } from "../../src/index.js";
import { FailingDirectory, HashEmbedder } from "./fakes.js";

const PASSAGES: readonly Passage[] = Array.from({ length: 150 }, (_, i) => ({
  id: `p${i}`,
  ...(i % 3 === 0 ? { title: `River ${i}` } : {}),
  text: `Ada Quill saw bridge ${i} over river ${i % 7}.`,
}));
const QUESTION = "Which bridge did Ada Quill see over river 3?";

const OLD = new HashEmbedder("old", 8);
const NEW = new HashEmbedder("new", 12);

/** An index that has known other passages, in a directory. */
async function storedIndex(directory = new MemoryDirectory()): Promise<TriGraph> {
  const index = await TriGraph.open(directory, { create: true, embedder: OLD });
  await index.upsert([...PASSAGES, { id: "gone", text: "Bram Stone saw nothing." }]);
  await index.delete(["gone"]);
  return index;
}

async function fresh(embedder: HashEmbedder): Promise<TriGraph> {
  const index = await TriGraph.create({ embedder });
  await index.upsert(PASSAGES);
  return index;
}

async function answers(index: TriGraph) {
  const hits = await index.retrieve(QUESTION, { k: 20 });
  return hits.map(({ passage, score }) => [passage.id, score]);
}

describe("reembed", () => {
  it("leaves the index as one built with the new embedder, reopened as well", async () => {
    const directory = new MemoryDirectory();
    const index = await storedIndex(directory);
    const before = await answers(index);
    const expected = await answers(await fresh(NEW));
    expect(before).not.toEqual(expected);
    const steps: unknown[] = [];
    await index.reembed(NEW, { onProgress: (progress) => steps.push(progress) });
    expect(steps).toContainEqual({ phase: "embed", done: 64, total: 150 });
    expect(steps).toContainEqual({ phase: "embed", done: 150, total: 150 });
    expect(await answers(index)).toEqual(expected);
    expect(index.vectorOf("p1")).toHaveLength(12);
    expect(await index.check()).toEqual([]);
    await index.close();

    await expect(TriGraph.open(directory, { embedder: OLD })).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
      message: expect.stringMatching(/without an embedder and then call reembed/) as string,
    });
    const again = await TriGraph.open(directory, { embedder: NEW });
    expect(await answers(again)).toEqual(expected);
    await again.upsert([{ id: "more", text: "Cleo Marsh saw bridge 3." }]);
    await again.delete(["more"]);
    expect(await answers(again)).toEqual(expected);
  });

  it("follows opening without the embedder that is gone", async () => {
    const directory = new MemoryDirectory();
    await (await storedIndex(directory)).close();
    const index = await TriGraph.open(directory);
    await index.reembed(NEW);
    expect(await answers(index)).toEqual(await answers(await fresh(NEW)));
  });

  it("gives vectors to an index that had none, and another precision", async () => {
    const index = await TriGraph.create();
    await index.upsert(PASSAGES);
    await index.reembed(NEW, { vectorPrecision: "int8" });
    const small = await TriGraph.create({ embedder: NEW, vectorPrecision: "int8" });
    await small.upsert(PASSAGES);
    expect(await answers(index)).toEqual(await answers(small));
    await index.reembed(NEW, { vectorPrecision: "float32" });
    expect(await answers(index)).toEqual(await answers(await fresh(NEW)));
  });

  it("is whole or not at all, and goes on by its cache", async () => {
    const index = await storedIndex();
    const before = await answers(index);
    const failing = new HashEmbedder("new", 12);
    let texts = 0;
    failing.embedPassages = async (batch) => {
      texts += batch.length;
      if (texts > 100) throw new Error("no more today");
      return batch.map((text) => failing.vectorOf(text));
    };
    const cached = cachedEmbedder(failing, new MemoryVectorCache());
    await expect(index.reembed(cached)).rejects.toMatchObject({ code: "EMBEDDING" });
    const controller = new AbortController();
    const aborted = index.reembed(NEW, { signal: controller.signal, onProgress: () => controller.abort("enough") });
    await expect(aborted).rejects.toBe("enough");
    expect(await answers(index)).toEqual(before);
    texts = 0;
    await expect(index.reembed(cached)).resolves.toBeUndefined();
    expect(texts).toBe(150 - 64);
    expect(await answers(index)).toEqual(await answers(await fresh(NEW)));
  });

  it("keeps the old embedder when it cannot be written", async () => {
    const directory = new FailingDirectory();
    const index = await storedIndex(directory);
    const before = await answers(index);
    directory.fails = (operation) => operation === "write";
    await expect(index.reembed(NEW)).rejects.toMatchObject({ code: "STORAGE" });
    directory.fails = () => false;
    expect(await answers(index)).toEqual(before);
    await index.reembed(NEW);
    expect(await answers(index)).toEqual(await answers(await fresh(NEW)));
  });

  it("takes an embedder, and an empty index has its vectors from then on", async () => {
    const index = await TriGraph.create({ embedder: OLD });
    await expect(index.reembed(undefined as unknown as HashEmbedder)).rejects.toThrow(
      "reembed: expected an embedder, got undefined.",
    );
    await index.reembed(NEW);
    await index.upsert(PASSAGES);
    expect(await answers(index)).toEqual(await answers(await fresh(NEW)));
  });
});
