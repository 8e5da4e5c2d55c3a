import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryDirectory, TriGraph } from "@trigraph/core";
import { env } from "@xenova/transformers";
import { describe, expect, test } from "vitest";
import { type ModelProgress, TransformersEmbedder } from "../src/index.js";
import { cosine, ENCODER, goldens, TINY } from "./support/models.js";

const texts = goldens.vectors.map(({ text }) => text);

describe("vectors", () => {
  test("are those of the float model in another runtime", async () => {
    const embedder = new TransformersEmbedder({ ...ENCODER, quantized: false });
    const vectors = await embedder.embedPassages(texts);
    for (const [i, { float }] of goldens.vectors.entries()) {
      expect(vectors[i].length).toBe(32);
      for (const [j, value] of float.entries()) expect(vectors[i][j]).toBeCloseTo(value, 5);
    }
  });

  test("of the quantised model are near another runtime's, and nearer than to any other text's", async () => {
    const vectors = await new TransformersEmbedder(ENCODER).embedPassages(texts);
    for (const [i, vector] of vectors.entries()) {
      const cosines = goldens.vectors.map(({ quantized }) => cosine(vector, quantized));
      expect(cosines[i]).toBeGreaterThan(0.999);
      expect(Math.max(...cosines.filter((_, j) => j !== i))).toBeLessThan(0.95);
    }
  });

  test("depend on their text alone, whatever it is embedded with", async () => {
    const embedder = new TransformersEmbedder(ENCODER);
    const together = await embedder.embedPassages(texts);
    const [first, ...others] = [...texts].reverse();
    const reversed = [...(await embedder.embedPassages([first])), ...(await embedder.embedPassages(others))].reverse();
    const atOnce = await Promise.all(texts.map((text) => embedder.embedQuery(text)));
    expect(reversed).toEqual(together);
    expect(atOnce).toEqual(together);
  });

  test("have length 1, or that of the mean", async () => {
    const norm = (vector: Float32Array) => Math.hypot(...vector);
    const [unit] = await new TransformersEmbedder(ENCODER).embedPassages(["bees"]);
    const [mean] = await new TransformersEmbedder({ ...ENCODER, normalize: false }).embedPassages(["bees"]);
    expect(norm(unit)).toBeCloseTo(1, 6);
    expect(norm(mean)).toBeGreaterThan(1.5);
    expect(cosine(unit, mean)).toBeCloseTo(1, 6);
  });

  test("of the first piece differ from their mean", async () => {
    const options = { ...ENCODER, quantized: false };
    const [mean] = await new TransformersEmbedder(options).embedPassages(["bees make honey"]);
    const [first] = await new TransformersEmbedder({ ...options, pooling: "cls" }).embedPassages(["bees make honey"]);
    expect(cosine(mean, first)).toBeLessThan(0.95);
  });

  test("are of the prefixed text", async () => {
    const plain = new TransformersEmbedder(ENCODER);
    const prefixed = new TransformersEmbedder({ ...ENCODER, queryPrefix: "query: ", passagePrefix: "passage: " });
    expect(await prefixed.embedQuery("bees")).toEqual(await plain.embedQuery("query: bees"));
    expect(await prefixed.embedPassages(["bees"])).toEqual(await plain.embedPassages(["passage: bees"]));
    expect(prefixed.id).not.toBe(plain.id);
  });

  test("of what is too long are those of its beginning", async () => {
    const embedder = new TransformersEmbedder(ENCODER);
    const words = Array.from({ length: 300 }, (_, i) => ["bees", "make", "honey"][i % 3]);
    // 128 pieces, two of them special; every word here is one piece.
    const beginning = words.slice(0, 126).join(" ");
    expect(await embedder.embedQuery(words.join(" "))).toEqual(await embedder.embedQuery(beginning));
    const short = new TransformersEmbedder({ ...ENCODER, maxTokens: 5 });
    expect(await short.embedQuery(words.join(" "))).toEqual(await embedder.embedQuery("bees make honey"));
  });

  test("of nothing are finite", async () => {
    const vector = await new TransformersEmbedder(ENCODER).embedQuery("");
    expect([...vector].every(Number.isFinite)).toBe(true);
  });
});

describe("in an index", () => {
  const passages = [
    { id: "bees", text: "Honey is made by bees." },
    { id: "bread", text: "Rye bread is baked of rye flour." },
  ];

  test("it is loaded by create, and finds what is like the question", async () => {
    const embedder = new TransformersEmbedder(ENCODER);
    const index = await TriGraph.create({ embedder });
    expect(embedder.dimensions).toBe(32);
    await index.upsert(passages);
    expect(index.stats().dimensions).toBe(32);
    const [hit] = await index.nearest(await embedder.embedQuery("Honey is made by bees."), { k: 1 });
    expect(hit).toMatchObject({ passage: { id: "bees" } });
    expect(hit.score).toBeCloseTo(1, 5);
  });

  test("it is loaded by open, and the index knows its model again", async () => {
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { create: true, embedder: new TransformersEmbedder(ENCODER) });
    await index.upsert(passages);
    await index.close();
    await (await TriGraph.open(directory, { embedder: new TransformersEmbedder(ENCODER) })).close();
    const other = new TransformersEmbedder({ ...ENCODER, quantized: false });
    await expect(TriGraph.open(directory, { embedder: other })).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
  });

  test("a model that is not there is an error of create", async () => {
    const embedder = new TransformersEmbedder({ ...ENCODER, model: "missing" });
    await expect(TriGraph.create({ embedder })).rejects.toMatchObject({ code: "EMBEDDING", cause: { code: "MODEL" } });
  });

  test("an abort ends an upsert and leaves no trace", async () => {
    const index = await TriGraph.create({ embedder: new TransformersEmbedder(ENCODER) });
    const controller = new AbortController();
    const many = Array.from({ length: 5000 }, (_, i) => ({
      id: String(i),
      text: "Honey is made by bees. ".repeat(20),
    }));
    setTimeout(() => controller.abort(new Error("stop")), 100);
    await expect(index.upsert(many, { signal: controller.signal })).rejects.toThrow("stop");
    expect(index.size).toBe(0);
  });
});

describe("loading", () => {
  test("tells how far it is, and leaves the library's settings as they were", async () => {
    const before = { ...env };
    const seen: ModelProgress[] = [];
    const embedder = new TransformersEmbedder({ ...ENCODER, revision: "own", onProgress: (event) => seen.push(event) });
    await embedder.load();
    const last = seen.filter(({ file }) => file === "onnx/model_quantized.onnx").at(-1);
    expect(last).toMatchObject({ model: "encoder" });
    expect(last!.loaded).toBe(last!.total);
    expect(last!.total).toBeGreaterThan(40_000);
    expect(env).toEqual(before);
    await embedder.dispose();
  });

  test("happens once for all with the same options", async () => {
    const events: string[] = [];
    const make = (name: string) =>
      new TransformersEmbedder({ ...ENCODER, revision: "shared", onProgress: () => events.push(name) });
    const [a, b, c] = ["a", "b", "c"].map(make);
    await Promise.all([a.load(), b.load()]);
    expect(events.filter((name) => name === "a")).toEqual(events.filter((name) => name === "b").map(() => "a"));
    const told = events.length;
    expect(told).toBeGreaterThan(0);
    await c.load();
    expect(events.length).toBe(told);

    await a.dispose();
    expect((await b.embedQuery("bees")).length).toBe(32);
    await Promise.all([b.dispose(), c.dispose()]);
    const again = make("again");
    await again.load();
    expect(events).toContain("again");
    await again.dispose();
  });

  test("may be tried again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trigraph-models-"));
    try {
      const embedder = new TransformersEmbedder({ ...ENCODER, localModelPath: folder });
      await expect(embedder.load()).rejects.toMatchObject({ code: "MODEL" });
      cpSync(join(TINY.localModelPath, "encoder"), join(folder, "encoder"), { recursive: true });
      await embedder.load();
      expect(embedder.dimensions).toBe(32);
      await embedder.dispose();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("can be aborted, and comes in all the same", async () => {
    const embedder = new TransformersEmbedder({ ...ENCODER, revision: "aborted" });
    const controller = new AbortController();
    const loading = embedder.load({ signal: controller.signal });
    controller.abort(new Error("stop"));
    await expect(loading).rejects.toThrow("stop");
    await embedder.load();
    expect(embedder.dimensions).toBe(32);
    await embedder.dispose();
  });
});

describe("errors", () => {
  test("say where an offline model was looked for, and what to do", async () => {
    const embedder = new TransformersEmbedder({ ...ENCODER, model: "org/missing" });
    const error = await embedder.load().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    expect(error?.message).toContain(`${TINY.localModelPath}/org/missing`);
    expect(error?.message).toContain("onnx/model_quantized.onnx");
    expect(error?.message).toContain("allowRemoteModels: true");
  });

  test("name a model of another kind", async () => {
    const embedder = new TransformersEmbedder({ ...TINY, model: "pairs" });
    await expect(embedder.load()).rejects.toThrow(
      /expected pairs to return last_hidden_state or token_embeddings, got logits/,
    );
  });

  test("before and after its life", async () => {
    const embedder = new TransformersEmbedder(ENCODER);
    expect(() => embedder.dimensions).toThrow(/Await load\(\) first/);
    await embedder.load();
    await embedder.dispose();
    await embedder.dispose();
    await expect(embedder.embedQuery("bees")).rejects.toMatchObject({ code: "CLOSED" });

    // Ended while it loads, and between two of its texts.
    const loading = new TransformersEmbedder({ ...ENCODER, revision: "brief" });
    const loaded = loading.load();
    await loading.dispose();
    await expect(loaded).rejects.toMatchObject({ code: "CLOSED" });
    const busy = new TransformersEmbedder({ ...ENCODER, revision: "busy" });
    await busy.load();
    const vectors = busy.embedPassages(Array.from({ length: 1000 }, () => "bees make honey "));
    await busy.dispose();
    await expect(vectors).rejects.toMatchObject({ code: "CLOSED" });
  });

  test.each([
    [{}, /expected the name of a model/],
    [{ ...ENCODER, quantised: true }, /quantised/],
    [{ ...ENCODER, quantized: "yes" }, /expected quantized to be a boolean, got "yes"/],
    [{ ...ENCODER, maxTokens: 0 }, /expected maxTokens to be an integer of at least 1, got 0/],
    [{ ...ENCODER, pooling: "max" }, /expected the pooling "mean" or "cls", got "max"/],
  ])("options %j", (options, message) => {
    expect(() => new TransformersEmbedder(options as { model: string })).toThrow(message);
  });

  test("more pieces than the model can read", async () => {
    const embedder = new TransformersEmbedder({ ...ENCODER, maxTokens: 129 });
    await expect(embedder.load()).rejects.toThrow(/maxTokens of at most 128/);
  });
});
