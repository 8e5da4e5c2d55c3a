/** Merges in the background, of segments of one passage by threes, and what writes, queries, close and abort do beside them. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type * as Defaults from "../../src/defaults.js";
import { type Directory, MemoryDirectory, type Passage, TriGraph } from "../../src/index.js";
import { FailingDirectory } from "./fakes.js";

const MAX = 7;

vi.mock("../../src/defaults.js", async (original) => ({
  ...(await original<typeof Defaults>()),
  MERGE_FACTOR: 3,
  SMALLEST_TIER_TOKENS: 10,
  SMALL_MERGE_TOKENS: 0,
  MAX_SEGMENTS: 7,
}));

const QUESTION = "Whom did Ada Quill meet in Delmar?";
const passage = (id: string): Passage => ({ id, text: `Ada Quill met ${id} Stone in Delmar, and ${id} built a mill.` });
const NAMES = ["Bram", "Corvin", "Elva", "Hale", "Marsh", "Norwick", "Ada", "Otto", "Pia", "Quent", "Rosa", "Sven"];

/** Every step is a turn of its own, so that other work comes between any two. */
function slowMerges(): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
}

afterEach(() => {
  vi.restoreAllMocks();
});

async function idle(index: TriGraph): Promise<void> {
  const merger = Reflect.get(index, "merger") as { running: unknown };
  for (let turn = 0; merger.running !== undefined; turn++) {
    if (turn > 5_000) throw new Error("the merge in the background does not end");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Holds the writing of the file of a merged segment: the first one that is written while no write is under way. */
class HoldingDirectory extends FailingDirectory {
  held: Promise<void> | undefined;
  release = () => {};
  isHolding = false;

  hold(): void {
    this.held = new Promise((resolve) => (this.release = resolve));
  }

  override async write(name: string, chunks: readonly Uint8Array[]): Promise<void> {
    const { held } = this;
    if (held !== undefined && !this.isHolding) {
      this.isHolding = true;
      await held;
    }
    await super.write(name, chunks);
  }
}

async function sameAsFresh(index: TriGraph, names: readonly string[]): Promise<void> {
  const fresh = await TriGraph.create();
  await fresh.upsert(names.map(passage));
  expect([...index.passages()].map(({ id }) => id).sort()).toEqual([...names].sort());
  const options = { k: 20, explain: true };
  expect(await index.retrieve(QUESTION, options)).toEqual(await fresh.retrieve(QUESTION, options));
  expect(await index.check()).toEqual([]);
}

const places: [string, () => Promise<{ index: TriGraph; directory: Directory | undefined }>][] = [
  ["in memory", async () => ({ index: await TriGraph.create(), directory: undefined })],
  [
    "in a directory",
    async () => {
      const directory = new MemoryDirectory();
      return { index: await TriGraph.open(directory, { create: true }), directory };
    },
  ],
];

describe.each(places)("a large merge %s", (_name, begin) => {
  it("comes after the write that makes it due, as a commit that no one has to notice", async () => {
    const { index, directory } = await begin();
    for (const name of NAMES.slice(0, 3)) await index.upsert([passage(name)]);
    expect(index.stats().segments).toBe(3);
    await idle(index);
    expect(index.stats().segments).toBe(1);
    expect(index.commits).toBe(3);
    await sameAsFresh(index, NAMES.slice(0, 3));
    await index.close();
    if (directory === undefined) return;
    const again = await TriGraph.open(directory);
    expect(again.stats().segments).toBe(1);
    await sameAsFresh(again, NAMES.slice(0, 3));
    expect(await directory.list()).toHaveLength(3);
    await again.close();
  });

  it.each([0, 1, 2, 5, 12, 30])("keeps dead what has died meanwhile, %i turns after it began", async (turns) => {
    slowMerges();
    const { index } = await begin();
    for (const name of NAMES.slice(0, 3)) await index.upsert([passage(name)]);
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    await index.delete(["Bram"]);
    await index.upsert([{ id: "Corvin", text: "Changed." }]);
    await idle(index);
    expect(index.get("Bram")).toBeUndefined();
    expect(index.get("Corvin")?.text).toBe("Changed.");
    await index.upsert([passage("Corvin")]);
    await idle(index);
    await sameAsFresh(index, ["Corvin", "Elva"]);
    await index.close();
  });

  it("is dropped where all of it has died", async () => {
    slowMerges();
    const { index } = await begin();
    for (const name of NAMES.slice(0, 3)) await index.upsert([passage(name)]);
    await index.delete(NAMES.slice(0, 3));
    await index.upsert([passage("Sven")]);
    await idle(index);
    expect(index.stats()).toMatchObject({ segments: 1, deadPassages: 0 });
    await sameAsFresh(index, ["Sven"]);
    await index.close();
  });

  it("lets questions and writes go on in between", async () => {
    slowMerges();
    const { index } = await begin();
    for (const name of NAMES.slice(0, 3)) await index.upsert([passage(name)]);
    await index.retrieve(QUESTION);
    await index.upsert([passage("Sven")]);
    expect(index.stats().segments).toBe(4);
    await idle(index);
    expect(index.stats().segments).toBe(2);
    await index.close();
  });

  it("gives way to merge(), which ends when it is aborted", async () => {
    slowMerges();
    const { index } = await begin();
    // The last one makes a merge due, which has not gone far when the call comes.
    for (const name of NAMES.slice(0, 3)) await index.upsert([passage(name)]);
    const controller = new AbortController();
    const merging = index.merge({ signal: controller.signal });
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    controller.abort("enough");
    await expect(merging).rejects.toBe("enough");
    expect(index.stats().segments).toBe(3);
    await index.merge();
    expect(index.stats().segments).toBe(1);
    await sameAsFresh(index, NAMES.slice(0, 3));
    await index.close();
  });
});

describe("an index whose merge in the background takes long", () => {
  async function heldUp() {
    const directory = new HoldingDirectory();
    const index = await TriGraph.open(directory, { create: true });
    for (const name of NAMES.slice(0, 2)) await index.upsert([passage(name)]);
    await index.upsert([passage("Elva")]);
    directory.hold();
    while (!directory.isHolding) await new Promise(setImmediate);
    return { directory, index };
  }

  it("takes writes, which merge themselves once there are too many segments", async () => {
    const { directory, index } = await heldUp();
    let most = 0;
    for (const name of NAMES.slice(3)) {
      await index.upsert([passage(name)]);
      most = Math.max(most, index.stats().segments);
    }
    expect(most).toBe(MAX);
    await index.delete(["Bram"]);
    directory.release();
    await idle(index);
    await sameAsFresh(index, NAMES.slice(1));
    await index.close();
    const again = await TriGraph.open(directory);
    await sameAsFresh(again, NAMES.slice(1));
    await again.close();
  });

  it("is closed when that has ended, and nothing of it is left", async () => {
    const { directory, index } = await heldUp();
    const write = index.upsert([passage("Sven")]);
    const closing = index.close();
    let isClosed = false;
    void closing.then(() => (isClosed = true));
    await write;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    expect(await directory.list()).toContain("write.lock");
    directory.release();
    await closing;
    // Four segments and the manifest.
    expect(await directory.list()).toHaveLength(5);
    const again = await TriGraph.open(directory);
    expect(again.stats().segments).toBe(4);
    await sameAsFresh(again, [...NAMES.slice(0, 3), "Sven"]);
    await again.close();
  });
});

describe("a merge in the background that fails", () => {
  async function failed() {
    const directory = new FailingDirectory();
    const index = await TriGraph.open(directory, { create: true });
    for (const name of NAMES.slice(0, 3)) await index.upsert([passage(name)]);
    directory.fails = (operation) => operation === "write";
    await idle(index);
    directory.fails = () => false;
    return { directory, index };
  }
  const failure = (says: RegExp) => ({
    code: "STORAGE",
    message: expect.stringMatching(says) as string,
    cause: expect.objectContaining({ code: "STORAGE" }) as Error,
  });

  it("is told by the next write, which changes nothing, and tried again after the one that follows", async () => {
    const { directory, index } = await failed();
    await sameAsFresh(index, NAMES.slice(0, 3));
    await expect(index.upsert([passage("Sven")])).rejects.toMatchObject(
      failure(/^upsert: a merge in the background has failed: .*no space left.*this call has changed nothing/),
    );
    expect(index.get("Sven")).toBeUndefined();
    await index.upsert([passage("Sven")]);
    await idle(index);
    expect(index.stats().segments).toBe(2);
    await sameAsFresh(index, [...NAMES.slice(0, 3), "Sven"]);
    await index.close();
    expect(await directory.list()).toHaveLength(3);
  });

  it("is told by close, which closes all the same", async () => {
    const { directory, index } = await failed();
    await expect(index.close()).rejects.toMatchObject(failure(/^close: .*the index was closed/));
    expect(await directory.list()).not.toContain("write.lock");
    const again = await TriGraph.open(directory);
    await sameAsFresh(again, NAMES.slice(0, 3));
    await again.close();
  });
});
