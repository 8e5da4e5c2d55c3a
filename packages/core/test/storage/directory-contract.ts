import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "../../src/directory/checksum.js";
import type { Directory } from "../../src/directory/directory.js";

const bytes = (...values: number[]) => Uint8Array.from(values);

/**
 * What every directory keeps, as tests.
 *
 * @param kind the class, named in its errors
 * @param create a new, empty one
 * @param runs sequences of actions that are compared with a Map
 */
export function directoryContract(kind: string, create: () => Promise<Directory>, runs = 50): void {
  it("is empty at first", async () => {
    const directory = await create();
    expect(await directory.list()).toEqual([]);
    await directory.sync([]);
    await directory.remove("a");
  });

  it("writes chunks one after the other, and overwrites", async () => {
    const directory = await create();
    await directory.write("a", [bytes(1, 2), bytes(), bytes(3)]);
    expect(await directory.read("a")).toEqual(bytes(1, 2, 3));
    expect(await directory.size("a")).toBe(3);
    await directory.write("a", [bytes(9)]);
    expect(await directory.read("a")).toEqual(bytes(9));
    await directory.write("a", []);
    expect(await directory.read("a")).toEqual(bytes());
    expect(await directory.size("a")).toBe(0);
  });

  it("writes views of larger buffers, of any type of array behind them", async () => {
    const directory = await create();
    const floats = Float32Array.of(1, 2, 3);
    await directory.write("a", [new Uint8Array(floats.buffer, 4, 8)]);
    const read = await directory.read("a");
    expect(new Float32Array(read.buffer, read.byteOffset, 2)).toEqual(Float32Array.of(2, 3));
  });

  it("reads ranges", async () => {
    const directory = await create();
    await directory.write("a", [bytes(0, 1, 2, 3, 4)]);
    expect(await directory.read("a", { start: 1, end: 3 })).toEqual(bytes(1, 2));
    expect(await directory.read("a", { start: 5, end: 5 })).toEqual(bytes());
    for (const [start, end] of [
      [0, 6],
      [-1, 2],
      [3, 2],
      [0.5, 2],
      [0, NaN],
      [6, 6],
    ]) {
      await expect(directory.read("a", { start, end })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  it("reads into a buffer that starts at a multiple of 8", async () => {
    const directory = await create();
    await directory.write("a", [new Uint8Array(100)]);
    expect((await directory.read("a")).byteOffset % 8).toBe(0);
    expect((await directory.read("a", { start: 3, end: 50 })).byteOffset % 8).toBe(0);
  });

  it("shares no bytes with its callers", async () => {
    const directory = await create();
    const mine = bytes(1, 2);
    await directory.write("a", [mine]);
    await directory.createExclusive("b", mine);
    mine[0] = 7;
    (await directory.read("a"))[1] = 7;
    expect(await directory.read("a")).toEqual(bytes(1, 2));
    expect(await directory.read("b")).toEqual(bytes(1, 2));
  });

  it("creates exclusively", async () => {
    const directory = await create();
    expect(await directory.createExclusive("a", bytes(1))).toBe(true);
    expect(await directory.createExclusive("a", bytes(2))).toBe(false);
    expect(await directory.read("a")).toEqual(bytes(1));
    await directory.remove("a");
    const results = await Promise.all([1, 2, 3, 4].map((i) => directory.createExclusive("a", bytes(i))));
    expect(results.filter((created) => created)).toHaveLength(1);
    expect(await directory.read("a")).toEqual(bytes(results.indexOf(true) + 1));
  });

  it("replaces, removes, lists in order", async () => {
    const directory = await create();
    await directory.write("b", [bytes(2)]);
    await directory.write("a", [bytes(1)]);
    await directory.write("c-1_x.tmp", [bytes(3)]);
    expect(await directory.list()).toEqual(["a", "b", "c-1_x.tmp"]);
    await directory.sync(["a", "b"]);
    await directory.replace("a", "b");
    expect(await directory.list()).toEqual(["b", "c-1_x.tmp"]);
    expect(await directory.read("b")).toEqual(bytes(1));
    await directory.remove("b");
    await directory.sync([]);
    expect(await directory.list()).toEqual(["c-1_x.tmp"]);
  });

  it("says what is missing", async () => {
    const directory = await create();
    const missing = { name: "IndexError", code: "NOT_FOUND" };
    for (const call of [
      () => directory.read("a"),
      () => directory.read("a", { start: 0, end: 0 }),
      () => directory.size("a"),
      () => directory.sync(["a"]),
      () => directory.replace("a", "b"),
    ]) {
      await expect(call()).rejects.toMatchObject({ ...missing, message: expect.stringContaining(kind) as string });
    }
  });

  it("refuses what is no plain file name, whatever the method", async () => {
    const directory = await create();
    const names = [
      "",
      ".",
      "..",
      "../a",
      "a/b",
      "a\\b",
      "/a",
      ".a",
      "a.",
      "A",
      "a b",
      "a\0",
      "ä",
      "c:x",
      "a".repeat(201),
    ];
    for (const name of [...names, undefined as unknown as string]) {
      for (const call of [
        () => directory.read(name),
        () => directory.size(name),
        () => directory.write(name, []),
        () => directory.sync([name]),
        () => directory.replace(name, "b"),
        () => directory.replace("b", name),
        () => directory.createExclusive(name, bytes()),
        () => directory.remove(name),
      ]) {
        await expect(call(), JSON.stringify(name)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      }
    }
    await directory.write("a".repeat(200), [bytes(1)]);
    expect(await directory.list()).toEqual(["a".repeat(200)]);
  });

  it("keeps what a Map would keep, whatever is done", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const action = fc.oneof(
      fc.record({ do: fc.constant("write"), name, data: fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 3 }) }),
      fc.record({ do: fc.constant("create"), name, data: fc.tuple(fc.uint8Array({ maxLength: 9 })) }),
      fc.record({ do: fc.constant("remove"), name }),
      fc.record({ do: fc.constant("replace"), name, to: name }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action as fc.Arbitrary<Action>, { maxLength: 12 }), async (actions) => {
        const directory = await create();
        const model = new Map<string, number[]>();
        for (const step of actions) await perform(directory, model, step);
        expect(await directory.list()).toEqual([...model.keys()].sort());
        for (const [file, content] of model) expect([...(await directory.read(file))]).toEqual(content);
      }),
      { numRuns: runs },
    );
  });

  it("has a checksum equal to the one in JavaScript", async () => {
    const { checksum } = await create();
    if (checksum === undefined) return;
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), (data, seed) => {
        expect(checksum(data, seed)).toBe(crc32(data, seed));
        expect(checksum(data)).toBe(crc32(data));
      }),
    );
  });
}

type Action =
  | { do: "write" | "create"; name: string; data: Uint8Array[] }
  | { do: "remove"; name: string }
  | { do: "replace"; name: string; to: string };

async function perform(directory: Directory, model: Map<string, number[]>, action: Action): Promise<void> {
  const { name } = action;
  switch (action.do) {
    case "write":
      await directory.write(name, action.data);
      model.set(
        name,
        action.data.flatMap((part) => [...part]),
      );
      break;
    case "create":
      expect(await directory.createExclusive(name, action.data[0])).toBe(!model.has(name));
      if (!model.has(name)) model.set(name, [...action.data[0]]);
      break;
    case "remove":
      await directory.remove(name);
      model.delete(name);
      break;
    case "replace": {
      const content = model.get(name);
      if (content === undefined) {
        await expect(directory.replace(name, action.to)).rejects.toMatchObject({ code: "NOT_FOUND" });
        break;
      }
      await directory.replace(name, action.to);
      model.delete(name);
      model.set(action.to, content);
      break;
    }
  }
}
