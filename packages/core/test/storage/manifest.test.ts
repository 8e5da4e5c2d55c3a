import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../src/directory/checksum.js";
import { MemoryDirectory } from "../../src/directory/memory.js";
import { deadCount, type DeadFile, readDead, writeDead } from "../../src/index/dead.js";
import {
  deadFileName,
  type Manifest,
  manifestFileName,
  newestGeneration,
  readNewestManifest,
  removeUnreferenced,
  segmentFileName,
  writeManifest,
} from "../../src/index/manifest.js";

const utf8 = (value: string) => new TextEncoder().encode(value);

const naming = (generation: number, ordinal = 0) => ({ generation, writer: "0123456789abcdef", ordinal });
const segmentOf = (generation: number) => segmentFileName(naming(generation));

const EMPTY: Manifest = {
  generation: 1,
  analyzer: "en-1",
  embedder: null,
  dimensions: 0,
  precision: "float32",
  segments: [],
};

/** Commits one more segment of `size` bytes and ten passages. */
async function commit(directory: MemoryDirectory, generation: number, size = generation): Promise<Manifest> {
  const file = segmentOf(generation);
  await directory.write(file, [new Uint8Array(size)]);
  const segment = { file, bytes: size, checksum: 17, passages: 10, dead: [2, 5] };
  const manifest = { ...EMPTY, generation, segments: [segment] };
  await writeManifest(directory, manifest);
  return manifest;
}

/** Writes a manifest file with a right checksum, whatever it says. */
async function forge(directory: MemoryDirectory, name: string, body: object): Promise<void> {
  const checksum = crc32(utf8(JSON.stringify(body)));
  await directory.write(name, [utf8(JSON.stringify({ checksum, ...body }))]);
}

describe("manifests", () => {
  it("come back as they were written", async () => {
    const directory = new MemoryDirectory();
    expect(await readNewestManifest(directory)).toBeUndefined();
    await writeManifest(directory, EMPTY);
    expect(await readNewestManifest(directory)).toEqual(EMPTY);
    const second = await commit(directory, 2);
    expect(await readNewestManifest(directory)).toEqual(second);
    const named = {
      ...EMPTY,
      generation: 3,
      analyzer: 'ü"\u2028\ud800',
      embedder: "m",
      dimensions: 384,
      precision: "int8",
    } as const;
    await writeManifest(directory, named);
    expect(await readNewestManifest(directory)).toEqual(named);
    expect(await newestGeneration(directory)).toBe(3);
  });

  it("of one generation are made by one writer, and none where a later one is", async () => {
    const directory = new MemoryDirectory();
    const made = await Promise.all(["a", "b", "c"].map((analyzer) => writeManifest(directory, { ...EMPTY, analyzer })));
    expect(made.filter((created) => created)).toHaveLength(1);
    const first = await readNewestManifest(directory);
    expect(first?.analyzer).toBe("abc"[made.indexOf(true)]);
    expect(await writeManifest(directory, { ...EMPTY, generation: 1 })).toBe(false);
    expect(await readNewestManifest(directory)).toEqual(first);
    // Another writer has gone on, and removed what came before.
    const third = { ...EMPTY, generation: 3 };
    expect(await writeManifest(directory, third)).toBe(true);
    await removeUnreferenced(directory, third);
    expect(await writeManifest(directory, { ...EMPTY, generation: 2 })).toBe(false);
    expect(await readNewestManifest(directory)).toEqual(third);
  });

  it("that are not well-formed are not written", async () => {
    const directory = new MemoryDirectory();
    const segment = { file: "segment-000000000001-0.seg", bytes: 1, checksum: 1, passages: 3, dead: [] };
    for (const wrong of [
      { generation: 0 },
      { generation: 1e12 },
      { generation: 1.5 },
      { dimensions: -1 },
      { precision: "int4" },
      { analyzer: undefined },
      { extra: 1 },
      { segments: [{ ...segment, file: "../x" }] },
      { segments: [{ ...segment, checksum: 2 ** 32 }] },
      { segments: [{ ...segment, dead: [1, 1] }] },
      { segments: [{ ...segment, dead: [3] }] },
      { segments: [{ ...segment, dead: { file: "d", bytes: 4, checksum: 1, passages: 4 } }] },
      { segments: [segment, segment] },
    ]) {
      const manifest = { ...EMPTY, ...wrong } as Manifest;
      await expect(writeManifest(directory, manifest)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(await directory.list()).toEqual([]);
  });

  it("that are cut or damaged at any byte are an error, which tells of the commit before", async () => {
    const directory = new MemoryDirectory();
    await commit(directory, 1);
    await commit(directory, 2);
    const name = manifestFileName(2);
    const whole = await directory.read(name);
    const refused = {
      code: "CORRUPT_INDEX",
      message: expect.stringMatching(
        /newest commit .*000002\.json .*remove .*000002\.json to go back to commit 1,/,
      ) as string,
    };
    for (let i = 0; i < whole.length; i++) {
      await directory.write(name, [whole.slice(0, i)]);
      await expect(readNewestManifest(directory), `length ${i}`).rejects.toMatchObject(refused);
      for (const mask of [1, 0x20, 0x80]) {
        const damaged = whole.slice();
        damaged[i] ^= mask;
        await directory.write(name, [damaged]);
        await expect(readNewestManifest(directory), `byte ${i}`).rejects.toMatchObject(refused);
      }
    }
    expect(await newestGeneration(directory)).toBe(2);
  });

  it("whose creation was broken off give way to the one before", async () => {
    const directory = new MemoryDirectory();
    const first = await commit(directory, 1);
    await commit(directory, 2);
    const whole = await directory.read(manifestFileName(2));
    await directory.write(manifestFileName(2), [whole.slice(0, 40)]);
    // Another manifest's says nothing.
    await directory.write(`${manifestFileName(1)}.0123abcd.tmp`, [whole]);
    await expect(readNewestManifest(directory)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
    await directory.write(`${manifestFileName(2)}.0123abcd.tmp`, [whole]);
    expect(await readNewestManifest(directory)).toEqual(first);
    expect(await newestGeneration(directory)).toBe(2);
  });

  it("are an error when a file is missing or has another size", async () => {
    const directory = new MemoryDirectory();
    const first = await commit(directory, 1);
    const second = await commit(directory, 2);
    await directory.write(segmentOf(2), [new Uint8Array(1)]);
    await expect(readNewestManifest(directory)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
    await directory.remove(segmentOf(2));
    await expect(readNewestManifest(directory)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
    await directory.write(segmentOf(2), [new Uint8Array(2)]);
    expect(await readNewestManifest(directory)).toEqual(second);
    // What the error says how to do.
    await directory.remove(manifestFileName(2));
    expect(await readNewestManifest(directory)).toEqual(first);
  });

  it("before a damaged one are offered only when they are whole", async () => {
    const directory = new MemoryDirectory();
    await commit(directory, 1);
    await directory.remove(segmentOf(1));
    await directory.write(manifestFileName(2), [utf8("{")]);
    await expect(readNewestManifest(directory)).rejects.toMatchObject({
      code: "CORRUPT_INDEX",
      message: expect.stringMatching(/000002\.json is no JSON\. Restore .* or build it again\.$/) as string,
    });
    await directory.write(`${manifestFileName(2)}.0123abcd.tmp`, [utf8("{}")]);
    await expect(readNewestManifest(directory)).rejects.toMatchObject({
      code: "CORRUPT_INDEX",
      message: expect.stringMatching(/000002\.json is no JSON; .*000001\.json refers to segment-.* missing/) as string,
    });
  });

  it("of a newer format are an error, older manifests or not", async () => {
    const directory = new MemoryDirectory();
    await commit(directory, 1);
    await forge(directory, manifestFileName(2), { anything: true, formatVersion: 2 });
    await expect(readNewestManifest(directory)).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
      message: expect.stringContaining("update the library") as string,
    });
  });

  it("of a format that never was are an error", async () => {
    const directory = new MemoryDirectory();
    await forge(directory, manifestFileName(1), { ...EMPTY, formatVersion: 0 });
    await expect(readNewestManifest(directory, "refresh")).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
      message: expect.stringMatching(
        /^refresh: manifest-.* has format 0, .* reads format 1: open it with the/,
      ) as string,
    });
  });

  it("never fail with another error, whatever they say", async () => {
    const small = fc.oneof(fc.integer(), fc.constantFrom(0, 1, 2, 3), fc.string(), fc.constant(null));
    const body = fc.record(
      {
        formatVersion: fc.constantFrom(0, 1, 2),
        generation: fc.oneof(fc.constant(1), small),
        analyzer: fc.oneof(fc.string(), small),
        embedder: small,
        dimensions: small,
        precision: fc.constantFrom("float32" as const, "int8" as const),
        segments: fc.oneof(
          fc.jsonValue(),
          fc.array(
            fc.record({
              file: fc.oneof(fc.constant("a"), small),
              bytes: small,
              checksum: small,
              passages: small,
              dead: fc.oneof(
                fc.array(small),
                fc.jsonValue(),
                fc.record({ file: small, bytes: small, checksum: small }),
              ),
            }),
          ),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(body, fc.dictionary(fc.string(), fc.jsonValue())), async (content) => {
        const directory = new MemoryDirectory();
        await directory.write("a", [new Uint8Array(1)]);
        await forge(directory, manifestFileName(1), content);
        try {
          expect(await readNewestManifest(directory)).toHaveProperty("generation", 1);
        } catch (error) {
          expect(error).toMatchObject({ name: "IndexError" });
        }
      }),
    );
  });

  it("are found by a reader that a writer overtakes", async () => {
    class Overtaken extends MemoryDirectory {
      overtake: (() => Promise<unknown>) | undefined;
      override async list() {
        const names = await super.list();
        const overtake = this.overtake;
        this.overtake = undefined;
        await overtake?.();
        return names;
      }
    }
    const directory = new Overtaken();
    await commit(directory, 1);
    directory.overtake = async () => removeUnreferenced(directory, await commit(directory, 2));
    expect(await readNewestManifest(directory)).toMatchObject({ generation: 2 });
    expect(await directory.list()).toEqual([manifestFileName(2), segmentOf(2)]);
  });

  it("pass on what storage says", async () => {
    const directory = new MemoryDirectory();
    await commit(directory, 1);
    directory.read = () => Promise.reject(new Error("EIO"));
    await expect(readNewestManifest(directory)).rejects.toThrow("EIO");
  });
});

describe("removeUnreferenced", () => {
  it("removes what no commit needs, and nothing else", async () => {
    const directory = new MemoryDirectory();
    await commit(directory, 1);
    const dead = await writeDead(
      directory,
      deadFileName(naming(2, 1)),
      Array.from({ length: 300 }, (_, i) => i),
    );
    const old = await writeDead(
      directory,
      deadFileName(naming(1, 1)),
      Array.from({ length: 299 }, (_, i) => i),
    );
    await directory.write(segmentOf(2), [new Uint8Array(2)]);
    const segment = { file: segmentOf(2), bytes: 2, checksum: 17, passages: 300, dead };
    const manifest = { ...EMPTY, generation: 2, segments: [segment] };
    await writeManifest(directory, manifest);
    const remains = ["manifest-000000000002.json.0123abcd.tmp", "write.lock.89abcdef.tmp"];
    const others = [segmentOf(3), "manifest-000000000003.json.0123abcd.tmp", "notes.txt", "write.lock", "prepared"];
    const prepared = segmentFileName(naming(1, 2));
    for (const name of [...remains, ...others, prepared]) await directory.write(name, [new Uint8Array(1)]);

    expect(await removeUnreferenced(directory, manifest, [prepared])).toEqual(
      [manifestFileName(1), segmentOf(1), (old as DeadFile).file, ...remains].sort(),
    );
    expect(await directory.list()).toEqual(
      [manifestFileName(2), segmentOf(2), (dead as DeadFile).file, prepared, ...others].sort(),
    );
    expect(await readNewestManifest(directory)).toEqual(manifest);
  });

  it("leaves what a later commit of another writer consists of", async () => {
    const directory = new MemoryDirectory();
    const first = await commit(directory, 1);
    const second = await commit(directory, 2);
    expect(await removeUnreferenced(directory, first)).toEqual([]);
    expect(await readNewestManifest(directory)).toEqual(second);
  });
});

describe("dead passages", () => {
  const ordinals = fc
    .uniqueArray(fc.oneof(fc.nat(2000), fc.integer({ min: 0, max: 2 ** 32 - 1 })), { maxLength: 600, size: "max" })
    .map((list) => list.sort((a, b) => a - b));

  it("come back as they were written", async () => {
    await fc.assert(
      fc.asyncProperty(ordinals, async (dead) => {
        const directory = new MemoryDirectory();
        const stored = await writeDead(directory, "s.dead", dead);
        expect(deadCount(stored)).toBe(dead.length);
        expect([...(await readDead(directory, stored, 2 ** 32))]).toEqual(dead);
        expect(await directory.list()).toEqual(dead.length > 256 ? ["s.dead"] : []);
      }),
    );
  });

  it("take little room: one of a million none, every second a byte each", async () => {
    const directory = new MemoryDirectory();
    expect(await writeDead(directory, "s.dead", [999_999])).toEqual([999_999]);
    const half = Array.from({ length: 500_000 }, (_, i) => i * 2);
    expect(await writeDead(directory, "s.dead", half)).toMatchObject({ bytes: 500_000, passages: 500_000 });
  });

  it("must rise and be there", async () => {
    const directory = new MemoryDirectory();
    for (const wrong of [[1, 1], [2, 1], [-1], [0.5], [NaN], [2 ** 32]]) {
      await expect(writeDead(directory, "s.dead", wrong)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    await expect(readDead(directory, [5], 5)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
  });

  it("are refused when their file is damaged or says something else", async () => {
    const directory = new MemoryDirectory();
    const stored = (await writeDead(
      directory,
      "s.dead",
      Array.from({ length: 300 }, (_, i) => i * 100),
    )) as DeadFile;
    const whole = await directory.read(stored.file);
    for (let i = 0; i < whole.length; i++) {
      const damaged = whole.slice();
      damaged[i] ^= 1 << (i % 8);
      await directory.write(stored.file, [damaged]);
      await expect(readDead(directory, stored, 1e6)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
      await directory.write(stored.file, [whole.slice(0, i)]);
      await expect(readDead(directory, stored, 1e6)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
    }
    // Bytes with a right checksum that are no rising ordinals, or another number of them.
    for (const [bytes, passages] of [
      [[0], 2],
      [[0, 1], 1],
      [[0, 0], 2],
      [[0x80], 1],
      [[0x80, 0x80, 0x80, 0x80, 0x80, 0], 1],
      [[0xff, 0xff, 0xff, 0xff, 0x7f], 1],
      [[0], 2 ** 40],
    ] as const) {
      const file = Uint8Array.from(bytes);
      await directory.write("d", [file]);
      const claim = { file: "d", bytes: file.length, checksum: crc32(file), passages };
      await expect(readDead(directory, claim, 2 ** 32)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
    }
    await expect(readDead(directory, { ...stored, file: "x" }, 1e6)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
