import { describe, expect, it } from "vitest";
import {
  ClosedError,
  type Embedder,
  EmbeddingError,
  EnglishAnalyzer,
  IndexError,
  InvalidArgumentError,
  MemoryDirectory,
  type Metadata,
  type Passage,
  type PassageFilter,
  type PresetName,
  type Prior,
  type RankingOptions,
  TriGraph,
  TriGraphError,
  type TriGraphOptions,
} from "../../src/index.js";
import { FailingDirectory, failureOf, filesOf, HashEmbedder } from "./fakes.js";

const TOWNS: readonly Passage[] = [
  { id: "ada", text: "Ada Quill was born in Norwick. She built a mill.", title: "Ada Quill", metadata: { group: 1 } },
  { id: "norwick", text: "Norwick is a town by the sea.", title: "Norwick", metadata: { group: 2 } },
  { id: "bram", text: "Bram Stone met Ada Quill in Delmar.", metadata: { group: 1 } },
];
const QUESTION = "Where was Ada Quill born?";

async function townsIndex(options: TriGraphOptions = {}): Promise<TriGraph> {
  const index = await TriGraph.create(options);
  await index.upsert(TOWNS);
  return index;
}

/** Everything of an index that a caller can see. */
async function snapshotOf(index: TriGraph, ...questions: string[]) {
  const answers = [];
  for (const question of [QUESTION, ...questions])
    answers.push(await index.retrieve(question, { k: 100, explain: true }));
  return { stats: index.stats(), answers, findings: await index.check() };
}

type ErrorClass = abstract new (...args: never[]) => TriGraphError;

/** Checks that a call fails with a typed error that names the method and says what was expected and got. */
async function expectFailure(call: () => unknown, kind: ErrorClass, code: string, ...says: (string | RegExp)[]) {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(kind);
  expect(error).toBeInstanceOf(TriGraphError);
  expect(error.code).toBe(code);
  for (const part of says) expect(error.message).toMatch(part);
  return error;
}

function expectInvalid(call: () => unknown, method: string, ...says: (string | RegExp)[]) {
  return expectFailure(
    call,
    InvalidArgumentError,
    "INVALID_ARGUMENT",
    new RegExp(`^${method}: `),
    /expected .*got /,
    ...says,
  );
}

function as<T>(value: unknown): T {
  return value as T;
}

describe("questions", () => {
  it("answers none from an empty index", async () => {
    const index = await TriGraph.create();
    expect(await index.retrieve(QUESTION, { explain: true })).toEqual([]);
    expect(await index.retrieve(QUESTION, { priors: [{ id: "x", score: 1 }], filter: () => true })).toEqual([]);
    expect(index.stats()).toMatchObject({ passages: 0, sentences: 0, entities: 0, terms: 0, tokens: 0, segments: 0 });
    expect(await index.check()).toEqual([]);
    await index.merge();
    expect(await index.delete(["x"])).toEqual({ deleted: 0, missing: ["x"] });
    expect(index.get("x")).toBeUndefined();
    expect(index.size).toBe(0);
  });

  it("answers none from an empty index, whatever the vector", async () => {
    expect(await (await TriGraph.create()).retrieve(QUESTION, { vector: [1, 0] })).toEqual([]);
  });

  it.each(["", " ", "\n\t\u00a0 "])("refuses the blank question %j", async (question) => {
    const index = await townsIndex();
    await expectFailure(
      () => index.retrieve(question),
      InvalidArgumentError,
      "INVALID_ARGUMENT",
      /^retrieve: expected a question/,
    );
  });

  it.each([
    [undefined, "got undefined"],
    [null, "got null"],
    [7, "got 7"],
    [{ text: "?" }, "got an object of Object"],
    [["?"], "got an array of 1"],
  ])("refuses %j for a question", async (question, got) => {
    const index = await townsIndex();
    await expectInvalid(() => index.retrieve(as<string>(question)), "retrieve", "string", got);
  });

  it.each([[0], [-1], [1.5], [NaN], [Infinity], ["3"], [null], [2 ** 53], [3n]])("refuses k = %s", async (k) => {
    const index = await townsIndex();
    await expectInvalid(
      () => index.retrieve(QUESTION, { k: as<number>(k) }),
      "retrieve",
      "k to be an integer of at least 1",
    );
  });

  it("takes any other k", async () => {
    const index = await townsIndex();
    expect(await index.retrieve(QUESTION, { k: Number.MAX_SAFE_INTEGER })).toHaveLength(3);
    expect(await index.retrieve(QUESTION, { k: undefined })).toHaveLength(3);
    expect(await index.retrieve(QUESTION, { k: 1 })).toHaveLength(1);
  });

  it.each([
    ["lone surrogates", "Where was \ud800 Ada Quill \udfff born?"],
    ["control characters", "Where\u0000 was\u0007 Ada Quill\u001b[0m born?"],
    ["emoji", "Where was Ada Quill 👩‍🎨🇳🇴 born?"],
    ["right-to-left marks", "\u202eWhere was Ada Quill\u202c born? אין"],
    ["regular expressions", "Where (was .*+?[ Ada Quill \\ ^$ {1,}|born?"],
    ["property names", "__proto__ constructor hasOwnProperty Ada Quill toString valueOf"],
    ["a hundred thousand characters without a space", `Ada Quill ${"x".repeat(1e5)}`],
    ["ten thousand words", `Ada Quill ${"lorem ipsum ".repeat(5_000)}`],
  ])("answers a question with %s", async (_name, question) => {
    const index = await townsIndex();
    const hits = await index.retrieve(question, { explain: true });
    expect(hits[0].passage.id).toBe("ada");
    expect(hits).toHaveLength(3);
  });

  it.each(["?!", "👩‍🎨", "\ud800", "\u0000", "((("])("answers the wordless question %j by id", async (question) => {
    const hits = await (await townsIndex()).retrieve(question, { explain: true });
    expect(hits.map(({ passage, score }) => [passage.id, score])).toEqual([
      ["ada", 0],
      ["bram", 0],
      ["norwick", 0],
    ]);
  });

  it.each([
    [[{ id: "", score: 1 }], /^retrieve: prior: expected an id/],
    [[{ id: "ada", score: 0 }], /^retrieve: expected the prior of "ada" to be greater than 0, got 0/],
    [[{ id: "ada", score: -1 }], /got -1/],
    [[{ id: "ada", score: NaN }], /got NaN/],
    [[{ id: "ada", score: Infinity }], /got Infinity/],
    [[{ id: "ada", score: "1" }], /got "1"/],
    [[{ id: "ada" }], /got undefined/],
    [[null], /^retrieve: .*got null/],
    ["ada", /^retrieve: /],
    [7, /^retrieve: .*got 7/],
  ])("refuses the priors %j", async (priors, says) => {
    const index = await townsIndex();
    await expectFailure(
      () => index.retrieve(QUESTION, { priors: as<Prior[]>(priors) }),
      InvalidArgumentError,
      "INVALID_ARGUMENT",
      says,
    );
  });
});

describe("filters", () => {
  it.each([[7], ["group"], [null], [true], [[1]], [new Map()], [new Date(0)]])("refuses %s", async (filter) => {
    const index = await townsIndex();
    await expectInvalid(
      () => index.retrieve(QUESTION, { filter: as<PassageFilter>(filter) }),
      "retrieve",
      "filter",
      "plain object",
    );
  });

  it("refuses a value that is not JSON", async () => {
    const index = await townsIndex();
    for (const value of [undefined, NaN, 1n, () => true, /a/]) {
      const filter = as<Metadata>({ group: value });
      await expectInvalid(() => index.retrieve(QUESTION, { filter }), "retrieve", 'filter: metadata["group"]');
    }
  });

  it.each([[undefined], [1], ["yes"], [null], [Promise.resolve(true)]])("refuses the answer %s", async (answer) => {
    const index = await townsIndex();
    await expectInvalid(
      () => index.retrieve(QUESTION, { filter: () => as<boolean>(answer) }),
      "retrieve",
      "filter to return true or false",
    );
  });

  it("passes on what a filter throws", async () => {
    const index = await townsIndex();
    const thrown = new RangeError("mine");
    const filter = () => {
      throw thrown;
    };
    expect(await failureOf(() => index.retrieve(QUESTION, { filter }))).toBe(thrown);
    expect(await failureOf(() => index.retrieve(QUESTION, { filter, priors: [{ id: "ada", score: 1 }] }))).toBe(thrown);
    expect(await index.retrieve(QUESTION)).toHaveLength(3);
  });

  it("hands a filter what it may change", async () => {
    const index = await townsIndex();
    const before = await snapshotOf(index);
    await index.retrieve(QUESTION, {
      filter: (passage) => {
        Object.assign(passage, { id: "stolen", text: "gone", metadata: {} });
        return true;
      },
    });
    expect(await snapshotOf(index)).toEqual(before);
  });
});

describe("passages", () => {
  it("takes the last of an id in one batch and reports it", async () => {
    const index = await TriGraph.create();
    const report = await index.upsert([
      { id: "a", text: "First of all." },
      { id: "b", text: "Another." },
      { id: "a", text: "Second of all." },
      { id: "a", text: "Third of all." },
    ]);
    expect(report).toEqual({ added: 2, replaced: 0, unchanged: 0, duplicates: ["a"] });
    expect(index.get("a")).toEqual({ id: "a", text: "Third of all." });
    expect(index.size).toBe(2);
  });

  it.each([
    [undefined, "got undefined"],
    [null, "got null"],
    ["a text", 'got "a text"'],
    [7, "got 7"],
  ])("refuses %j for a passage", async (passage, got) => {
    await expectInvalid(async () => (await townsIndex()).upsert([as<Passage>(passage)]), "upsert", "passages", got);
  });

  it.each([
    [{ text: "No id." }, "undefined"],
    [{ id: "", text: "Empty id." }, '""'],
    [{ id: 7, text: "A number." }, "7"],
    [{ id: null, text: "Null." }, "null"],
    [[], "undefined"],
  ])("refuses the id of %j", async (passage, got) => {
    await expectInvalid(
      async () => (await townsIndex()).upsert([as<Passage>(passage)]),
      "upsert",
      "an id",
      `got ${got}`,
    );
  });

  it("refuses an id with half a surrogate pair, wherever ids are given", async () => {
    const index = await townsIndex();
    const id = "a\ud800";
    await expectInvalid(() => index.upsert([{ id, text: "Text." }]), "upsert", "well-formed id");
    await expectInvalid(() => index.delete([id]), "delete", "well-formed id");
    await expectInvalid(() => index.get(id), "get", "well-formed id");
    await expectInvalid(() => index.retrieve(QUESTION, { priors: [{ id, score: 1 }] }), "retrieve", "well-formed id");
  });

  it.each([[undefined], [""], ["  \n"], [7], [null], [["a"]]])("refuses the text %j", async (text) => {
    const passage = as<Passage>({ id: "x", text });
    await expectInvalid(async () => (await townsIndex()).upsert([passage]), "upsert", 'passage "x"', "not blank");
  });

  it.each([[7], [null], [["a"]], [{}]])("refuses the title %j", async (title) => {
    const passage = as<Passage>({ id: "x", text: "Text.", title });
    await expectInvalid(async () => (await townsIndex()).upsert([passage]), "upsert", 'passage "x"', "title");
  });

  it("leaves the index as it was when the last of a batch is bad", async () => {
    const index = await townsIndex();
    const before = await snapshotOf(index);
    await failureOf(() =>
      index.upsert([
        { id: "new", text: "Ada Quill again." },
        { id: "ada", text: "Changed." },
        as<Passage>({ id: "x" }),
      ]),
    );
    expect(await snapshotOf(index)).toEqual(before);
  });

  it("reads a passage when it is given, not later", async () => {
    const index = await TriGraph.create();
    const tags = ["one"];
    const passage = { id: "a", text: "Ada Quill.", metadata: { tags } };
    await index.upsert([passage]);
    tags.push("two");
    as<string[]>(index.get("a")!.metadata!.tags).push("three");
    expect(index.get("a")).toEqual({ id: "a", text: "Ada Quill.", metadata: { tags: ["one"] } });
  });
});

describe("unusual texts", () => {
  it("takes a passage of 5 MB", async () => {
    const index = await TriGraph.create();
    const sentence = "Ada Quill met Bram Stone in Norwick, and later in Delmar. ";
    const text = sentence.repeat(Math.ceil(5e6 / sentence.length));
    await index.upsert([{ id: "large", text }, ...TOWNS]);
    expect(index.get("large")!.text).toBe(text);
    expect(await index.retrieve(QUESTION)).toHaveLength(4);
    await index.delete(["large"]);
    expect(await snapshotOf(index)).toMatchObject({
      answers: (await snapshotOf(await townsIndex())).answers,
      findings: [],
    });
  });

  it.each(["x", "X", "7", "é", "字", "\ud800"])("takes a token of a million times %j", async (character) => {
    const index = await townsIndex();
    const text = character.repeat(1e6);
    await index.upsert([{ id: "long", text }]);
    expect(index.get("long")!.text).toBe(text);
    expect((await index.retrieve(QUESTION))[0].passage.id).toBe("ada");
    expect(await index.check()).toEqual([]);
    await index.delete(["long"]);
    expect(index.stats()).toMatchObject({ passages: 3, terms: (await townsIndex()).stats().terms });
  });

  it.each([
    ["lone surrogates", "Ada\ud800 Quill \udfff was born in Norwick."],
    ["control characters", "Ada Quill\u0000 was\u0001 born\u001b[31m in\u0008 Norwick.\r\n\u2028\u2029\ufeff"],
    ["emoji", "Ada Quill 👩‍🎨👨‍👩‍👧‍👦🇳🇴 was born in Norwick 🏚️."],
    ["right-to-left text", "Ada Quill נולדה בנורוויק. وُلِدَتْ في نورويك \u202eNorwick\u202c."],
    ["regular expressions", "Ada Quill (.*)+ [a-z ^$ \\d{3}| was born in Norwick?"],
    ["property names", "The __proto__ of Constructor met HasOwnProperty in ToString. Ada Quill has __proto__."],
    ["white space around", "\n\n  Ada Quill was born in Norwick.  \n\n"],
    ["combining characters", "Ada Quill wa\u0301\u0301\u0301s bo\u200drn in Norwick."],
  ])("keeps and finds a passage with %s in text, title and metadata", async (_name, text) => {
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { create: true });
    const passage: Passage = {
      id: "odd",
      text,
      title: text,
      metadata: { [text]: text, list: [text, { [text]: [text] }] },
    };
    await index.upsert([passage, { id: "other", text: "A river runs by." }]);
    const { stats, answers, findings } = await snapshotOf(index, text);
    expect(findings).toEqual([]);
    expect(answers.map((hits) => hits[0].passage)).toEqual([passage, passage]);
    expect(await index.upsert([passage])).toMatchObject({ unchanged: 1 });
    await index.close();
    const again = await TriGraph.open(directory);
    expect(again.get("odd")).toEqual(passage);
    expect(again.stats()).toMatchObject({ terms: stats.terms, entities: stats.entities });
    expect(await again.retrieve(text, { filter: { [text]: text } })).toHaveLength(1);
    await again.close();
  });

  it.each([
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    ".*",
    "(",
    "a/b\\c",
    "👩‍🎨",
    "\u0000",
    "עברית",
    " ",
    "x".repeat(1e5),
  ])("takes %j for an id", async (id) => {
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { create: true });
    expect(index.get(id)).toBeUndefined();
    expect(await index.delete([id])).toEqual({ deleted: 0, missing: [id] });
    const passage = { id, text: "Ada Quill was born in Norwick." };
    expect(await index.upsert([passage, ...TOWNS, passage])).toEqual({
      added: 4,
      replaced: 0,
      unchanged: 0,
      duplicates: [id],
    });
    expect(index.get(id)).toEqual(passage);
    const hits = await index.retrieve(QUESTION, { priors: [{ id, score: 3 }], explain: true });
    expect(hits.map((hit) => hit.passage.id)).toContain(id);
    await index.close();
    const again = await TriGraph.open(directory);
    expect(again.get(id)).toEqual(passage);
    expect(await again.delete([id, id])).toEqual({ deleted: 1, missing: [] });
    expect(again.size).toBe(3);
    await again.close();
  });

  it.each(["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf"])(
    "takes %j for a title, an entity, a metadata key and a filter key",
    async (name) => {
      const natural = Object.getOwnPropertyNames(Object.prototype).sort();
      const index = await townsIndex();
      const plain = await index.retrieve(`What is ${name}?`);
      expect(plain).toHaveLength(3);
      // Only JSON.parse makes an own property of "__proto__".
      const metadata = JSON.parse(`{ "${name}": { "${name}": ["${name}"] } }`) as Metadata;
      await index.upsert([{ id: "odd", text: `${name} is a word.`, title: name, metadata }]);
      expect(Object.hasOwn(index.get("odd")!.metadata!, name)).toBe(true);
      expect(JSON.stringify(index.get("odd")!.metadata)).toBe(JSON.stringify(metadata));
      const [hit] = await index.retrieve(`What is ${name}?`, { explain: true });
      expect(hit).toMatchObject({ passage: { id: "odd" }, evidence: { via: "graph", arrival: { defines: true } } });
      expect((await index.retrieve(QUESTION, { filter: metadata })).map(({ passage }) => passage.id)).toEqual(["odd"]);
      const other = JSON.parse(`{ "${name}": "other" }`) as Metadata;
      expect(await index.retrieve(QUESTION, { filter: other })).toEqual([]);
      expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(natural);
      expect(await index.check()).toEqual([]);
    },
  );
});

describe("metadata", () => {
  class Point {
    x = 1;
  }
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const ring: unknown[] = [];
  ring.push(ring);

  it.each<[string, unknown, string | RegExp]>([
    ["a BigInt", { a: 1n }, 'metadata["a"]: expected JSON'],
    ["a function", { a: () => 1 }, "a function"],
    ["undefined", { a: undefined }, "got undefined"],
    ["a symbol", { a: Symbol("s") }, "Symbol"],
    ["a Date", { a: new Date(0) }, "an object of Date"],
    ["a Map", { a: new Map() }, "an object of Map"],
    ["a regular expression", { a: /a/ }, "an object of RegExp"],
    ["a typed array", { a: new Uint8Array(2) }, "an object of Uint8Array"],
    ["NaN", { a: NaN }, "NaN"],
    ["Infinity", { a: { b: [Infinity] } }, 'metadata["a"]["b"][0]'],
    ["a cycle", cycle, /metadata(\["self"\])+: expected JSON at most 100 levels deep and without cycles/],
    ["a cycle of arrays", { ring }, "without cycles"],
    ["a class instance", { a: new Point() }, "an object of Point"],
    ["a hole in an array", { a: [1, , 3] }, 'metadata["a"][1]: expected JSON'], // eslint-disable-line no-sparse-arrays
    ["an object that converts itself", { a: { toJSON: () => 1 } }, "a function"],
    ["null in its place", null, "expected metadata to be a plain object, got null"],
    ["an array in its place", [1], "expected metadata to be a plain object, got an array of 1"],
    ["a class instance in its place", new Point(), "got an object of Point"],
    ["a Map in its place", new Map(), "got an object of Map"],
    ["a string in its place", "a", 'got "a"'],
  ])("refuses %s", async (_name, metadata, says) => {
    const index = await townsIndex();
    const before = await snapshotOf(index);
    const passage = { id: "x", text: "Text.", metadata: as<Metadata>(metadata) };
    await expectFailure(
      () => index.upsert([passage]),
      InvalidArgumentError,
      "INVALID_ARGUMENT",
      /^upsert: passage "x": /,
      says,
    );
    expect(await snapshotOf(index)).toEqual(before);
  });

  it("takes everything that is JSON", async () => {
    const index = await TriGraph.create();
    const bare = Object.assign(Object.create(null) as Record<string, number>, { a: 1 });
    const metadata = { "": "", zero: 0, no: false, nothing: null, list: [], nested: { deep: [[{ a: 1e300 }]] }, bare };
    await index.upsert([{ id: "x", text: "Text.", metadata }]);
    expect(index.get("x")!.metadata).toEqual(JSON.parse(JSON.stringify(metadata)));
  });
});

describe("ready vectors", () => {
  const passages: readonly Passage[] = [
    { id: "a", text: "Ada Quill.", vector: [1, 0, 0] },
    { id: "b", text: "Bram Stone.", vector: new Float32Array([0, 2, 0]) },
  ];

  it.each<[string, unknown]>([
    ["too short", [1, 0]],
    ["too long", [1, 0, 0, 0]],
    ["empty", []],
    ["of NaN", [1, NaN, 0]],
    ["of Infinity", [1, Infinity, 0]],
    ["of strings", ["1", "0", "0"]],
    ["a string", "100"],
    ["null", null],
    ["a number", 3],
    ["an object without length", {}],
    ["with a hole", [1, , 0]], // eslint-disable-line no-sparse-arrays
  ])("refuses one that is %s", async (_name, vector) => {
    const index = await TriGraph.create();
    await index.upsert(passages);
    const before = await snapshotOf(index);
    const passage = { id: "c", text: "Corvin Hale.", vector: as<number[]>(vector) };
    await expectInvalid(() => index.upsert([passage]), "upsert", 'passage "c"');
    await expectInvalid(() => index.retrieve(QUESTION, { vector: as<number[]>(vector) }), "retrieve", "vector");
    expect(await snapshotOf(index)).toEqual(before);
  });

  it.each<[string, unknown]>([
    ["empty", []],
    ["of NaN", [NaN]],
    ["null", null],
    ["a number", 3],
    ["an object without length", {}],
    ["a string", "abc"],
  ])("refuses one that is %s, as the first too", async (_name, vector) => {
    const index = await TriGraph.create();
    await expectFailure(
      () => index.upsert([{ id: "c", text: "Corvin Hale.", vector: as<number[]>(vector) }]),
      InvalidArgumentError,
      "INVALID_ARGUMENT",
      /^upsert: passage "c": expected /,
    );
    expect(index.size).toBe(0);
  });

  it("refuses one where the others have none", async () => {
    const index = await townsIndex();
    await expectFailure(
      () => index.upsert([passages[0]]),
      InvalidArgumentError,
      "INVALID_ARGUMENT",
      /^upsert: passage "a": expected no vector/,
    );
    await expectFailure(
      () => index.retrieve(QUESTION, { vector: [1, 0, 0] }),
      InvalidArgumentError,
      "INVALID_ARGUMENT",
      /^retrieve: expected no vector/,
    );
    expect(index.size).toBe(3);
  });

  it("refuses its lack where the others have one, in one batch as well", async () => {
    const index = await TriGraph.create();
    await expectInvalid(
      () => index.upsert([passages[0], { id: "c", text: "None." }]),
      "upsert",
      'passage "c"',
      "a vector of 3 numbers",
      "got none",
    );
    expect(index.size).toBe(0);
    await index.upsert(passages);
    await expectInvalid(() => index.upsert([{ id: "c", text: "None." }]), "upsert", 'passage "c"', "got none");
  });

  it("refuses lengths that differ within one batch", async () => {
    const index = await TriGraph.create();
    await expectInvalid(
      () => index.upsert([passages[0], { id: "c", text: "Two.", vector: [1, 2] }]),
      "upsert",
      "3 numbers",
      "got 2",
    );
  });

  it("needs one to rank by vectors", async () => {
    const index = await TriGraph.create({ ranking: { similarity: "dense" } });
    await index.upsert(passages);
    await expectInvalid(() => index.retrieve(QUESTION), "retrieve", "a vector or an embedder", "neither");
    expect(await index.retrieve(QUESTION, { vector: [0, 1, 0] })).toHaveLength(2);
  });

  it("takes a zero vector and ranks it as similar to nothing", async () => {
    const index = await TriGraph.create({ ranking: { similarity: "dense" } });
    await index.upsert([...passages, { id: "0", text: "Nothing.", vector: [0, 0, 0] }]);
    const hits = await index.retrieve("which?", { vector: [1, 1, 0] });
    expect(hits.map(({ passage }) => passage.id)).toEqual(["a", "b", "0"]);
    expect(hits[2].score).toBe(0);
    expect(await index.retrieve("which?", { vector: [0, 0, 0] })).toHaveLength(3);
    expect(await index.check()).toEqual([]);
  });

  it("may be of another length once the index is empty", async () => {
    const index = await TriGraph.create();
    await index.upsert(passages);
    expect(index.stats().dimensions).toBe(3);
    await index.delete(["a", "b"]);
    await index.upsert([{ id: "c", text: "Two.", vector: [1, 2] }]);
    expect(index.stats()).toMatchObject({ dimensions: 2, passages: 1 });
  });
});

describe("embedders that fail", () => {
  type Make = (embedder: HashEmbedder, texts: readonly string[]) => unknown;
  const first = (embedder: HashEmbedder, texts: readonly string[]) => texts.map((text) => embedder.vectorOf(text));
  const cause = new Error("quota exceeded");
  const MANY: Passage[] = Array.from({ length: 150 }, (_, i) => ({ id: `n${i}`, text: `Ada Quill saw bridge ${i}.` }));

  const failures: [string, Make, RegExp][] = [
    ["throws", () => Promise.reject(cause), /quota exceeded/],
    ["throws what is no error", () => Promise.reject("down"), /down/], // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors
    ["returns too few", (e, texts) => first(e, texts).slice(1), /to return \d+ vectors, got an array of \d+/],
    ["returns too many", (e, texts) => [...first(e, texts), [1]], /to return \d+ vectors, got an array of \d+/],
    ["returns nothing", () => undefined, /vectors, got undefined/],
    ["returns an object", () => ({ data: [] }), /vectors, got an object/],
    [
      "returns short vectors",
      (e, texts) => first(e, texts).map((vector) => vector.slice(1)),
      /expected a vector of 16 numbers, got 15/,
    ],
    [
      "returns NaN",
      (e, texts) => first(e, texts).map((vector) => vector.map(() => NaN)),
      /expected finite numbers, got NaN/,
    ],
    ["returns numbers", (_e, texts) => texts.map(() => 1), /expected a vector of 16 numbers/],
    ["returns nulls", (_e, texts) => texts.map(() => null), /expected a vector of 16 numbers, got null/],
    ["returns strings", (_e, texts) => texts.map(() => "x".repeat(16)), /expected /],
  ];

  class Failing extends HashEmbedder {
    /** Fails from this call on. */
    from = Infinity;
    make: Make = first;

    override async embedPassages(texts: readonly string[]): Promise<readonly ArrayLike<number>[]> {
      this.calls++;
      return as<number[][]>(await (this.calls >= this.from ? this.make : first)(this, texts));
    }

    override async embedQuery(text: string): Promise<ArrayLike<number>> {
      this.calls++;
      const made = await (this.calls >= this.from ? this.make : first)(this, [text]);
      return Array.isArray(made) ? (made as number[][])[0] : as<number[]>(made);
    }
  }

  it.each(failures)("changes nothing when one %s", async (_name, make, says) => {
    const embedder = new Failing();
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { embedder, create: true });
    await index.upsert(TOWNS);
    const before = await snapshotOf(index);
    const files = await filesOf(directory);

    // The third batch of texts.
    Object.assign(embedder, { from: embedder.calls + 3, make });
    const error = await expectFailure(
      () => index.upsert([...MANY, { id: "ada", text: "Changed." }]),
      EmbeddingError,
      "EMBEDDING",
      /^upsert: /,
      says,
    );
    if (make === failures[0][1]) expect(error.cause).toBe(cause);
    embedder.from = Infinity;
    expect(await snapshotOf(index)).toEqual(before);
    expect(await filesOf(directory)).toEqual(files);
    expect(await index.upsert(MANY)).toMatchObject({ added: 150 });
    await index.close();
  });

  it.each(failures.filter(([name]) => !/few|many/.test(name)))(
    "refuses a question when one %s",
    async (_name, make) => {
      const embedder = new Failing();
      const index = await townsIndex({ embedder });
      Object.assign(embedder, { from: 0, make });
      await expectFailure(() => index.retrieve(QUESTION), EmbeddingError, "EMBEDDING", /^retrieve: /);
    },
  );
});

describe("aborting", () => {
  const reason = new Error("changed my mind");
  const MANY: Passage[] = Array.from({ length: 200 }, (_, i) => ({ id: `n${i}`, text: `Ada Quill saw bridge ${i}.` }));

  it("before a call rejects with the reason", async () => {
    const index = await townsIndex();
    const before = await snapshotOf(index);
    const options = { signal: AbortSignal.abort(reason) };
    const calls: (() => Promise<unknown>)[] = [
      () => index.upsert(MANY, options),
      () => index.delete(["ada"], options),
      () => index.merge(options),
      () => index.retrieve(QUESTION, options),
      () => index.check(options),
      () => index.save(new MemoryDirectory(), options),
    ];
    for (const call of calls) expect(await failureOf(call)).toBe(reason);
    expect(await snapshotOf(index)).toEqual(before);
  });

  it("a check of an empty index rejects too", async () => {
    const index = await TriGraph.create();
    expect(await failureOf(() => index.check({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it("an upsert from its progress, while it analyses or embeds, changes nothing", async () => {
    for (const phase of ["analyze", "embed"]) {
      const directory = new MemoryDirectory();
      const index = await TriGraph.open(directory, { embedder: new HashEmbedder(), create: true });
      await index.upsert(TOWNS);
      const before = await snapshotOf(index);
      const files = await filesOf(directory);
      const controller = new AbortController();
      const onProgress = (progress: { phase: string }) => {
        if (progress.phase === phase) controller.abort(reason);
      };
      expect(await failureOf(() => index.upsert(MANY, { signal: controller.signal, onProgress }))).toBe(reason);
      expect(await snapshotOf(index)).toEqual(before);
      expect(await filesOf(directory)).toEqual(files);
      expect(await index.upsert(MANY)).toMatchObject({ added: 200 });
      await index.close();
    }
  });

  it("an upsert from its input changes nothing", async () => {
    const index = await townsIndex();
    const before = await snapshotOf(index);
    const controller = new AbortController();
    function* passages() {
      yield MANY[0];
      controller.abort(reason);
      yield MANY[1];
    }
    expect(await failureOf(() => index.upsert(passages(), { signal: controller.signal }))).toBe(reason);
    expect(await snapshotOf(index)).toEqual(before);
  });

  it("an embedder that is at work rejects with the reason, whatever the embedder makes of it", async () => {
    const controller = new AbortController();
    let isPatient = true;
    class Aborted extends HashEmbedder {
      override async embedPassages(texts: readonly string[], options?: { signal?: AbortSignal }) {
        if (!isPatient) {
          controller.abort(reason);
          expect(options?.signal?.reason).toBe(reason);
          if (this.calls > 2) throw new Error("the request was cancelled");
        }
        return super.embedPassages(texts);
      }
      override async embedQuery(text: string, options?: { signal?: AbortSignal }) {
        if (!isPatient) {
          controller.abort(reason);
          expect(options?.signal?.reason).toBe(reason);
        }
        return super.embedQuery(text);
      }
    }
    const index = await townsIndex({ embedder: new Aborted() });
    const before = await snapshotOf(index);
    isPatient = false;
    const { signal } = controller;
    expect(await failureOf(() => index.upsert(MANY, { signal }))).toBe(reason);
    expect(await failureOf(() => index.upsert(MANY, { signal }))).toBe(reason);
    expect(await failureOf(() => index.retrieve(QUESTION, { signal }))).toBe(reason);
    isPatient = true;
    expect(await snapshotOf(index)).toEqual(before);
  });

  it("a question while it is embedded rejects with the reason", async () => {
    const controller = new AbortController();
    const embedder = new HashEmbedder();
    const index = await townsIndex({ embedder });
    embedder.embedQuery = async (text) => {
      controller.abort(reason);
      return embedder.vectorOf(text);
    };
    expect(await failureOf(() => index.retrieve(QUESTION, { signal: controller.signal }))).toBe(reason);
  });

  it("a question from its filter rejects with the reason", async () => {
    const index = await townsIndex();
    const controller = new AbortController();
    const filter = () => {
      controller.abort(reason);
      return true;
    };
    expect(await failureOf(() => index.retrieve(QUESTION, { filter, signal: controller.signal }))).toBe(reason);
  });

  it("a merge before its turn, and a check from its progress, leave the index as it was", async () => {
    const index = await townsIndex();
    await index.upsert([{ id: "more", text: "Corvin Hale." }]);
    const before = await snapshotOf(index);
    const merging = new AbortController();
    const merged = failureOf(() => index.merge({ signal: merging.signal }));
    queueMicrotask(() => merging.abort(reason));
    expect(await merged).toBe(reason);
    const checking = new AbortController();
    const onProgress = () => checking.abort(reason);
    expect(await failureOf(() => index.check({ signal: checking.signal, onProgress }))).toBe(reason);
    expect(await snapshotOf(index)).toEqual(before);
  });

  it("a write that waits for its turn rejects, and the others go on", async () => {
    const index = await townsIndex();
    const controller = new AbortController();
    const first = index.upsert(MANY);
    const second = failureOf(() => index.delete(["ada"], { signal: controller.signal }));
    const third = index.delete(["bram"]);
    controller.abort(reason);
    expect(await second).toBe(reason);
    expect(await first).toMatchObject({ added: 200 });
    expect(await third).toEqual({ deleted: 1, missing: [] });
    expect(index.get("ada")).toBeDefined();
  });

  it("after a call changes nothing", async () => {
    const index = await TriGraph.create();
    const controller = new AbortController();
    const { signal } = controller;
    await index.upsert(TOWNS, { signal });
    await index.upsert([{ id: "more", text: "Corvin Hale." }], { signal });
    await index.delete(["more"], { signal });
    await index.merge({ signal });
    const hits = await index.retrieve(QUESTION, { signal });
    expect(await index.check({ signal })).toEqual([]);
    controller.abort(reason);
    expect(index.size).toBe(3);
    expect(await index.retrieve(QUESTION)).toEqual(hits);
  });
});

describe("iterables", () => {
  const thrown = new RangeError("the file ended");

  it.each([[undefined], [null], [7], ["passages"], [{}], [{ id: "a", text: "A passage." }]])(
    "upsert refuses %j",
    async (passages) => {
      const index = await townsIndex();
      await expectInvalid(() => index.upsert(as<Passage[]>(passages)), "upsert", "iterable");
    },
  );

  it.each([[undefined], [null], [7], ["ada"], [{}]])("delete refuses %j", async (ids) => {
    const index = await townsIndex();
    await expectInvalid(() => index.delete(as<string[]>(ids)), "delete", "iterable of ids");
    expect(index.size).toBe(3);
  });

  it.each([[undefined], [""], [7], [null], [{ id: "ada" }]])("delete refuses the id %j among others", async (id) => {
    const index = await townsIndex();
    await expectInvalid(() => index.delete(["ada", as<string>(id)]), "delete", "an id");
    expect(index.size).toBe(3);
  });

  it("rejects, rather than throwing at once", async () => {
    const index = await townsIndex();
    const calls = [
      () => index.upsert(as<Passage[]>(7)),
      () => index.retrieve(as<string>(7)),
      () => index.delete(as<string[]>(7)),
      () => TriGraph.create({ preset: as<PresetName>("none") }),
    ];
    for (const call of calls) {
      let promise: Promise<unknown> | undefined;
      expect(() => (promise = call())).not.toThrow();
      await expect(promise).rejects.toBeInstanceOf(InvalidArgumentError);
    }
  });

  it("passes on what one throws midway, and changes nothing", async () => {
    const index = await townsIndex();
    const before = await snapshotOf(index);
    function* passages() {
      yield { id: "new", text: "Ada Quill again." };
      throw thrown;
    }
    async function* later() {
      yield* passages();
    }
    function* ids() {
      yield "ada";
      throw thrown;
    }
    expect(await failureOf(() => index.upsert(passages()))).toBe(thrown);
    expect(await failureOf(() => index.upsert(later()))).toBe(thrown);
    expect(await failureOf(() => index.delete(ids()))).toBe(thrown);
    expect(await snapshotOf(index)).toEqual(before);
  });

  it("closes one that it stops reading", async () => {
    const index = await townsIndex();
    let closed = 0;
    async function* passages() {
      try {
        yield { id: "new", text: "" };
        yield { id: "newer", text: "Never read." };
      } finally {
        closed++;
      }
    }
    await expectInvalid(() => index.upsert(passages()), "upsert");
    expect(closed).toBe(1);
  });

  it("reads generators, sets and streams", async () => {
    const index = await TriGraph.create();
    async function* passages() {
      for (const passage of TOWNS) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield passage;
      }
    }
    expect(await index.upsert(passages())).toMatchObject({ added: 3 });
    const stream = new ReadableStream<Passage>({
      start(controller) {
        controller.enqueue({ id: "streamed", text: "Ada Quill again." });
        controller.close();
      },
    });
    expect(await index.upsert(as<AsyncIterable<Passage>>(stream))).toMatchObject({ added: 1 });
    expect(await index.upsert(new Set(TOWNS))).toMatchObject({ unchanged: 3 });
    expect(await index.upsert([])).toEqual({ added: 0, replaced: 0, unchanged: 0, duplicates: [] });
    expect(await index.delete(new Set(["ada", "bram"]))).toEqual({ deleted: 2, missing: [] });
  });
});

describe("settings", () => {
  it.each([["paper"], [""], ["toString"], ["__proto__"], [null], [7]])("refuses the preset %j", async (preset) => {
    if (preset === null) return;
    await expectInvalid(
      () => TriGraph.create({ preset: as<PresetName>(preset) }),
      "create",
      "a preset of default, paper-2wiki",
    );
    const directory = new MemoryDirectory();
    await expectInvalid(
      () => TriGraph.open(directory, { create: true, preset: as<PresetName>(preset) }),
      "open",
      "a preset of",
    );
    // The lock was given back.
    await (await TriGraph.open(directory, { create: true })).close();
  });

  it.each<[string, unknown]>([
    ["hop", 3],
    ["__proto__x", 1],
    ["damping", 0],
    ["damping", 1],
    ["damping", NaN],
    ["damping", "0.5"],
    ["hops", 0],
    ["hops", 1.5],
    ["hubDegree", 0],
    ["hubDegree", -Infinity],
    ["candidates", 0],
    ["candidates", NaN],
    ["epsilon", 0],
    ["epsilon", -1],
    ["similarity", "cosine"],
    ["propagation", "sum"],
    ["seeds", null],
    ["minNameSimilarity", 0],
    ["minNameSimilarity", 1.1],
    ["priorShare", 2],
    ["b", -0.1],
    ["k1", Infinity],
    ["sentencesPerEntity", 0],
  ])("refuses the ranking { %s: %s }", async (name, value) => {
    const ranking = { [name]: value } as Partial<RankingOptions>;
    await expectFailure(
      () => TriGraph.create({ ranking }),
      InvalidArgumentError,
      "INVALID_ARGUMENT",
      /^create: ranking\b/,
      name,
    );
  });

  it("takes undefined for what is not set", async () => {
    const index = await TriGraph.create({
      ranking: as<RankingOptions>({ hops: undefined }),
      preset: undefined,
      embedder: undefined,
    });
    await index.upsert(TOWNS);
    expect(await index.retrieve(QUESTION)).toEqual(await (await townsIndex()).retrieve(QUESTION));
  });
});

describe("closed and read-only indexes", () => {
  it("refuses every call after close", async () => {
    const directory = new MemoryDirectory();
    for (const index of [await townsIndex(), await TriGraph.open(directory, { create: true })]) {
      await index.close();
      const calls: [string, () => unknown][] = [
        ["upsert", () => index.upsert(TOWNS)],
        ["delete", () => index.delete(["ada"])],
        ["merge", () => index.merge()],
        ["retrieve", () => index.retrieve(QUESTION)],
        ["get", () => index.get("ada")],
        ["stats", () => index.stats()],
        ["check", () => index.check()],
        ["save", () => index.save(new MemoryDirectory())],
      ];
      for (const [method, call] of calls) {
        await expectFailure(call, ClosedError, "CLOSED", new RegExp(`^${method}: the index was closed`));
      }
      await index.close();
    }
  });

  it("ends the writes that were called before close", async () => {
    const directory = new MemoryDirectory();
    const index = await TriGraph.open(directory, { create: true });
    const written = index.upsert(TOWNS);
    const deleted = index.delete(["bram"]);
    const [report] = await Promise.all([written, deleted, index.close()]);
    expect(report).toMatchObject({ added: 3 });
    const again = await TriGraph.open(directory);
    expect(again.size).toBe(2);
    await again.close();
  });

  it("lets a question end that was asked before close", async () => {
    const index = await townsIndex();
    const asked = index.retrieve(QUESTION);
    await index.close();
    expect(await asked).toHaveLength(3);
  });

  it("refuses to write what was opened to read", async () => {
    const directory = new MemoryDirectory();
    await (await townsIndex()).save(directory);
    const files = await filesOf(directory);
    const index = await TriGraph.open(directory, { readOnly: true });
    await expectInvalid(() => index.upsert([]), "upsert", "readOnly");
    await expectInvalid(() => index.delete(["ada"]), "delete", "readOnly");
    await expectInvalid(() => index.merge(), "merge", "readOnly");
    expect(await index.retrieve(QUESTION)).toEqual(await (await townsIndex()).retrieve(QUESTION));
    expect(await index.check()).toEqual([]);
    // It takes no lock.
    const writer = await TriGraph.open(directory);
    await writer.close();
    await index.close();
    expect(await filesOf(directory)).toEqual(files);
  });

  it("keeps what it read while a writer goes on", async () => {
    const directory = new MemoryDirectory();
    await (await townsIndex()).save(directory);
    const reader = await TriGraph.open(directory, { readOnly: true });
    const before = await snapshotOf(reader);
    const writer = await TriGraph.open(directory);
    await writer.delete(["ada"]);
    await writer.merge();
    expect(await snapshotOf(reader)).toEqual(before);
    await Promise.all([reader.close(), writer.close()]);
  });
});

describe("opening", () => {
  it("says when there is no index", async () => {
    const says = [/^open: the directory holds no index/, /create: true/];
    const directory = new MemoryDirectory();
    await expectFailure(() => TriGraph.open(directory), IndexError, "NOT_FOUND", ...says);
    await expectFailure(() => TriGraph.open(directory, { readOnly: true }), IndexError, "NOT_FOUND", ...says);
    expect(await directory.list()).toEqual([]);
    await (await TriGraph.open(directory, { create: true })).close();
  });

  it("refuses another analyzer", async () => {
    class Other extends EnglishAnalyzer {
      override readonly id = "other/2" as never;
    }
    const directory = new MemoryDirectory();
    await (await townsIndex()).save(directory);
    await expectFailure(
      () => TriGraph.open(directory, { analyzer: new Other() }),
      IndexError,
      "INDEX_MISMATCH",
      /^open: /,
      /"english-wink\/1", got "other\/2"/,
    );
    await (await TriGraph.open(directory)).close();
  });

  it("refuses another embedder", async () => {
    const directory = new MemoryDirectory();
    await (await townsIndex({ embedder: new HashEmbedder() })).save(directory);
    const others: Embedder[] = [new HashEmbedder("other"), new HashEmbedder("hash", 8)];
    for (const embedder of others) {
      await expectFailure(
        () => TriGraph.open(directory, { embedder }),
        IndexError,
        "INDEX_MISMATCH",
        /^open: /,
        /"hash" of 16 dimensions, got /,
      );
    }
    const plain = new MemoryDirectory();
    await (await townsIndex()).save(plain);
    await expectFailure(
      () => TriGraph.open(plain, { embedder: others[0] }),
      IndexError,
      "INDEX_MISMATCH",
      /with no embedder and no vectors, got "other" of 16 dimensions/,
    );
  });

  it("takes an index without its embedder, which then answers by words and needs ready vectors", async () => {
    const directory = new MemoryDirectory();
    const embedder = new HashEmbedder();
    await (await townsIndex({ embedder })).save(directory);
    const index = await TriGraph.open(directory);
    expect((await index.retrieve(QUESTION))[0].passage.id).toBe("ada");
    expect((await index.retrieve(QUESTION, { vector: embedder.vectorOf(QUESTION) }))[0].passage.id).toBe("ada");
    await expectInvalid(() => index.upsert([{ id: "x", text: "Text." }]), "upsert", "a vector of 16 numbers");
    await index.upsert([{ id: "x", text: "Text.", vector: embedder.vectorOf("Text.") }]);
    await index.close();
    // It still belongs to the embedder.
    const again = await TriGraph.open(directory, { embedder });
    expect(again.size).toBe(4);
    await again.close();
  });

  it("refuses a second writer until the first is closed", async () => {
    const directory = new MemoryDirectory();
    const first = await TriGraph.open(directory, { create: true });
    await expectFailure(
      () => TriGraph.open(directory, { create: true }),
      IndexError,
      "LOCKED",
      /since \d{4}-/,
      /write\.lock/,
    );
    await expectFailure(async () => (await townsIndex()).save(directory), IndexError, "LOCKED", /write\.lock/);
    await first.upsert(TOWNS);
    await first.close();
    const second = await TriGraph.open(directory);
    expect(second.size).toBe(3);
    await second.close();
  });
});

describe("directories that fail", () => {
  const CHANGES: [string, (index: TriGraph) => Promise<unknown>][] = [
    [
      "upsert",
      (index) =>
        index.upsert([
          { id: "new", text: "Elva Marsh met Ada Quill." },
          { id: "ada", text: "Changed." },
        ]),
    ],
    ["delete", (index) => index.delete(["ada"])],
    ["merge", (index) => index.merge()],
  ];
  const POINTS: [string, (operation: string, name: string) => boolean][] = [
    ["writing a segment", (operation, name) => operation === "write" && name.endsWith(".seg")],
    ["syncing the segments", (operation) => operation === "sync"],
    ["creating the manifest", (operation, name) => operation === "create" && name.startsWith("manifest")],
    ["listing", (operation) => operation === "list"],
  ];

  /** Two segments, one with a dead passage. */
  /** The directory holds what the index answers, and no more files than if the change had been made alone. */
  async function expectStoredAsRun(
    directory: FailingDirectory,
    index: TriGraph,
    run: (index: TriGraph) => Promise<unknown>,
  ): Promise<void> {
    const after = await snapshotOf(index);
    await index.close();
    const again = await TriGraph.open(directory);
    expect(await snapshotOf(again)).toEqual(after);
    await again.close();
    const { directory: clean, index: other } = await stored();
    await run(other);
    await other.close();
    expect((await directory.list()).length).toBe((await clean.list()).length);
  }

  async function stored() {
    const directory = new FailingDirectory();
    const index = await TriGraph.open(directory, { create: true });
    await index.upsert(TOWNS);
    await index.upsert([
      { id: "more", text: "Corvin Hale met Bram Stone." },
      { id: "norwick", text: "Norwick is a port." },
    ]);
    return { directory, index };
  }

  it.each(CHANGES.flatMap(([change, run]) => POINTS.map(([point, fails]) => [change, point, run, fails] as const)))(
    "a failed %s when %s fails leaves the last commit in memory and in the directory",
    async (_change, _point, run, fails) => {
      const { directory, index } = await stored();
      const before = await snapshotOf(index);
      let failed = false;
      directory.fails = (operation, name) => !failed && fails(operation, name) && (failed = true);
      await expectFailure(() => run(index), IndexError, "STORAGE", /no space left/);
      expect(failed).toBe(true);
      expect(await snapshotOf(index)).toEqual(before);
      const reader = await TriGraph.open(directory, { readOnly: true });
      expect(await snapshotOf(reader)).toEqual(before);
      // The next try is as if nothing had been.
      await run(index);
      await expectStoredAsRun(directory, index, run);
    },
  );

  it.each(CHANGES)("a %s whose last sync fails may be there or not, and is no other writer's", async (_change, run) => {
    const { directory, index } = await stored();
    const before = await snapshotOf(index);
    directory.fails = (operation, name) => operation === "created" && name.startsWith("manifest");
    await expectFailure(() => run(index), IndexError, "STORAGE", /no space left/);
    expect(await snapshotOf(index)).toEqual(before);
    // Nothing was known to be committed, and the next try fails the same way.
    await expectFailure(() => run(index), IndexError, "STORAGE", /no space left/);
    directory.fails = () => false;
    await run(index);
    await expectStoredAsRun(directory, index, run);
  });

  it.each(CHANGES)("a %s of which only the cleaning up fails is whole", async (_change, run) => {
    const { directory, index } = await stored();
    let removals = 0;
    directory.fails = (operation, name) => operation === "remove" && name !== "write.lock" && ++removals === 2;
    // Whether it resolves or rejects, memory and directory must agree from here on.
    await run(index).catch(() => undefined);
    const seen = await snapshotOf(index);
    const reader = await TriGraph.open(directory, { readOnly: true });
    expect(await snapshotOf(reader)).toEqual(seen);
    await index.upsert([{ id: "later", text: "Elva Marsh built a school." }]);
    await index.close();
    const again = await TriGraph.open(directory);
    expect(again.get("later")).toBeDefined();
    expect(await again.check()).toEqual([]);
    await again.close();
  });

  it("a save that fails leaves both indexes as they were", async () => {
    const { directory, index } = await stored();
    await index.close();
    const other = await townsIndex();
    directory.fails = (operation, name) => operation === "create" && name.startsWith("manifest");
    await expectFailure(() => other.save(directory), IndexError, "STORAGE");
    directory.fails = () => false;
    const again = await TriGraph.open(directory);
    expect(again.size).toBe(4);
    await again.close();
    await other.save(directory);
    const saved = await TriGraph.open(directory);
    expect(await snapshotOf(saved)).toMatchObject({ answers: (await snapshotOf(other)).answers });
    await saved.close();
  });
});
