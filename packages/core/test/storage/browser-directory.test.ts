// Under an IndexedDB in JavaScript; test/browser asks the same of Chromium's.
import "fake-indexeddb/auto";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LockHolder } from "../../src/directory/directory.js";
import { acquireLock } from "../../src/index/lock.js";
import { TriGraph } from "../../src/trigraph.js";
import { BrowserDirectory } from "../../src/web.js";
import { directoryContract } from "./directory-contract.js";

const CHUNK = 2 ** 20;

let count = 0;
const newName = () => `index ${++count}`;

/** A page as one with Web Locks sees itself and the others. */
class Site {
  readonly held = new Set<string>();
  readonly locks = {
    request: async (name: string, hold: () => Promise<never>) => {
      this.held.add(name);
      return hold();
    },
    query: async () => ({ held: [...this.held].map((name) => ({ name })) }),
  };
}

/** A new page of the site: the modules as it loads them. */
async function openPage(site: Site, url: string) {
  vi.stubGlobal("navigator", { locks: site.locks });
  vi.stubGlobal("location", new URL(url));
  vi.resetModules();
  return {
    ...(await import("../../src/web.js")),
    ...(await import("../../src/index/lock.js")),
  };
}

afterEach(() => vi.unstubAllGlobals());

describe("BrowserDirectory", () => {
  directoryContract("BrowserDirectory", async () => new BrowserDirectory(newName()));
});

describe("BrowserDirectory in IndexedDB", () => {
  it("refuses an empty name", () => {
    expect(() => new BrowserDirectory("")).toThrow(/name of a database/);
  });

  it("leaves no trace of looking", async () => {
    const name = newName();
    const directory = new BrowserDirectory(name);
    await expect(TriGraph.open(directory)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(directory.read("a")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const names = async () => (await indexedDB.databases()).map((database) => database.name);
    expect(await names()).not.toContain(name);
    await directory.write("a", []);
    expect(await names()).toContain(name);
  });

  it("looks and writes at once", async () => {
    const directory = new BrowserDirectory(newName());
    const found = await Promise.allSettled([
      directory.list(),
      directory.write("a", [Uint8Array.of(1)]),
      directory.size("a"),
      directory.createExclusive("b", Uint8Array.of(2)),
    ]);
    expect(found[1].status).toBe("fulfilled");
    expect(found[3]).toMatchObject({ value: true });
    expect(await directory.list()).toEqual(["a", "b"]);
  });

  it("reads any range of a file of several chunks, however it was written", async () => {
    const size = 2 * CHUNK + 1000;
    const content = Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8)) % 251);
    const edge = fc.integer({ min: -2, max: 2 });
    const position = fc.tuple(fc.integer({ min: 0, max: 2 }), edge).map(([n, by]) => Math.max(0, n * CHUNK + by));
    const directory = new BrowserDirectory(newName());
    await fc.assert(
      fc.asyncProperty(
        fc.array(position, { maxLength: 3 }),
        fc.array(position, { minLength: 2 }),
        async (cuts, ends) => {
          const borders = [0, ...cuts.sort((a, b) => a - b), size];
          await directory.write(
            "a",
            borders.slice(1).map((border, i) => content.subarray(borders[i], border)),
          );
          expect(await directory.size("a")).toBe(size);
          const [start, end] = [Math.min(...ends), Math.max(...ends)];
          const read = await directory.read("a", { start, end });
          expect(Buffer.compare(read, content.subarray(start, end))).toBe(0);
        },
      ),
      { numRuns: 10 },
    );
    expect(Buffer.compare(await directory.read("a"), content)).toBe(0);
  });

  it("keeps nothing of files that were removed or replaced", async () => {
    const name = newName();
    const directory = new BrowserDirectory(name);
    for (const file of ["a", "b", "c"]) await directory.write(file, [new Uint8Array(CHUNK + 1)]);
    await directory.write("a", [Uint8Array.of(1)]);
    await directory.replace("a", "b");
    await directory.remove("c");
    const chunks = await new Promise((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => {
        const count = request.result.transaction("chunks").objectStore("chunks").count();
        count.onsuccess = () => resolve(count.result);
      };
    });
    expect(chunks).toBe(1);
  });

  it("is done with for good when its database was removed, and then tells so", async () => {
    const name = newName();
    const directory = new BrowserDirectory(name);
    await directory.write("a", [Uint8Array.of(1)]);
    await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
    await expect(directory.write("b", [])).rejects.toMatchObject({
      code: "STORAGE",
      message: expect.stringMatching(/write: failed on "b" in "index \d+": .*removed.*new BrowserDirectory/) as string,
    });
    expect(await new BrowserDirectory(name).list()).toEqual([]);
  });

  it("says how to go on where there is no IndexedDB", async () => {
    vi.stubGlobal("indexedDB", undefined);
    await expect(new BrowserDirectory("x").list()).rejects.toMatchObject({
      code: "STORAGE",
      message: expect.stringContaining("MemoryDirectory") as string,
    });
  });

  it("tells the database of something else from one of its own", async () => {
    const name = newName();
    await new Promise((resolve) => (indexedDB.open(name, 7).onsuccess = resolve));
    await expect(new BrowserDirectory(name).list()).rejects.toMatchObject({ code: "STORAGE" });
  });
});

describe("BrowserDirectory among several pages", () => {
  it("names the page that holds the lock, and takes over from one that has ended", async () => {
    const site = new Site();
    const name = newName();
    const first = await openPage(site, "https://example.org/notes?secret=1#here");
    const held = await first.acquireLock("open", new first.BrowserDirectory(name));
    expect(held.holder.page?.url).toBe("https://example.org/notes");
    await expect(first.acquireLock("open", new first.BrowserDirectory(name))).rejects.toThrow(/^open: this very page/);

    const second = await openPage(site, "https://example.org/other");
    const directory = new second.BrowserDirectory(name);
    await expect(second.acquireLock("open", directory)).rejects.toMatchObject({
      code: "LOCKED",
      message: expect.stringContaining("https://example.org/notes, perhaps in another tab") as string,
    });
    site.held.delete(`trigraph-page-${held.holder.page!.id}`);
    const taken = await second.acquireLock("open", directory);
    expect(taken.holder.page?.url).toBe("https://example.org/other");
    await held.release();
    await expect(first.acquireLock("open", new first.BrowserDirectory(name))).rejects.toMatchObject({ code: "LOCKED" });
    await taken.release();
    expect(await directory.list()).toEqual([]);
  });

  it("shows that it lives before it takes a lock", async () => {
    const site = new Site();
    let grant = () => {};
    const granted = new Promise<void>((resolve) => (grant = resolve));
    const { request } = site.locks;
    site.locks.request = async (name, hold) => granted.then(() => request(name, hold));
    const page = await openPage(site, "https://example.org/");
    const directory = new page.BrowserDirectory(newName());
    const lock = page.acquireLock("open", directory);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await directory.list()).toEqual([]);
    grant();
    expect(site.held).toContain(`trigraph-page-${(await lock).holder.page!.id}`);
  });

  it("respects every holder where there are no Web Locks", async () => {
    const directory = new BrowserDirectory(newName());
    const holder: LockHolder = { token: "0".repeat(32), startedAt: "", page: { id: "1", url: "" } };
    expect(directory.identity.page).toBeUndefined();
    expect(await directory.isHolderAlive(holder)).toBe(true);
    await acquireLock("open", directory);
    await expect(acquireLock("open", directory)).rejects.toThrow(/another writer.*remove "write\.lock"/);
  });
});
