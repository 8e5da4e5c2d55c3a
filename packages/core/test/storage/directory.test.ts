import { existsSync } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { crc32 } from "../../src/directory/checksum.js";
import { MemoryDirectory } from "../../src/directory/memory.js";
import { FileDirectory } from "../../src/node.js";
import { directoryContract } from "./directory-contract.js";

const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trigraph-"));
  folders.push(folder);
  return folder;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("MemoryDirectory", () => {
  directoryContract("MemoryDirectory", async () => new MemoryDirectory());
});

describe("FileDirectory", () => {
  directoryContract("FileDirectory", async () => new FileDirectory(join(await newFolder(), "a", "b")));
});

describe("FileDirectory on a file system", () => {
  it("creates its folder with the first write, and again when it was removed", async () => {
    const path = join(await newFolder(), "x", "y");
    const directory = new FileDirectory(path);
    await directory.list();
    expect(existsSync(path)).toBe(false);
    await directory.write("a", [bytes(1)]);
    expect(await readdir(path)).toEqual(["a"]);
    await rm(path, { recursive: true });
    expect(await directory.createExclusive("b", bytes(1))).toBe(true);
    expect(await readdir(path)).toEqual(["b"]);
  });

  it("lists files only, and only those whose names it takes", async () => {
    const path = await newFolder();
    await mkdir(join(path, "folder"));
    await writeFile(join(path, ".DS_Store"), "");
    await writeFile(join(path, "README.md"), "");
    await writeFile(join(path, "a"), "");
    expect(await new FileDirectory(path).list()).toEqual(["a"]);
  });

  it("refuses an empty path", () => {
    expect(() => new FileDirectory("")).toThrow(/path of a folder/);
  });

  it("tells storage failures with the operation, the file and the cause", async () => {
    const path = join(await newFolder(), "file");
    await writeFile(path, "not a folder");
    const directory = new FileDirectory(path);
    for (const [method, call] of [
      ["list", () => directory.list()],
      ["read", () => directory.read("a")],
      ["size", () => directory.size("a")],
      ["write", () => directory.write("a", [])],
      ["sync", () => directory.sync(["a"])],
      ["replace", () => directory.replace("a", "b")],
      ["createExclusive", () => directory.createExclusive("a", bytes())],
    ] as const) {
      const failure = (call() as Promise<unknown>).catch((error: unknown) => error);
      expect(await failure).toMatchObject({
        code: "STORAGE",
        message: expect.stringMatching(new RegExp(`FileDirectory\\.${method}: failed on ".*file.*": E`)) as string,
        cause: expect.objectContaining({ syscall: expect.any(String) as string }) as object,
      });
    }
    const folder = await newFolder();
    await mkdir(join(folder, "sub"));
    await expect(new FileDirectory(folder).read("sub")).rejects.toMatchObject({ code: "STORAGE" });
  });

  it.runIf(existsSync("/dev/full"))("removes what a full disk has cut short", async () => {
    const path = await newFolder();
    await symlink("/dev/full", join(path, "a"));
    await expect(new FileDirectory(path).write("a", [bytes(1)])).rejects.toMatchObject({
      code: "STORAGE",
      message: expect.stringContaining("ENOSPC") as string,
    });
    expect(await readdir(path)).toEqual([]);
  });

  it("writes chunks larger than one write and reads ranges beyond 4 GiB", async () => {
    const path = await newFolder();
    const directory = new FileDirectory(path);
    const chunk = new Uint8Array(3_000_001).map((_, i) => i % 251);
    // Longer than what is written between two flushes, in chunks that are shorter and longer than that.
    const long = new Uint8Array(20_000_000).map((_, i) => i % 241);
    await directory.write("a", [chunk, long, chunk]);
    expect(crc32(await directory.read("a"))).toBe(crc32(chunk, crc32(long, crc32(chunk))));
    const size = 2 ** 32 + 10;
    const handle = await open(join(path, "sparse"), "w");
    await handle.truncate(size - 3);
    await handle.write(bytes(1, 2, 3), 0, 3, size - 3);
    await handle.close();
    expect(await directory.size("sparse")).toBe(size);
    expect(await directory.read("sparse", { start: size - 4, end: size })).toEqual(bytes(0, 1, 2, 3));
  });

  it("knows which holders of a lock are gone", async () => {
    const directory = new FileDirectory(await newFolder());
    const holder = { token: "0".repeat(32), startedAt: new Date().toISOString(), ...directory.identity };
    expect(holder).toMatchObject({ pid: process.pid, host: hostname() });
    expect(directory.isHolderAlive(holder)).toBe(true);
    expect(directory.isHolderAlive({ ...holder, pid: process.ppid })).toBe(true);
    // Above the greatest process id of any Linux, macOS or Windows.
    const gone = 2 ** 31 - 1;
    expect(directory.isHolderAlive({ ...holder, pid: gone })).toBe(false);
    expect(directory.isHolderAlive({ ...holder, pid: gone, host: "elsewhere" })).toBe(true);
    expect(directory.isHolderAlive({ ...holder, pid: undefined })).toBe(true);
    expect(directory.isHolderAlive({ ...holder, startedAt: "2020-01-01T00:00:00.000Z" })).toBe(false);
    expect(directory.isHolderAlive({ ...holder, startedAt: "not a date" })).toBe(true);
  });
});
