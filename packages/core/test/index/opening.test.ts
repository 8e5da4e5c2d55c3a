// What takes its time lets others in. Opening, refreshing and saving tell how far they are, and end when they are told to.
import { afterEach, describe, expect, it, vi } from "vitest";
import { nextTurn } from "../../src/abort.js";
import { MemoryDirectory, type Passage, type Progress, TriGraph } from "../../src/index.js";
import { HashEmbedder } from "./fakes.js";

const passage = (id: string): Passage => ({ id, text: `Ada Quill met ${id} Stone in Delmar.` });

/** Two segments: of two passages and of three, one of them dead. */
async function twoSegments() {
  const directory = new MemoryDirectory();
  const writer = await TriGraph.open(directory, { create: true });
  await writer.upsert(["Bram", "Corvin"].map(passage));
  await writer.upsert(["Elva", "Greta", "Hale"].map(passage));
  await writer.delete(["Hale"]);
  return { directory, writer };
}

/** The turns that others get while the task runs, if every step of it takes a whole turn. */
async function turnsBeside(task: (turnsUntilNow: () => number) => Promise<unknown>): Promise<number> {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
  let isDone = false;
  let turns = 0;
  const other = (async () => {
    for (; !isDone; turns++) await nextTurn();
  })();
  await task(() => turns).finally(() => (isDone = true));
  await other;
  return turns;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("open", () => {
  it("lets others in between its steps", async () => {
    const { directory, writer } = await twoSegments();
    await writer.close();
    // A segment has 38 arrays, each with a checksum.
    expect(await turnsBeside(() => TriGraph.open(directory))).toBeGreaterThan(2 * 38);
  });

  it("tells how many passages are read, of how many", async () => {
    const { directory, writer } = await twoSegments();
    await writer.close();
    const told: Progress[] = [];
    await TriGraph.open(directory, { onProgress: (progress) => told.push(progress) });
    expect(told).toEqual([
      { phase: "read", done: 2, total: 5 },
      { phase: "read", done: 5, total: 5 },
    ]);
  });

  it("ends with its signal, and leaves no lock", async () => {
    const { directory, writer } = await twoSegments();
    await writer.close();
    const before = await directory.list();
    const open = (signal: AbortSignal, onProgress?: () => void) => TriGraph.open(directory, { signal, onProgress });
    await expect(open(AbortSignal.abort("early"))).rejects.toBe("early");
    const amid = new AbortController();
    await expect(open(amid.signal, () => amid.abort("amid"))).rejects.toBe("amid");
    expect(await directory.list()).toEqual(before);
    const loading = new AbortController();
    const embedder = Object.assign(new HashEmbedder(), { load: () => new Promise<void>(() => undefined) });
    const opening = TriGraph.open(directory, { embedder, signal: loading.signal });
    await nextTurn();
    loading.abort("loading");
    await expect(opening).rejects.toBe("loading");
    expect((await TriGraph.open(directory)).size).toBe(4);
  });
});

describe("refresh", () => {
  it("lets others in, tells how far it is, and ends with its signal at the commit that it had", async () => {
    const { directory, writer } = await twoSegments();
    const reader = await TriGraph.open(directory, { readOnly: true });
    await writer.upsert([passage("Sven")]);
    const controller = new AbortController();
    const aborted = reader.refresh({ signal: controller.signal, onProgress: () => controller.abort("enough") });
    await expect(aborted).rejects.toBe("enough");
    expect(reader.size).toBe(4);
    const told: Progress[] = [];
    const turns = await turnsBeside(() => reader.refresh({ onProgress: (progress) => told.push(progress) }));
    expect(turns).toBeGreaterThan(38);
    expect(told.at(-1)).toEqual({ phase: "read", done: 6, total: 6 });
    expect(reader.size).toBe(5);
  });
});

describe("save", () => {
  it("tells how far it is, and ends with its signal without a copy, or with the former one", async () => {
    const { writer } = await twoSegments();
    const told: Progress[] = [];
    const copy = new MemoryDirectory();
    const aborted = () => {
      const controller = new AbortController();
      return writer.save(copy, { signal: controller.signal, onProgress: () => controller.abort("enough") });
    };
    await expect(aborted()).rejects.toBe("enough");
    await expect(TriGraph.open(copy)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await writer.save(copy, { onProgress: (progress) => told.push(progress) });
    expect(told).toEqual([
      { phase: "write", done: 1, total: 2 },
      { phase: "write", done: 2, total: 2 },
    ]);
    await writer.upsert([passage("Sven")]);
    await expect(aborted()).rejects.toBe("enough");
    const saved = await TriGraph.open(copy);
    expect(saved.size).toBe(4);
    // What the aborted call has written goes with the next commit.
    await saved.upsert([passage("Tove")]);
    expect((await copy.list()).filter((name) => name.endsWith(".seg"))).toHaveLength(3);
    expect(await saved.check()).toEqual([]);
  });
});

describe("upsert", () => {
  it("lets others in when all is analysed and put together", async () => {
    const passages = Array.from({ length: 20 }, (_, i) => passage(`number ${i}`));
    let whenAnalyzed = 0;
    const turns = await turnsBeside(async (turnsUntilNow) => {
      const index = await TriGraph.create();
      await index.upsert(passages, { onProgress: () => (whenAnalyzed = turnsUntilNow()) });
    });
    expect(turns - whenAnalyzed).toBeGreaterThan(30);
  });
});

describe("delete", () => {
  it("lets others in when it is of many, and changes nothing when it is aborted amid them", async () => {
    const index = await TriGraph.create();
    const ids = Array.from({ length: 300 }, (_, i) => `number ${i}`);
    await index.upsert(ids.map(passage));
    const controller = new AbortController();
    const isBegun = vi.spyOn(performance, "now").mockImplementationOnce(() => {
      controller.abort("enough");
      return 0;
    });
    await expect(index.delete(ids.slice(0, 200), { signal: controller.signal })).rejects.toBe("enough");
    expect(isBegun).toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(index.size).toBe(300);
    expect(await turnsBeside(() => index.delete(ids.slice(0, 200)))).toBeGreaterThanOrEqual(3);
    expect(index.size).toBe(100);
    expect(await index.check()).toEqual([]);
  });
});
