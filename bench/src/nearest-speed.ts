import { TriGraph, type Passage, type TriGraphOptions } from "@trigraph/core";
import { UsearchIndexer } from "@trigraph/core/node";
import { mean, percentile } from "@trigraph/evaluation";
import type { Table } from "@trigraph/evaluation/node";
import { leastOf } from "./measures.js";
import { formatCount, formatNumber, formatPercent, note } from "./report.js";
import { seededRandom, type Random } from "./synthetic/random.js";
import { time } from "./timing.js";

/** As many as the mix of the real data sets has. */
const PASSAGES = 29_934;
/** As MiniLM's vectors have. */
const DIMENSIONS = 384;
/** Vectors lie around so many centres: as texts do, and unlike points thrown evenly, among which none is near. */
const CENTRES = 1000;
const QUESTIONS = 100;
/** As many as vectors give the pool of stage 3. */
const NEAREST = 9;

/** One way to find the nearest. */
export interface NearestResult {
  readonly way: string;
  /** Of each question the least time of several runs. */
  readonly p50: number;
  readonly p95: number;
  /** Share of the nearest by single precision that are found. */
  readonly recall: number;
}

export interface NearestReport {
  readonly passages: number;
  readonly dimensions: number;
  readonly questions: number;
  readonly results: readonly NearestResult[];
}

/** Finding the nearest passages: by a loop anybody would write, by the scans, and by an approximate index. */
export async function measureNearest(seed: number, runs: number, quick: boolean): Promise<NearestReport> {
  const random = seededRandom(seed);
  const centres = Array.from({ length: CENTRES }, () => around(new Float32Array(DIMENSIONS), random));
  const draw = (count: number) => Array.from({ length: count }, () => around(random.pick(centres), random));
  const vectors = draw(quick ? PASSAGES / 6 : PASSAGES);
  const questions = draw(quick ? QUESTIONS / 5 : QUESTIONS);
  const results: NearestResult[] = [];
  let exact: readonly (readonly string[])[] | undefined;
  const measure = async (way: string, find: (question: Float32Array) => Promise<readonly string[]>) => {
    note(`vectors: ${way}`);
    const { found, milliseconds } = await ask(questions, runs, find);
    exact ??= found;
    const shares = found.map((ids, i) => ids.filter((id) => exact![i].includes(id)).length / NEAREST);
    results.push({
      way,
      p50: percentile(milliseconds, 50),
      p95: percentile(milliseconds, 95),
      recall: mean(shares),
    });
  };
  await measure("a plain loop", async (question) => plainLoop(vectors, question));
  const scans: readonly [string, TriGraphOptions][] = [
    ["float32", {}],
    ["int8", { vectorPrecision: "int8" }],
    ["usearch, approximate", { vectorPrecision: "int8", vectorIndexer: new UsearchIndexer({ minPassages: 1 }) }],
  ];
  for (const [way, options] of scans) {
    const index = await TriGraph.create(options);
    await index.upsert(passagesOf(vectors));
    await index.merge();
    await measure(way, async (question) => {
      const hits = await index.nearest(question, { k: NEAREST });
      return hits.map(({ passage }) => passage.id);
    });
    await index.close();
  }
  return { passages: vectors.length, dimensions: DIMENSIONS, questions: questions.length, results };
}

export function nearestTable({ passages, dimensions, questions, results }: NearestReport): Table {
  return {
    title: `The ${NEAREST} nearest of ${formatCount(passages)} vectors of ${dimensions} numbers, ${questions} questions`,
    columns: ["", "p50, ms", "p95, ms", "found, %"],
    rows: results.map(({ way, p50, p95, recall }) => [
      way,
      formatNumber(p50),
      formatNumber(p95),
      formatPercent(recall),
    ]),
    note: "Generated vectors, around centres. Of each question the least time of several runs, with its passages read.",
  };
}

async function ask(
  questions: readonly Float32Array[],
  runs: number,
  find: (question: Float32Array) => Promise<readonly string[]>,
) {
  const found: (readonly string[])[] = [];
  const times: number[][] = [];
  for (let run = 0; run < Math.max(2, runs); run++) {
    times[run] = [];
    for (const [i, question] of questions.entries()) {
      const taken = await time(async () => {
        found[i] = await find(question);
      });
      times[run].push(taken);
    }
  }
  return { found, milliseconds: leastOf(times) };
}

/** What one writes without a library: every cosine, then a sort. */
function plainLoop(vectors: readonly Float32Array[], question: Float32Array): string[] {
  const scored = vectors.map((vector, i) => {
    let product = 0;
    for (let d = 0; d < vector.length; d++) product += vector[d] * question[d];
    return { id: String(i), product };
  });
  scored.sort((a, b) => b.product - a.product);
  return scored.slice(0, NEAREST).map(({ id }) => id);
}

function* passagesOf(vectors: readonly Float32Array[]): Generator<Passage, void, undefined> {
  for (const [i, vector] of vectors.entries()) yield { id: String(i), text: "A passage.", vector };
}

/** A vector of length 1 near the centre. */
function around(centre: Float32Array, random: Random): Float32Array {
  // A centre's numbers are some 1 / √dimensions each, and so is what is added.
  const vector = centre.map((value) => value + (2 * random.fraction() - 1) * Math.sqrt(3 / DIMENSIONS));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
