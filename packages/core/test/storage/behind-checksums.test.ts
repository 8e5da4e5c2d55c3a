// What only malice, or a fault before the checksum was made, can put into a file: found when it is read, and typed.
import { describe, expect, it } from "vitest";
import { MemoryDirectory, TriGraph } from "../../src/index.js";
import { manifestFileName, readNewestManifest } from "../../src/index/manifest.js";
import { decodeRecord } from "../../src/segment/record.js";
import { unpackString } from "../../src/segment/strings.js";

describe("decodeRecord", () => {
  it.each(["", "{", "null", "5", "[]", "{}", '{"id":1,"text":""}', '{"id":"a","text":"","title":1}'])(
    "refuses %j, which is no passage",
    (json) => {
      expect(() => decodeRecord(json)).toThrow(expect.objectContaining({ code: "CORRUPT_INDEX" }));
    },
  );

  it.each(["null", "[]", '"x"'])("refuses metadata %s", (metadata) => {
    expect(() => decodeRecord(`{"id":"a","text":"b","metadata":${metadata}}`)).toThrow(/no passage/);
  });
});

describe("unpackString", () => {
  it.each([3, 40])("refuses %d bytes that are no UTF-8", (length) => {
    const bytes = new Uint8Array(length).fill(0xff);
    expect(() => unpackString(Uint32Array.of(0, length), bytes, 0)).toThrow(
      expect.objectContaining({ code: "CORRUPT_INDEX" }),
    );
  });
});

describe("a manifest", () => {
  const refused = (text: string) => {
    const directory = new MemoryDirectory();
    return expect(
      directory.write(manifestFileName(1), [new TextEncoder().encode(text)]).then(() => readNewestManifest(directory)),
    ).rejects;
  };

  it("that nests too deep to be written again is refused", async () => {
    const nested = "[".repeat(20_000) + "]".repeat(20_000);
    await refused(`{"checksum":1,"formatVersion":1,"x":${nested}}`).toMatchObject({ code: "CORRUPT_INDEX" });
  });

  it("that is longer than any can be is not read", async () => {
    const directory = new MemoryDirectory();
    await directory.write(manifestFileName(1), [new Uint8Array(1)]);
    directory.size = () => Promise.resolve(2 ** 40);
    directory.read = () => Promise.reject(new Error("was read"));
    await expect(readNewestManifest(directory)).rejects.toThrow(/too many for a manifest/);
  });
});

describe("opening for writing", () => {
  it("makes the commit durable that it finds", async () => {
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { create: true });
    await index.upsert([{ id: "a", text: "Ada Quill built a bridge." }]);
    await index.close();
    const synced: string[] = [];
    directory.sync = async (names) => void synced.push(...names);
    await TriGraph.open(directory, { readOnly: true });
    expect(synced).toEqual([]);
    await TriGraph.open(directory);
    expect(synced).toEqual([manifestFileName(1)]);
  });

  it("says that a file is gone which was there just now", async () => {
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { create: true });
    await index.upsert([{ id: "a", text: "Ada Quill built a bridge." }]);
    await index.close();
    const read = directory.read.bind(directory);
    directory.read = async (name, range) => {
      if (name.endsWith(".seg")) await directory.remove(name);
      return read(name, range);
    };
    await expect(TriGraph.open(directory)).rejects.toMatchObject({ code: "CORRUPT_INDEX" });
  });
});
