import { describe, expect, it } from "vitest";
import { MemoryDirectory, type Passage, TriGraph } from "../../src/index.js";
import { FailingDirectory, HashEmbedder } from "./fakes.js";

const QUESTION = "Whom did Ada Quill meet?";
const passage = (id: string, text = `Ada Quill met ${id} Stone in Delmar.`): Passage => ({ id, text });
const ids = (index: TriGraph) => [...index.passages()].map(({ id }) => id).sort();

/** Remembers which files were read. */
class Watched extends FailingDirectory {
  reads: string[] = [];
  beforeRead: ((name: string) => Promise<unknown>) | undefined;

  override async read(name: string, range?: { start: number; end: number }): Promise<Uint8Array> {
    this.reads.push(name);
    const before = this.beforeRead;
    if (name.endsWith(".seg")) this.beforeRead = undefined;
    await before?.(name);
    return super.read(name, range);
  }
}

async function writerAndReader() {
  const directory = new Watched();
  const writer = await TriGraph.open(directory, { create: true });
  await writer.upsert([passage("Bram"), passage("Corvin")]);
  const reader = await TriGraph.open(directory, { readOnly: true });
  return { directory, writer, reader };
}

describe("refresh", () => {
  it("takes up each commit as a whole, reading only what is new", async () => {
    const { directory, writer, reader } = await writerAndReader();
    expect(await reader.refresh()).toBe(false);
    expect(reader.commits).toBe(0);
    await writer.upsert([passage("Elva")]);
    expect(ids(reader)).toEqual(["Bram", "Corvin"]);
    directory.reads = [];
    expect(await reader.refresh()).toBe(true);
    expect(ids(reader)).toEqual(["Bram", "Corvin", "Elva"]);
    expect(directory.reads.filter((name) => name.endsWith(".seg"))).toHaveLength(1);
    expect(reader.commits).toBe(1);

    directory.reads = [];
    await writer.delete(["Bram"]);
    expect(await reader.refresh()).toBe(true);
    expect(ids(reader)).toEqual(["Corvin", "Elva"]);
    expect(directory.reads.filter((name) => name.endsWith(".seg"))).toEqual([]);
    await writer.merge();
    expect(await reader.refresh()).toBe(true);
    expect(await reader.refresh()).toBe(false);
    expect(reader.commits).toBe(3);
    expect(await reader.retrieve(QUESTION, { explain: true })).toEqual(
      await writer.retrieve(QUESTION, { explain: true }),
    );
    expect(reader.stats()).toEqual(writer.stats());
    expect(await reader.check()).toEqual([]);
  });

  it("leaves a question under way with its commit", async () => {
    const { directory, writer } = await writerAndReader();
    await writer.reembed(new HashEmbedder());
    let asked = () => {};
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    class Slow extends HashEmbedder {
      override async embedQuery(text: string) {
        asked();
        await mayAnswer;
        return this.vectorOf(text);
      }
    }
    const reader = await TriGraph.open(directory, { readOnly: true, embedder: new Slow() });
    const hits = reader.retrieve(QUESTION);
    await isAsked;
    await writer.delete(["Bram", "Corvin"]);
    await writer.upsert([passage("Elva")]);
    expect(await reader.refresh()).toBe(true);
    answer();
    expect((await hits).map(({ passage: { id } }) => id).sort()).toEqual(["Bram", "Corvin"]);
    expect(ids(reader)).toEqual(["Elva"]);
  });

  it("has nothing to do in an index that is written, or in memory", async () => {
    const { writer } = await writerAndReader();
    expect(await writer.refresh()).toBe(false);
    expect(await (await TriGraph.create()).refresh()).toBe(false);
  });

  it("finds the first commit of a directory, and of one begun anew under the same number", async () => {
    const directory = new MemoryDirectory();
    const reader = await TriGraph.open(directory, { readOnly: true, create: true });
    expect(await reader.refresh()).toBe(false);
    for (const id of ["Bram", "Corvin"]) {
      for (const name of await directory.list()) await directory.remove(name);
      const writer = await TriGraph.open(directory, { create: true });
      await writer.upsert([passage(id)]);
      await writer.close();
      expect(await reader.refresh()).toBe(true);
      expect(ids(reader)).toEqual([id]);
    }
    for (const name of await directory.list()) await directory.remove(name);
    await expect(reader.refresh()).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringMatching(/^refresh: the directory holds no index any more/) as string,
    });
    expect(ids(reader)).toEqual(["Corvin"]);
  });

  it("meets a writer that removes what it reads", async () => {
    const { directory, writer, reader } = await writerAndReader();
    await writer.upsert([passage("Elva")]);
    directory.beforeRead = async (name) => {
      if (!name.endsWith(".seg")) return;
      await writer.upsert([passage("Hale")]);
      await writer.merge();
    };
    expect(await reader.refresh()).toBe(true);
    expect(ids(reader)).toEqual(["Bram", "Corvin", "Elva", "Hale"]);
  });

  it.each([
    ["with its embedder", { embedder: new HashEmbedder("old") }],
    ["without an embedder", {}],
  ])("an index opened %s refuses vectors of another, says what to do and goes on", async (_name, options) => {
    const { directory, writer } = await writerAndReader();
    await writer.reembed(new HashEmbedder("old"));
    const reader = await TriGraph.open(directory, { readOnly: true, ...options });
    const before = await reader.retrieve(QUESTION);
    await writer.reembed(new HashEmbedder("new", 8));
    const mismatch = {
      code: "INDEX_MISMATCH",
      message: expect.stringMatching(
        /^refresh: the index was built with "new" of 8 dimensions, got "old" of 16 dimensions.*open it anew/,
      ) as string,
    };
    await expect(reader.refresh()).rejects.toMatchObject(mismatch);
    await expect(reader.refresh()).rejects.toMatchObject(mismatch);
    expect(await reader.retrieve(QUESTION)).toEqual(before);
    await writer.reembed(new HashEmbedder("old"), { vectorPrecision: "int8" });
    expect(await reader.refresh()).toBe(true);
    expect(reader.vectorOf("Bram")).toEqual(writer.vectorOf("Bram"));
  });

  it("takes an index that became empty, and began again with other vectors", async () => {
    const { directory, writer } = await writerAndReader();
    await writer.reembed(new HashEmbedder("old"));
    const reader = await TriGraph.open(directory, { readOnly: true });
    await writer.delete(["Bram", "Corvin"]);
    expect(await reader.refresh()).toBe(true);
    expect(await reader.nearest([1, 0])).toEqual([]);
    await writer.close();
    const other = await TriGraph.open(directory);
    await other.upsert([{ ...passage("Elva"), vector: [3, 4] }]);
    expect(await reader.refresh()).toBe(true);
    expect((await reader.nearest([3, 4]))[0].score).toBeCloseTo(1, 6);
  });

  it("tells what is wrong with the new commit, and stays at the old one", async () => {
    const { directory, writer, reader } = await writerAndReader();
    await writer.upsert([passage("Elva")]);
    const [damaged] = (await directory.list()).filter((name) => name.endsWith(".seg")).reverse();
    const bytes = await directory.read(damaged);
    await directory.write(damaged, [bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte))]);
    await expect(reader.refresh()).rejects.toMatchObject({
      code: "CORRUPT_INDEX",
      message: expect.stringMatching(/^refresh: segment-/) as string,
    });
    expect(ids(reader)).toEqual(["Bram", "Corvin"]);
    await directory.write(damaged, [bytes]);
    directory.fails = (operation) => operation === "list";
    await expect(reader.refresh()).rejects.toMatchObject({ code: "STORAGE" });
    directory.fails = () => false;
    await expect(reader.refresh({ signal: AbortSignal.abort("stop") })).rejects.toBe("stop");
    const controller = new AbortController();
    directory.beforeRead = async () => controller.abort("now");
    await expect(reader.refresh({ signal: controller.signal })).rejects.toBe("now");
    expect(reader.commits).toBe(0);
    expect(await reader.refresh()).toBe(true);
    await reader.close();
    await expect(reader.refresh()).rejects.toMatchObject({ code: "CLOSED" });
  });
});
