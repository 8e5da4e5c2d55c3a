import { describe, expect, it } from "vitest";
import type { LockHolder } from "../../src/directory/directory.js";
import { MemoryDirectory } from "../../src/directory/memory.js";
import { IndexError } from "../../src/errors.js";
import { acquireLock } from "../../src/index/lock.js";

const text = (value: string) => new TextEncoder().encode(value);

/** A directory whose processes are numbered; `alive` says which of them run. */
class Hosted extends MemoryDirectory {
  identity = { pid: 1, host: "here" };
  readonly alive = new Set([1]);

  isHolderAlive(holder: LockHolder): boolean {
    return holder.pid === undefined || this.alive.has(holder.pid);
  }
}

/** The directory as process `pid` sees it. */
function asProcess(directory: Hosted, pid: number): Hosted {
  return Object.assign(Object.create(directory) as Hosted, {
    identity: { pid, host: "here" },
    list: () => directory.list(),
    size: (name: string) => directory.size(name),
    read: (name: string) => directory.read(name),
    replace: (from: string, to: string) => directory.replace(from, to),
    createExclusive: (name: string, bytes: Uint8Array) => directory.createExclusive(name, bytes),
    remove: (name: string) => directory.remove(name),
  });
}

describe("acquireLock", () => {
  it("lets one writer in at a time", async () => {
    const directory = new MemoryDirectory();
    const lock = await acquireLock("open", directory);
    await expect(acquireLock("open", directory)).rejects.toMatchObject({
      name: "IndexError",
      code: "LOCKED",
      message: expect.stringContaining(lock.holder.startedAt) as string,
    });
    await lock.release();
    const next = await acquireLock("open", directory);
    expect(next.holder.token).not.toBe(lock.holder.token);
    // The first holder has nothing left to give back.
    await lock.release();
    await expect(acquireLock("open", directory)).rejects.toMatchObject({ code: "LOCKED" });
    await next.release();
    await next.release();
    expect(await directory.list()).toEqual([]);
  });

  it("lets one of many in", async () => {
    const directory = new MemoryDirectory();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock("open", directory)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  });

  it("names the holder", async () => {
    const directory = new Hosted();
    await acquireLock("open", directory);
    const other = asProcess(directory, 2);
    directory.alive.add(2);
    await expect(acquireLock("save", other)).rejects.toThrow(/^save: process 1 on host "here".*write\.lock/);
    await expect(acquireLock("open", directory)).rejects.toThrow(/^open: this very process/);
  });

  it("takes over from a holder that is gone", async () => {
    const directory = new Hosted();
    const dead = await acquireLock("open", directory);
    directory.alive.clear();
    const lock = await acquireLock("open", asProcess(directory, 2));
    directory.alive.add(2);
    expect(lock.holder.pid).toBe(2);
    await dead.release();
    await expect(acquireLock("open", directory)).rejects.toThrow(/process 2/);
    expect(await directory.list()).toEqual(["write.lock"]);
    await lock.release();
    expect(await directory.list()).toEqual([]);
  });

  it("lets one of many take over, whoever is delayed where", async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const directory = new Hosted();
      await acquireLock("open", directory);
      directory.alive.clear();
      let state = seed;
      const results = await Promise.allSettled(
        [2, 3, 4, 5].map((pid) => {
          directory.alive.add(pid);
          const seen = asProcess(directory, pid);
          for (const method of ["read", "replace", "createExclusive", "remove"] as const) {
            const call = seen[method].bind(seen) as (...args: unknown[]) => Promise<unknown>;
            const delayed = async (...args: unknown[]) => {
              state = (state * 48271) % 2147483647;
              for (let turns = state % 9; turns > 0; turns--) await Promise.resolve();
              return call(...args);
            };
            Object.assign(seen, { [method]: delayed });
          }
          return acquireLock("open", seen);
        }),
      );
      const locks = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      expect(locks, `seed ${seed}`).toHaveLength(1);
      expect(await directory.list()).toEqual(["write.lock"]);
      for (const result of results) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "LOCKED" });
      }
    }
  });

  it("takes over from one who died while taking over, and from one who died while taking over from that one", async () => {
    const directory = new Hosted();
    await acquireLock("open", directory);
    for (const pid of [2, 3]) {
      directory.alive.clear();
      const dying = asProcess(directory, pid);
      dying.replace = () => new Promise(() => undefined);
      void acquireLock("open", dying);
      for (let turns = 0; turns < 50; turns++) await Promise.resolve();
    }
    expect(await directory.list()).toHaveLength(3);
    directory.alive.clear();
    const lock = await acquireLock("open", asProcess(directory, 4));
    expect(lock.holder.pid).toBe(4);
    await lock.release();
    expect(await directory.list()).toEqual([]);
  });

  it("leaves nothing behind when it fails, and takes its own lock anew when that could not be removed", async () => {
    for (const methods of [["createExclusive"], ["createExclusive", "remove"], ["createExclusive", "list"]] as const) {
      const directory = new Hosted();
      const failing = asProcess(directory, 1);
      for (const method of methods) {
        const call = failing[method].bind(failing) as (...args: unknown[]) => Promise<unknown>;
        Object.assign(failing, {
          [method]: async (...args: unknown[]) => {
            // Created, but not known to be durable.
            if (method === "createExclusive") await call(...args);
            throw new IndexError("STORAGE", `${method} failed`);
          },
        });
      }
      await expect(acquireLock("open", failing)).rejects.toThrow("createExclusive failed");
      expect(await directory.list()).toEqual(methods.length === 1 ? [] : ["write.lock"]);
      await (await acquireLock("open", directory)).release();
      expect(await directory.list()).toEqual([]);
    }
  });

  it("is given back by a second call when the first one failed", async () => {
    const directory = new Hosted();
    const lock = await acquireLock("open", directory);
    const remove = directory.remove.bind(directory);
    directory.remove = () => Promise.reject(new IndexError("STORAGE", "remove failed"));
    await expect(lock.release()).rejects.toThrow("remove failed");
    directory.remove = remove;
    await lock.release();
    expect(await directory.list()).toEqual([]);
  });

  it("respects locks that name each other in a circle", async () => {
    const directory = new Hosted();
    directory.alive.clear();
    const [a, b] = ["a", "b"].map((digit) => digit.repeat(32));
    const holder = (token: string) => text(JSON.stringify({ token, startedAt: "", pid: 9, host: "here" }));
    await directory.write("write.lock", [holder(a)]);
    await directory.write(`write.lock.${a}`, [holder(b)]);
    await directory.write(`write.lock.${b}`, [holder(a)]);
    await expect(acquireLock("open", directory)).rejects.toMatchObject({ code: "LOCKED" });
  });

  it("respects a lock that it cannot read", async () => {
    for (const content of ["", "{", "[]", '{"token":"../x","startedAt":"","pid":99}', " ".repeat(5000)]) {
      const directory = new Hosted();
      directory.alive.clear();
      await directory.write("write.lock", [text(content)]);
      await expect(acquireLock("open", directory)).rejects.toThrow(/unknown writer.*remove "write\.lock"/);
    }
  });
});
