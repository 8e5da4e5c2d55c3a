// `upsert` with workers that answer in any order, late, never or not at all. Real threads: test/workers.test.ts.
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type * as Defaults from "../../src/defaults.js";
import {
  EnglishAnalyzer,
  type IndexingWorkers,
  MemoryDirectory,
  type Passage,
  type Progress,
  type TextArrays,
  type TitledText,
  TriGraph,
  WorkerError,
} from "../../src/index.js";
import { TextBuilder } from "../../src/segment/text-arrays.js";
import { failureOf, filesOf, HashEmbedder } from "./fakes.js";
import { content, patience, runs } from "./world.js";

// Batches of a few passages, which workers get in pieces of one or two; merged by threes.
vi.mock("../../src/defaults.js", async (original) => ({
  ...(await original<typeof Defaults>()),
  SEGMENT_TOKENS: 40,
  WORKER_CHARACTERS: 60,
  MERGE_FACTOR: 3,
  SMALLEST_TIER_TOKENS: 30,
}));

/** Files whose names, and what manifests say, do not tell which writer they are of: hexadecimal digits, as `filesOf` has them. */
function withoutWriter(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => {
      const text = name.endsWith(".json") ? Buffer.from(bytes, "hex").toString() : bytes;
      return [withoutToken(name), withoutToken(text).replace(/"checksum":\d+,"formatV/, '"formatV')];
    }),
  );
}

function withoutToken(text: string): string {
  return text.replaceAll(/-[0-9a-f]{16}-/g, "-writer-");
}

/** Keeps what it is asked until it is told to answer. */
class HeldWorkers implements IndexingWorkers {
  readonly held: {
    readonly signal: AbortSignal;
    readonly answer: () => void;
    readonly fail: (reason: unknown) => void;
  }[] = [];
  private readonly english = new EnglishAnalyzer();
  asked = 0;

  analyze(
    pieces: readonly (readonly TitledText[])[],
    { analyzer, signal }: { analyzer: string; signal: AbortSignal },
  ): Promise<TextArrays>[] {
    expect(analyzer).toBe(this.english.id);
    this.asked += pieces.length;
    signal.addEventListener("abort", () => {
      for (const { fail } of this.held) fail(signal.reason);
    });
    return pieces.map((texts) => {
      const answer = () => {
        const builder = new TextBuilder();
        for (const text of texts) builder.add(text, this.english);
        return builder.freeze();
      };
      return new Promise((resolve, reject) => {
        this.held.push({ signal, answer: () => resolve(answer()), fail: reject });
      });
    });
  }
}

/** Answers one at a time, whichever the numbers choose. */
class ShuffledWorkers extends HeldWorkers {
  constructor(private readonly order: Iterator<number>) {
    super();
  }

  override analyze(pieces: readonly (readonly TitledText[])[], options: { analyzer: string; signal: AbortSignal }) {
    for (const _ of pieces) setImmediate(() => this.answerOne());
    return super.analyze(pieces, options);
  }

  private answerOne(): void {
    const [{ answer }] = this.held.splice((this.order.next().value as number) % this.held.length, 1);
    answer();
  }
}

const passages = fc.array(fc.tuple(fc.nat(30), content), { minLength: 6, maxLength: 24 }).map((all) => {
  return all.map(([id, content]): Passage => ({ id: `p${id}`, ...content }));
});

async function* oneByOne(all: readonly Passage[]): AsyncGenerator<Passage> {
  for (const each of all) {
    await new Promise((resolve) => setImmediate(resolve));
    yield each;
  }
}

const RUNS = 10;

test(
  "the files, the report and the progress at the end are those without workers",
  { timeout: patience(RUNS) },
  async () => {
    let ofManyBatches = 0;
    await fc.assert(
      fc.asyncProperty(
        passages,
        passages,
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        async (first, second, hasVectors, order) => {
          const workers = new ShuffledWorkers(order);
          const write = async (workers?: IndexingWorkers) => {
            const directory = new MemoryDirectory();
            const embedder = hasVectors ? new HashEmbedder() : undefined;
            const index = await TriGraph.open(directory, { create: true, embedder });
            const reports: unknown[] = [];
            // An array, whose length is known, and a source that takes its time.
            for (const source of [first, oneByOne(second)]) {
              const analyzed: Progress[] = [];
              const onProgress = (progress: Progress) => {
                if (progress.phase === "analyze") analyzed.push(progress);
              };
              reports.push(await index.upsert(source, { workers, onProgress }), analyzed.at(-1));
              expect(analyzed.map(({ done }) => done)).toEqual(analyzed.map(({ done }) => done).sort((a, b) => a - b));
            }
            expect(await index.check()).toEqual([]);
            await index.close();
            return { reports, files: withoutWriter(await filesOf(directory)) };
          };
          expect(await write(workers)).toEqual(await write());
          if (workers.asked > 10) ofManyBatches++;
        },
      ),
      runs(RUNS),
    );
    expect(ofManyBatches).toBeGreaterThan(3);
  },
);

// Each fills a batch, and a piece for a worker.
const LONG = Array.from({ length: 9 }, (_, i) => ({ id: `long ${i}`, text: `Ada Quill met Bram Stone. `.repeat(8) }));

/** Lets everything happen that waits for nothing else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Hands out the passages, and then waits for ever. */
class Source implements AsyncIterable<Passage> {
  read = 0;
  isClosed = false;

  constructor(private readonly all: readonly Passage[]) {}

  [Symbol.asyncIterator](): AsyncIterator<Passage> {
    return {
      next: () => {
        if (this.read === this.all.length) return new Promise(() => undefined);
        return Promise.resolve({ done: false, value: this.all[this.read++] });
      },
      return: () => {
        this.isClosed = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}

test("at most two batches are held, and without workers one", async () => {
  const workers = new HeldWorkers();
  const source = new Source(LONG);
  const index = await TriGraph.create();
  const controller = new AbortController();
  const ended = failureOf(() => index.upsert(source, { workers, signal: controller.signal }));
  for (let answered = 0; answered < 5; answered++) {
    const held = () => expect([source.read, workers.held.length]).toEqual([answered + 2, 2]);
    await vi.waitFor(held);
    await settle();
    held();
    workers.held.shift()!.answer();
  }
  controller.abort(new Error("enough"));
  expect(await ended).toMatchObject({ message: "enough" });

  const alone = new Source(LONG);
  const never = { id: "never", tokenize: () => [], read: () => new Promise<never>(() => undefined) };
  const stop = new AbortController();
  const other = await TriGraph.create({ analyzer: never });
  const stopped = failureOf(() => other.upsert(alone, { signal: stop.signal }));
  await settle();
  expect(alone.read).toBe(1);
  stop.abort(new Error("enough"));
  expect(await stopped).toMatchObject({ message: "enough" });
});

test.each(["a failure", "an abort"])(
  "%s ends the call at once, whatever it waits for, and leaves no trace",
  async (by) => {
    // It waits for the source, which has no more; or for workers.
    for (const all of [LONG.slice(0, 1), LONG]) {
      const directory = new MemoryDirectory();
      const index = await TriGraph.open(directory, { create: true });
      await index.upsert([{ id: "old", text: "An old one." }]);
      const before = await filesOf(directory);
      const workers = new HeldWorkers();
      const source = new Source(all);
      const controller = new AbortController();
      const ended = failureOf(() => index.upsert(source, { workers, signal: controller.signal }));
      await settle();
      const error = new WorkerError("broken");
      if (by === "a failure") workers.held.at(-1)!.fail(error);
      else controller.abort(error);
      expect(await ended).toBe(error);
      await settle();
      expect(source.isClosed).toBe(true);
      // Nobody waits for the others any more, and they are told.
      expect(workers.held.every(({ signal }) => signal.aborted)).toBe(true);
      expect(await filesOf(directory)).toEqual(before);
      expect([index.size, index.commits]).toEqual([1, 1]);
      await index.upsert([{ id: "new", text: "A new one." }]);
      expect(index.size).toBe(2);
    }
  },
);

test("an embedder that fails for the next batch ends the one before, too", async () => {
  const embedder = new HashEmbedder();
  const embed = vi.spyOn(embedder, "embedPassages");
  embed.mockImplementationOnce(async (texts) => texts.map((text) => embedder.vectorOf(text)));
  embed.mockRejectedValueOnce(new Error("no such model"));
  const index = await TriGraph.create({ embedder });
  const workers = new HeldWorkers();
  expect(await failureOf(() => index.upsert(LONG, { workers }))).toMatchObject({ code: "EMBEDDING" });
  expect(workers.held.map(({ signal }) => signal.aborted)).toEqual([true]);
  expect(index.size).toBe(0);
});

test("what is no workers is refused", async () => {
  const index = await TriGraph.create();
  const failure = await failureOf(() => index.upsert(LONG, { workers: 2 as never }));
  expect(failure).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("upsert: workers") as string,
  });
});

afterEach(() => vi.restoreAllMocks());
