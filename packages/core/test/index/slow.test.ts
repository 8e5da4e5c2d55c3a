// Embedders that load first, and analyzers that take their time.
import { expect, test } from "vitest";
import {
  type AsyncTextAnalyzer,
  EnglishAnalyzer,
  InvalidArgumentError,
  MemoryDirectory,
  type Passage,
  type TermSpan,
  type TextAnalyzer,
  TriGraph,
} from "../../src/index.js";
import { HashEmbedder } from "./fakes.js";

/** The English analyzer, a turn later, and only for texts that it was given. */
class SlowAnalyzer implements AsyncTextAnalyzer {
  readonly #english = new EnglishAnalyzer();
  readonly id = this.#english.id;
  /** Texts of each reading. */
  readonly readings: (readonly string[])[] = [];

  tokenize(text: string): readonly TermSpan[] {
    return this.#english.tokenize(text);
  }

  async read(texts: readonly string[]): Promise<TextAnalyzer> {
    this.readings.push(texts);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return {
      id: this.id,
      tokenize: (text) => this.#english.tokenize(text),
      analyze: (text) => {
        if (!texts.includes(text)) throw new Error(`not read: ${text}`);
        return this.#english.analyze(text);
      },
    };
  }
}

const PASSAGES: Passage[] = [
  { id: "film", title: "The Silent Harbour", text: "The Silent Harbour is a film by Ada Lindqvist." },
  { id: "director", text: "Ada Lindqvist made films. She learned to draw from her mother, Greta Holm." },
  { id: "mother", text: "Greta Holm painted the sea. She came from Visby." },
  ...Array.from({ length: 40 }, (_, i) => ({
    id: `other ${i}`,
    text: `Passage ${i} is of Bo Berg and the year ${1900 + i}.`,
  })),
];
const QUESTIONS = ["Who is the mother of the director of The Silent Harbour?", "What did Ada Lindqvistt do in 1901?"];

test.each(["names", "mentions", "both"] as const)(
  "answers and reasons are those of the same analyzer at once: %s",
  async (seeds) => {
    const build = async (analyzer: TextAnalyzer | AsyncTextAnalyzer) => {
      const index = await TriGraph.create({ analyzer, ranking: { seeds } });
      await index.upsert([...PASSAGES, { id: "gone", text: "Gone With The Wind." }]);
      await index.delete(["gone"]);
      return index;
    };
    const slow = new SlowAnalyzer();
    const [one, other] = [await build(slow), await build(new EnglishAnalyzer())];
    // Sixteen at a time, so that progress is told between them.
    expect(slow.readings.map(({ length }) => length)).toEqual([16, 16, 12]);
    for (const question of QUESTIONS) {
      const options = { k: 10, explain: true };
      expect(await one.retrieve(question, options)).toEqual(await other.retrieve(question, options));
    }
    expect(await one.check()).toEqual([]);
  },
);

test("a question is read only where its mentions are needed", async () => {
  const slow = new SlowAnalyzer();
  const index = await TriGraph.create({ analyzer: slow, ranking: { seeds: "both" } });
  await index.upsert(PASSAGES);
  const questions = () => slow.readings.flat().filter((text) => QUESTIONS.includes(text));
  await index.retrieve(QUESTIONS[0]);
  expect(questions()).toEqual([]);
  await index.retrieve("What is Gretta Holmm?");
  expect(slow.readings.at(-1)).toEqual(["What is Gretta Holmm?"]);
});

test("waiting for an analyzer ends with the signal, and leaves no trace", async () => {
  const controller = new AbortController();
  const never: AsyncTextAnalyzer = {
    id: "never",
    tokenize: () => [],
    read: () => {
      setTimeout(() => controller.abort(new Error("stop")), 0);
      return new Promise(() => undefined);
    },
  };
  const index = await TriGraph.create({ analyzer: never });
  await expect(index.upsert(PASSAGES, { signal: controller.signal })).rejects.toThrow("stop");
  expect(index.size).toBe(0);
});

/** Knows the length of its vectors only when it is loaded. */
class LoadingEmbedder extends HashEmbedder {
  loads = 0;
  failure: Error | undefined;

  constructor() {
    super();
    Object.defineProperty(this, "dimensions", {
      get: () => {
        if (this.loads === 0) throw new InvalidArgumentError("not loaded");
        return 16;
      },
    });
  }

  async load(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.loads++;
  }
}

test("create and open load the embedder before they ask for its dimensions", async () => {
  const created = new LoadingEmbedder();
  const index = await TriGraph.create({ embedder: created });
  await index.upsert(PASSAGES);
  expect([created.loads, index.stats().dimensions]).toEqual([1, 16]);

  const directory = new MemoryDirectory();
  const opened = new LoadingEmbedder();
  await (await TriGraph.open(directory, { create: true, embedder: opened })).close();
  expect(opened.loads).toBe(1);
});

test("an embedder that does not load is an error, and the directory stays free", async () => {
  const embedder = new LoadingEmbedder();
  embedder.failure = new Error("no such model");
  const directory = new MemoryDirectory();
  const failed = { code: "EMBEDDING", message: expect.stringContaining("no such model") as string };
  await expect(TriGraph.create({ embedder })).rejects.toMatchObject(failed);
  await expect(TriGraph.open(directory, { create: true, embedder })).rejects.toMatchObject(failed);
  await (await TriGraph.open(directory, { create: true })).close();
  // Where there is no index, nothing is loaded.
  await expect(TriGraph.open(new MemoryDirectory(), { embedder })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
