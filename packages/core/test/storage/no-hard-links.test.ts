import { mkdtemp, writeFile, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { TriGraph } from "../../src/index.js";
import { FileDirectory } from "../../src/node.js";

/** What copying does: nothing of it is real but what a test makes so. */
const disk = vi.hoisted(() => ({ copyFile: undefined as ((from: string, to: string) => Promise<void>) | undefined }));

vi.mock(import("node:fs/promises"), async (importOriginal) => {
  const real = await importOriginal();
  return {
    ...real,
    link: () => Promise.reject(Object.assign(new Error("no links here"), { code: "EPERM" })),
    copyFile: ((from: string, to: string, mode: number) =>
      disk.copyFile?.(from, to) ?? real.copyFile(from, to, mode)) as typeof real.copyFile,
  };
});

const passage = (id: string) => ({ id, text: `Ada Quill wrote ${id}.` });

describe("a folder without hard links", () => {
  it("holds one writer's commits, one after the other", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trigraph-no-links-"));
    const index = await TriGraph.open(new FileDirectory(folder), { create: true });
    await expect(TriGraph.open(new FileDirectory(folder), { create: true })).rejects.toMatchObject({ code: "LOCKED" });
    await index.upsert([passage("a")]);
    await index.upsert([passage("b")]);
    await index.close();
    const again = await TriGraph.open(new FileDirectory(folder), { readOnly: true });
    expect(again.size).toBe(2);
    expect(await again.check()).toEqual([]);
  });

  it("keeps the commit before while a manifest is copied, and when that was broken off", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trigraph-no-links-"));
    const writer = await TriGraph.open(new FileDirectory(folder), { create: true });
    await writer.upsert([passage("a")]);
    const copying = new Promise<void>((begun) => {
      disk.copyFile = async (from, to) => {
        const whole = await readFile(from);
        await writeFile(to, whole.subarray(0, whole.length >> 1), { flag: "wx" });
        begun();
        // The process ends here.
        return new Promise(() => undefined);
      };
    });
    void writer.upsert([passage("b")]);
    await copying;
    disk.copyFile = undefined;

    const reader = await TriGraph.open(new FileDirectory(folder), { readOnly: true });
    expect(Array.from(reader.passages(), ({ id }) => id)).toEqual(["a"]);
    // The lock of this very process counts as held.
    await new FileDirectory(folder).remove("write.lock");
    const later = await TriGraph.open(new FileDirectory(folder));
    await later.upsert([passage("c")]);
    await later.close();
    expect(await reader.refresh()).toBe(true);
    expect(Array.from(reader.passages(), ({ id }) => id).sort()).toEqual(["a", "c"]);
    expect(await new FileDirectory(folder).list()).toEqual([
      "manifest-000000000003.json",
      expect.stringMatching(/^segment-.*[.]seg$/),
      expect.stringMatching(/^segment-.*[.]seg$/),
    ]);
  });
});
