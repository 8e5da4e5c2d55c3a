// The analyzer inside an index: it takes its time, and all that an index promises holds with it.
import { MemoryDirectory, TriGraph } from "@trigraph/core";
import { expect, test } from "vitest";
import { TransformersAnalyzer } from "../src/index.js";
import { ENTITIES } from "./support/models.js";

// Without a capital, so that only the model finds the names.
const PASSAGES = [
  { id: "film", title: "the silent sea", text: "the silent sea is a film by the director ada lindqvist." },
  { id: "director", text: "ada lindqvist made films. she learned to paint from her mother, greta holm." },
  { id: "mother", text: "greta holm painted the sea. she came from visby, an old town." },
  { id: "decoy", text: "where was the mother of the director of the film born? in a silent town by the sea." },
];
const QUESTION = "who is the mother of ada lindqvist?";

const analyzer = () => new TransformersAnalyzer({ ...ENTITIES, mentions: "replace" });

test("questions are answered over the model's entities, with their places", async () => {
  const index = await TriGraph.create({ analyzer: analyzer() });
  await index.upsert(PASSAGES);
  const hits = await index.retrieve(QUESTION, { k: 4, explain: true });
  const mother = hits.find(({ passage }) => passage.id === "mother")!;
  if (mother.evidence?.via !== "graph") throw new Error("expected a path");
  expect(mother.evidence.seed).toMatchObject({ entity: "ada lindqvist" });
  const { passageId, span } = mother.evidence.arrival;
  expect(passageId).toBe("mother");
  expect(PASSAGES[2].text.slice(span.start, span.end)).toBe("greta holm");

  const plain = await TriGraph.create();
  await plain.upsert(PASSAGES);
  const entities = async (of: TriGraph) =>
    (await of.retrieve(QUESTION, { explain: true })).map(({ evidence }) => evidence?.via);
  expect(await entities(plain)).not.toEqual(await entities(index));
});

test("seeds by similarity take the question's mentions from the model", async () => {
  const index = await TriGraph.create({ analyzer: analyzer(), ranking: { seeds: "mentions" } });
  await index.upsert(PASSAGES);
  let seeds = 0;
  await index.retrieve(QUESTION, { onTrace: (trace) => (seeds = trace.seeds) });
  expect(seeds).toBe(1);
});

test("after updates it answers as a fresh build, and everything checks", async () => {
  const updated = await TriGraph.create({ analyzer: analyzer() });
  await updated.upsert([...PASSAGES, { id: "gone", text: "oskar berg of acme corporation." }]);
  await updated.upsert([{ id: "mother", text: "marie curie lived in warsaw." }]);
  await updated.upsert([PASSAGES[2]]);
  await updated.delete(["gone"]);
  const fresh = await TriGraph.create({ analyzer: analyzer() });
  await fresh.upsert(PASSAGES);
  expect(await updated.check()).toEqual([]);
  expect(await updated.retrieve(QUESTION, { k: 4 })).toEqual(await fresh.retrieve(QUESTION, { k: 4 }));
});

test("an index is opened with the analyzer that it was built with", async () => {
  const directory = new MemoryDirectory();
  const index = await TriGraph.open(directory, { create: true, analyzer: analyzer() });
  await index.upsert(PASSAGES);
  await index.close();
  await (await TriGraph.open(directory, { analyzer: analyzer() })).close();
  for (const options of [{}, { analyzer: new TransformersAnalyzer(ENTITIES) }]) {
    await expect(TriGraph.open(directory, options)).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
  }
});

test("an abort ends an upsert, and tells how far it was", async () => {
  const index = await TriGraph.create({ analyzer: analyzer() });
  const controller = new AbortController();
  const many = Array.from({ length: 5000 }, (_, i) => ({ id: String(i), text: "ada lindqvist of visby. ".repeat(15) }));
  const seen: number[] = [];
  const onProgress = ({ done }: { done: number }) => {
    seen.push(done);
    controller.abort(new Error("stop"));
  };
  await expect(index.upsert(many, { signal: controller.signal, onProgress })).rejects.toThrow("stop");
  expect(seen[0]).toBeGreaterThan(0);
  expect(seen[0]).toBeLessThan(5000);
  expect(index.size).toBe(0);
});

test("a model that is not there fails the upsert with its own error", async () => {
  const index = await TriGraph.create({ analyzer: new TransformersAnalyzer({ ...ENTITIES, model: "missing" }) });
  await expect(index.upsert(PASSAGES)).rejects.toMatchObject({ code: "MODEL" });
  expect(index.size).toBe(0);
});

test("what is neither kind of analyzer is refused", async () => {
  const read = () => Promise.reject(new Error("never"));
  for (const wrong of [{ id: "x", read }, { id: "x" }, { read, tokenize: () => [] }, "english"]) {
    await expect(TriGraph.create({ analyzer: wrong as never })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  }
});
