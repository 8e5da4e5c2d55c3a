import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FusionModel, InvalidArgumentError, type Passage, TriGraph } from "@trigraph/core";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../src/cli/terminal.js";
import { parseCorpora } from "../src/data/corpus.js";
import { parseQuestions } from "../src/data/question-files.js";
import type { Question } from "../src/data/question.js";
import { SharedEmbedder } from "../src/methods/embedding.js";
import type { Progress } from "../src/progress.js";
import type { Report } from "../src/report/report.js";
import { Design } from "../src/training/design.js";
import { FittedFusion } from "../src/training/fit.js";
import { foldOf } from "../src/training/folds.js";
import { buildIndex, type Gathered, gatherPools } from "../src/training/gather.js";
import { train, type Training } from "../src/training/train.js";
import { cli } from "./support/cli.js";
import { hashingEmbedder, PASSAGES, SAMPLE } from "./support/data.js";

const read = (file: string) => ({ name: "sample", text: readFileSync(file, "utf8") });
const questions: readonly Question[] = parseQuestions([read(SAMPLE.questions)], () => true);
const gold = new Set(questions.flatMap((question) => question.gold!));
/** All that is gold, and some that is not. */
const corpus: readonly Passage[] = parseCorpora([read(SAMPLE.corpus)]).filter(
  ({ id }, i) => gold.has(id) || i % 4 === 0,
);

describe("the columns", () => {
  const embedder = new SharedEmbedder(hashingEmbedder(32));
  let gathered: Gathered;
  let index: TriGraph;
  beforeAll(async () => {
    index = await buildIndex("sample", corpus, embedder, {});
    gathered = await gatherPools(index, { name: "sample", questions }, embedder, {});
  });

  test("have mean 0 and deviation 1, those of features and their bends", () => {
    const pools = gathered.vectors;
    const design = new Design(pools);
    const model = design.weights(new Float64Array(design.width), 0);
    const own = model.features.reduce((sum, { knots }) => sum + 1 + knots.length, 0);
    expect(design.width).toBe(own + model.features.length * model.context.length);
    const rows = pools.flatMap(({ candidates, context }) =>
      candidates.map(({ features }) => {
        const row = new Float64Array(design.width);
        design.write(row, 0, features, context);
        return row;
      }),
    );
    for (let column = 0; column < own; column++) {
      const mean = rows.reduce((sum, row) => sum + row[column], 0) / rows.length;
      const variance = rows.reduce((sum, row) => sum + (row[column] - mean) ** 2, 0) / rows.length;
      expect(mean).toBeCloseTo(0, 9);
      // Of this corpus no feature is the same everywhere.
      expect(variance).toBeCloseTo(1, 9);
    }
  });

  test("of what never varies are 0", () => {
    const pools = gathered.words;
    const design = new Design(pools);
    const row = new Float64Array(design.width);
    design.write(row, 0, pools[0].candidates[0].features, pools[0].context);
    const { features } = design.weights(new Float64Array(design.width), 0);
    const before = features.slice(
      0,
      features.findIndex(({ name }) => name === "vectorScore"),
    );
    const place = before.reduce((sum, { knots }) => sum + 1 + knots.length, 0);
    expect(row[place]).toBe(0);
  });

  test.each([1, 2, 3])("and their weights score as the core does, with and without vectors (seed %i)", async (seed) => {
    const random = xoroshiro128plus(seed);
    const [words, vectors] = [gathered.words, gathered.vectors].map((pools) => {
      const design = new Design(pools);
      const coefficients = Float64Array.from({ length: design.width }, () => uniformFloat64(random) / 5 - 0.1);
      return new FittedFusion(design, coefficients, -1);
    });
    const { pool } = JSON.parse(
      readFileSync(new URL("../../core/src/fusion/default-model.json", import.meta.url), "utf8"),
    ) as FusionModel;
    const fusion: FusionModel = {
      ...{ format: 1, provenance: null, pool, halfTrust: 0 },
      ...{ words: words.weights, vectors: vectors.weights },
    };
    const own = await TriGraph.create({ ranking: { fusion } });
    const embedded = await embedder.embedPassages(corpus.map(({ title, text }) => `${title}\n${text}`));
    await own.upsert(corpus.map((passage, i) => ({ ...passage, vector: embedded[i] })));
    // The fit knows nothing of the corpus's size, by which the core lets the list of vectors count in part.
    const trust = corpus.length / (corpus.length + pool.vectors);
    let compared = 0;
    for (const [fitted, pools] of [
      [words, gathered.words],
      [vectors, gathered.vectors],
    ] as const) {
      for (const { question: id, candidates, context } of pools) {
        const { question } = questions.find((each) => each.id === id)!;
        const vector = fitted === vectors ? await embedder.embedQuery(question) : undefined;
        const features = new Map(candidates.map((candidate) => [candidate.id, candidate.features]));
        for (const { passage, evidence } of await own.retrieve(question, { k: 5, vector, explain: true })) {
          const { intercept, shares } = evidence!.fusion!;
          const whole = shares.reduce(
            (sum, { feature, logOdds }) => sum + (feature.startsWith("vector") ? logOdds / trust : logOdds),
            intercept,
          );
          expect(Math.abs(whole - fitted.logOdds(features.get(passage.id)!, context))).toBeLessThan(1e-9);
          compared++;
        }
      }
    }
    expect(compared).toBe(2 * 5 * questions.length);
    await own.close();
  });
});

describe("folds", () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `question ${i}`);

  test("are about even, for every seed", () => {
    for (const seed of [0, 1, 7]) {
      const sizes = new Array<number>(5).fill(0);
      for (const id of ids) sizes[foldOf(id, 5, seed)]++;
      // 400 each; four deviations of the binomial are 72.
      for (const size of sizes) expect(Math.abs(size - 400)).toBeLessThan(72);
    }
  });

  test("go by the id and the seed alone", () => {
    const of = (seed: number) => ids.map((id) => foldOf(id, 5, seed));
    expect(of(3)).toEqual(of(3));
    const others = of(4);
    const moved = of(3).filter((fold, i) => fold !== others[i]).length;
    expect(moved / ids.length).toBeGreaterThan(0.7);
  });
});

describe("training on the bundled sample", () => {
  const untold: Question = { id: "untold", question: "Who knows?", gold: null };
  const sets = [
    { name: "titles", corpus, questions: [...questions, untold] },
    { name: "bare", corpus: corpus.map(({ id, text }) => ({ id, text })), questions },
  ];
  const seen: Progress[] = [];
  let training: Training;
  beforeAll(async () => {
    training = await train({ sets, folds: 2, seed: 3, penalty: 500, onProgress: (progress) => seen.push(progress) });
  });

  test("gives weights that an index takes, and says what from", async () => {
    const { model } = training;
    const index = await TriGraph.create({ ranking: { fusion: model } });
    await index.close();
    expect(model.vectors).toBeUndefined();
    expect(model.provenance).toMatchObject({ questions: 40, folds: 2, seed: 3, penalty: 500, embedder: null });
    const digits = JSON.stringify(model.words)
      .match(/\d[\d.]*/g)!
      .map((number) => number.replace(".", "").replace(/^0+/, "").length);
    expect(Math.max(...digits)).toBeLessThanOrEqual(5);
  });

  test("tells the figures of each set, and what was left out", () => {
    const [titles, bare] = training.sets;
    expect([titles.name, titles.questions, titles.withoutGold]).toEqual(["titles", 40, 1]);
    expect([bare.name, bare.questions, bare.withoutGold]).toEqual(["bare", 40, 0]);
    for (const { words } of training.sets) {
      const { crossValidated, bm25, pool } = words;
      expect(crossValidated["recall@5"]).toBeGreaterThan(bm25["recall@5"] + 0.05);
      expect(crossValidated["recall@5"]).toBeLessThanOrEqual(pool);
    }
  });

  test("tells how far it has come", () => {
    const last = (phase: Progress["phase"]) => seen.filter((progress) => progress.phase === phase).at(-1);
    expect(last("index")).toMatchObject({ method: "bare", done: corpus.length, total: corpus.length });
    expect(last("gather")).toMatchObject({ method: "bare", done: 40, total: 40 });
    expect(last("fit")).toMatchObject({ done: 3, total: 3 });
  });

  test("the command does the same from a plan, to the byte, and run uses the weights", async () => {
    const folder = mkdtempSync(join(tmpdir(), "trigraph-train-"));
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
    const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    write("corpus.jsonl", lines(corpus));
    write("questions.jsonl", lines(questions));
    write("more.jsonl", lines([untold]));
    const [corpora, asked] = [["corpus.jsonl"], ["questions.jsonl"]];
    const plan = [
      { name: "titles", corpora, questions: [...asked, "more.jsonl"] },
      { name: "bare", corpora, questions: asked, withoutTitles: true },
    ];
    write("plan.json", JSON.stringify(plan));
    const file = join(folder, "weights/fusion.json");
    const trained = await cli([
      "train",
      "--plan",
      join(folder, "plan.json"),
      "--folds",
      "2",
      "--penalty",
      "500",
      "--seed",
      "3",
      "--out",
      file,
    ]);
    expect(trained.code, trained.err).toBe(EXIT.done);
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(training.model, null, 1)}\n`);
    expect(trained.out).toMatch(/^ +questions +new weights +weights as they were +no fusion +BM25 +in the pool *$/m);
    const percent = (100 * training.sets[1].words.crossValidated["recall@2"]).toFixed(1);
    expect(trained.out.split("\n").find((line) => line.startsWith("bare"))).toContain(` ${percent} / `);
    expect(trained.out).toContain("Left out, for want of gold: 1.");

    const data = ["--corpus", join(folder, "corpus.jsonl"), "--questions", join(folder, "questions.jsonl")];
    const methods = ["--methods", "trigraph,no-fusion,no-pagerank,no-activation"];
    const run = async (...args: string[]) => {
      const { code, out, err } = await cli(["run", ...data, ...methods, ...args, "--json"]);
      expect(code, err).toBe(EXIT.done);
      return JSON.parse(out) as Report;
    };
    const [own, shipped] = [await run("--fusion", file), await run()];
    expect(own.methods.map(({ description }) => description.includes("fusion.json"))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const rankings = ({ questions }: Report, method: number) => questions.map(({ methods }) => methods[method].ranking);
    expect(rankings(own, 0)).not.toEqual(rankings(shipped, 0));
    expect(rankings(own, 1)).toEqual(rankings(shipped, 1));
    for (const ablated of [0, 2, 3]) expect(rankings(shipped, ablated)).not.toEqual(rankings(shipped, 1));
    rmSync(folder, { recursive: true });
  });
});

test("with an embedder there are weights for vectors as well, fitted over an index that is given", async () => {
  const embedder = hashingEmbedder(32);
  const shared = new SharedEmbedder(embedder);
  const index = await buildIndex("sample", corpus, shared, {});
  const { model, sets } = await train({ sets: [{ name: "own", index, questions }], embedder, folds: 2, penalty: 500 });
  expect(model.vectors!.features.find(({ name }) => name === "vectorScore")!.slope).not.toBe(0);
  expect(model.words.features.find(({ name }) => name === "vectorScore")!.slope).toBe(0);
  expect(sets[0].vectors!.pool).toBeGreaterThanOrEqual(sets[0].words.crossValidated["recall@5"]);
  expect(model.provenance).toMatchObject({ embedder: "hashing" });
  // It is the caller's, and stays open.
  expect(index.size).toBe(corpus.length);
  await index.close();
});

describe("training refuses", () => {
  const asked = Array.from({ length: 20 }, (_, i) => ({
    id: String(i),
    question: "Who is Ada Lindqvist?",
    gold: ["director"],
  }));
  const set = { name: "a", corpus: PASSAGES, questions: asked };

  test.each([
    ["no sets", { sets: [] }],
    ["two sets of one name", { sets: [set, set] }],
    ["one fold", { sets: [set], folds: 1 }],
    ["a broken seed", { sets: [set], seed: 0.5 }],
    ["no penalty", { sets: [set], penalty: 0 }],
  ])("%s", async (_, options) => {
    await expect(train(options)).rejects.toBeInstanceOf(InvalidArgumentError);
  });

  test.each([
    [
      "too few questions",
      { ...set, questions: asked.slice(0, 19) },
      "at least 20 different questions with gold, got 19",
    ],
    [
      "a set without gold",
      { ...set, questions: [{ id: "q", question: "Who?", gold: null }] },
      'set "a": expected questions whose gold',
    ],
    [
      "gold that is never found",
      { ...set, questions: asked.map((each) => ({ ...each, gold: ["elsewhere"] })) },
      "some gold passage among the candidates",
    ],
    ["a set without candidates", { ...set, corpus: [] }, 'set "a": expected candidates'],
    ["gold alone", { ...set, corpus: PASSAGES.slice(1, 2) }, "got nothing but gold"],
  ])("%s", async (_, wrong, message) => {
    const trained = train({ sets: [wrong] });
    await expect(trained).rejects.toMatchObject({ code: "TRAINING" });
    await expect(trained).rejects.toThrow(message);
  });

  test("an index that embeds questions itself", async () => {
    const index = await TriGraph.create({ embedder: hashingEmbedder(32) });
    await index.upsert(PASSAGES);
    await expect(train({ sets: [{ name: "a", index, questions: asked }] })).rejects.toThrow(
      "without an embedder of its own",
    );
    await index.close();
  });

  test("to go on when it is aborted, while gathering and while fitting", async () => {
    for (const phase of ["gather", "fit"] as const) {
      const controller = new AbortController();
      const trained = train({
        sets: [{ name: "sample", corpus, questions }],
        folds: 2,
        signal: controller.signal,
        onProgress: (progress) => progress.phase === phase && controller.abort(new Error(`in ${phase}`)),
      });
      await expect(trained).rejects.toThrow(`in ${phase}`);
    }
  });
});
