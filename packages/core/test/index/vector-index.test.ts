import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  InvalidArgumentError,
  MemoryDirectory,
  type Passage,
  type Progress,
  TriGraph,
  type VectorIndexer,
} from "../../src/index.js";
import { UsearchIndexer, type UsearchOptions } from "../../src/node.js";

const DIMENSIONS = 16;

/** Numbers in [0, 1) after a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function vectorsOf(count: number, seed: number): number[][] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => Array.from({ length: DIMENSIONS }, () => random() - 0.5));
}

function passagesOf(count: number, seed = 1): Passage[] {
  return vectorsOf(count, seed).map((vector, i) => ({
    id: `p${i}`,
    text: `Passage number ${i}.`,
    metadata: { group: i % 10 },
    vector,
  }));
}

const QUESTIONS = vectorsOf(20, 99);

/** Compares all, and counts how often it is asked. */
class ExactIndexer implements VectorIndexer {
  readonly minPassages = 50;
  built = 0;
  asked = 0;

  build: VectorIndexer["build"] = (vectors) => {
    this.built++;
    const rows = vectors.rows(0, vectors.count);
    return Promise.resolve({
      nearest: (query, count) => {
        this.asked++;
        const cosine = (i: number) =>
          query.reduce((sum, value, j) => sum + value * rows[i * vectors.dimensions + j], 0);
        return Array.from({ length: vectors.count }, (_, i) => i)
          .sort((a, b) => cosine(b) - cosine(a))
          .slice(0, count);
      },
    });
  };
}

async function idsOf(index: TriGraph, vector: readonly number[], options: object = {}): Promise<string[]> {
  return (await index.nearest(vector, { k: 5, ...options })).map(({ passage }) => passage.id);
}

describe("an index of vectors", () => {
  it.each(["float32", "int8"] as const)(
    "answers as comparing all does: %s, after deletions, with filters that hide few and many",
    async (vectorPrecision) => {
      const vectorIndexer = new ExactIndexer();
      const [exact, indexed] = [
        await TriGraph.create({ vectorPrecision }),
        await TriGraph.create({ vectorPrecision, vectorIndexer }),
      ];
      const dead = Array.from({ length: 30 }, (_, i) => `p${i * 7}`);
      for (const index of [exact, indexed]) {
        await index.upsert(passagesOf(400));
        await index.upsert(passagesOf(40, 2).map((passage) => ({ ...passage, id: `few-${passage.id}` })));
        await index.delete(dead);
      }
      const few = ({ metadata }: Passage) => metadata?.group !== 3;
      const many = ({ metadata }: Passage) => metadata?.group === 3;
      for (const question of QUESTIONS) {
        for (const options of [{}, { filter: few }, { filter: many }, { k: 100 }]) {
          expect(await indexed.nearest(question, options)).toEqual(await exact.nearest(question, options));
        }
        const asked = { vector: question, k: 10 };
        expect(await indexed.retrieve("What is number 7?", asked)).toEqual(
          await exact.retrieve("What is number 7?", asked),
        );
      }
      expect(vectorIndexer.built).toBe(1);
      expect(vectorIndexer.asked).toBeGreaterThan(QUESTIONS.length);
    },
  );

  it("is made anew for a segment that a merge makes, and for one that is opened", async () => {
    const directory = new MemoryDirectory();
    const vectorIndexer = new ExactIndexer();
    const index = await TriGraph.open(directory, { create: true, vectorIndexer });
    await index.upsert(passagesOf(200));
    await index.upsert(passagesOf(200, 2).map((passage) => ({ ...passage, id: `other-${passage.id}` })));
    await index.merge();
    expect(index.stats().segments).toBe(1);
    expect(vectorIndexer.built).toBeGreaterThan(0);
    const answer = await idsOf(index, QUESTIONS[0]);
    expect(vectorIndexer.asked).toBe(1);
    await index.close();
    const reader = new ExactIndexer();
    const again = await TriGraph.open(directory, { readOnly: true, vectorIndexer: reader });
    expect(reader.built).toBe(1);
    expect(await idsOf(again, QUESTIONS[0])).toEqual(answer);
    expect(reader.asked).toBe(1);
    await again.close();
  });

  it("that cannot be made leaves the index as it was", async () => {
    const vectorIndexer = { minPassages: 50, build: () => Promise.reject(new Error("no room")) };
    const index = await TriGraph.create({ vectorIndexer });
    await index.upsert(passagesOf(49));
    await expect(index.upsert(passagesOf(100, 2))).rejects.toThrow("no room");
    expect(index.size).toBe(49);
    expect(await idsOf(index, QUESTIONS[0])).toHaveLength(5);
  });

  it.each([{}, { minPassages: 5 }, { minPassages: "5", build: () => undefined }, 7])(
    "refuses %j",
    async (vectorIndexer) => {
      await expect(TriGraph.create({ vectorIndexer: vectorIndexer as unknown as VectorIndexer })).rejects.toThrow(
        InvalidArgumentError,
      );
    },
  );
});

describe("usearch", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trigraph-usearch-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const indexerOf = (options: UsearchOptions = {}) => new UsearchIndexer({ minPassages: 50, ...options });

  it("finds nearly all that comparing all finds, and the same each time", async () => {
    const exact = await TriGraph.create();
    await exact.upsert(passagesOf(500));
    const answers = await Promise.all(
      [1, 2].map(async () => {
        const index = await TriGraph.create({ vectorIndexer: indexerOf() });
        await index.upsert(passagesOf(500));
        return Promise.all(QUESTIONS.map((question) => idsOf(index, question)));
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    const expected = await Promise.all(QUESTIONS.map((question) => idsOf(exact, question)));
    const found = expected.flatMap((ids, i) => ids.filter((id) => answers[0][i].includes(id)));
    expect(found.length / (5 * QUESTIONS.length)).toBeGreaterThan(0.95);
  });

  it("keeps its graphs in a folder, makes a damaged one anew, and removes those of other segments", async () => {
    const add = async (passages: Passage[]) => {
      const phases: Progress["phase"][] = [];
      const index = await TriGraph.create({ vectorIndexer: indexerOf({ folder }) });
      await index.upsert(passages, { onProgress: ({ phase }) => phases.push(phase) });
      return { answer: await idsOf(index, QUESTIONS[0]), isMade: phases.includes("index-vectors") };
    };
    const first = await add(passagesOf(300));
    expect(first.isMade).toBe(true);
    const [file] = readdirSync(folder);
    expect(await add(passagesOf(300))).toEqual({ answer: first.answer, isMade: false });

    const path = join(folder, file);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(path, bytes);
    expect(await add(passagesOf(300))).toEqual(first);
    expect(readdirSync(folder)).toEqual([file]);
    expect(await add(passagesOf(300))).toEqual({ answer: first.answer, isMade: false });

    writeFileSync(join(folder, "notes.txt"), "mine");
    expect((await add(passagesOf(300, 5))).isMade).toBe(true);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(readdirSync(folder)).not.toContain(file);
    expect(readdirSync(folder)).toContain("notes.txt");
  });

  it("says what is wrong: a folder that is a file, settings that are none, an abort", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const index = await TriGraph.create({ vectorIndexer: indexerOf({ folder: join(file, "inside") }) });
    await expect(index.upsert(passagesOf(60))).rejects.toMatchObject({
      code: "STORAGE",
      message: expect.stringMatching(/^UsearchIndexer\.build: failed on /) as string,
    });
    expect(index.size).toBe(0);
    for (const options of [{ minPassages: 0 }, { connectivity: 1.5 }, { expansionSearch: NaN }, { folder: "" }]) {
      expect(() => new UsearchIndexer(options)).toThrow(InvalidArgumentError);
    }
    const stopped = await TriGraph.create({ vectorIndexer: indexerOf() });
    const controller = new AbortController();
    const adding = stopped.upsert(passagesOf(1000), {
      signal: controller.signal,
      onProgress: ({ phase }) => {
        if (phase === "index-vectors") controller.abort(new Error("enough"));
      },
    });
    await expect(adding).rejects.toThrow("enough");
    expect(stopped.size).toBe(0);
  });
});
