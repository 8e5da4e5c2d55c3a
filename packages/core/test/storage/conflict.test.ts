import { describe, expect, it } from "vitest";
import { IndexError, MemoryDirectory, type Passage, TriGraph } from "../../src/index.js";

const QUESTION = "Who met Ada Quill?";
const passage = (id: string, text = `Bram Stone met Ada Quill in ${id}.`): Passage => ({ id, text });

/** Removing the lock lets a second writer in, as does a take-over from a process that only seems to be dead. */
async function twoWriters(): Promise<{ directory: MemoryDirectory; first: TriGraph; second: TriGraph }> {
  const directory = new MemoryDirectory();
  const first = await TriGraph.open(directory, { create: true });
  await first.upsert([passage("one")]);
  await directory.remove("write.lock");
  const second = await TriGraph.open(directory);
  return { directory, first, second };
}

async function idsIn(directory: MemoryDirectory): Promise<string[]> {
  const index = await TriGraph.open(directory, { readOnly: true });
  expect(await index.check()).toEqual([]);
  return [...index.passages()].map(({ id }) => id).sort();
}

const conflict = (method: string, says: string) => ({
  name: "IndexError",
  code: "CONFLICT",
  message: expect.stringMatching(new RegExp(`^${method}: .*${says}.*Nothing was changed.*open it anew`)) as string,
});

describe("two writers of one directory", () => {
  it("the one whose commit comes second is refused, and its index goes on answering", async () => {
    const { directory, first, second } = await twoWriters();
    await second.upsert([passage("two")]);
    const before = await first.retrieve(QUESTION);
    const files = await directory.list();
    await expect(first.upsert([passage("three")])).rejects.toMatchObject(
      conflict("upsert", "commit 2 is there, this one's is 1.*held by another writer"),
    );
    await expect(first.delete(["one"])).rejects.toMatchObject(conflict("delete", "commit 2"));
    await expect(first.merge()).rejects.toMatchObject(conflict("merge", "commit 2"));
    expect(await first.retrieve(QUESTION)).toEqual(before);
    expect(first.size).toBe(1);
    expect(await directory.list()).toEqual(files);
    expect(await idsIn(directory)).toEqual(["one", "two"]);
    await first.close();
    // The other writer holds the lock still.
    expect(await directory.list()).toContain("write.lock");
    await second.upsert([passage("four")]);
    expect(await idsIn(directory)).toEqual(["four", "one", "two"]);
  });

  it("the one that has lost the lock is refused although nothing was committed since", async () => {
    const { directory, first, second } = await twoWriters();
    await expect(first.upsert([passage("two")])).rejects.toMatchObject(
      conflict(
        "upsert",
        "another writer may write to the index; the lock is held by another writer, which took it over at 2",
      ),
    );
    await second.upsert([passage("three")]);
    expect(await idsIn(directory)).toEqual(["one", "three"]);
  });

  it("a lock that was only removed counts as lost", async () => {
    const { directory, first, second } = await twoWriters();
    await second.close();
    await expect(first.upsert([passage("two")])).rejects.toMatchObject(
      conflict("upsert", 'held by nobody: "write.lock" was removed'),
    );
    expect(await idsIn(directory)).toEqual(["one"]);
  });

  it.each(Array.from({ length: 60 }, (_, i) => i + 1))(
    "one of two commits at once is made, the other refused: seed %i",
    async (seed) => {
      const { directory, first, second } = await twoWriters();
      // Neither sees that the lock is the other's, as when both have read it before either took it.
      const read = directory.read.bind(directory);
      directory.read = async (name) => {
        if (name === "write.lock") throw new IndexError("NOT_FOUND", "there is no lock");
        return read(name);
      };
      const seen = [first, second].map(
        (index) => Reflect.get(index, "store") as { lock: { lostTo: () => Promise<undefined> } },
      );
      for (const { lock } of seen) lock.lostTo = () => Promise.resolve(undefined);
      delayed(directory, seed);
      const writes = [
        first.upsert([passage("a"), passage("one", "Changed by the first.")]),
        second.upsert([passage("b")]),
      ];
      const results = await Promise.allSettled(writes);
      const made = results.flatMap(({ status }, i) =>
        status === "fulfilled"
          ? [
              ["a", "one"],
              ["b", "one"],
            ][i]
          : [],
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const result of results) {
        if (result.status === "rejected") expect(result.reason).toMatchObject(conflict("upsert", "commit 2 is there"));
      }
      expect(await idsIn(directory)).toEqual(made);
      // Who was refused stays so; the other one goes on, twice, so that what the loser has left is cleaned up.
      const winner = results[0].status === "fulfilled" ? first : second;
      const loser = winner === first ? second : first;
      await winner.delete(["one"]);
      await expect(loser.upsert([passage("c")])).rejects.toMatchObject({ code: "CONFLICT" });
      await winner.upsert([passage("d")]);
      expect(await idsIn(directory)).toEqual([...made.filter((id) => id !== "one"), "d"]);
      const kinds = (await directory.list()).map((name) => name.replaceAll(/[0-9a-f]{12,}/g, "#"));
      expect(kinds.filter((name) => name.startsWith("segment-"))).toHaveLength(winner.stats().segments);
    },
  );
});

/** Every call waits a few turns, by seed, so that two writers meet at every point. */
function delayed(directory: MemoryDirectory, seed: number): void {
  let state = seed;
  for (const method of ["list", "write", "sync", "createExclusive", "remove"] as const) {
    const call = directory[method].bind(directory) as (...args: unknown[]) => Promise<unknown>;
    const slow = async (...args: unknown[]) => {
      state = (state * 48271) % 2147483647;
      for (let turns = state % 9; turns > 0; turns--) await Promise.resolve();
      return call(...args);
    };
    Object.assign(directory, { [method]: slow });
  }
}
