/**
 * The way from a question to ranked passages: words → seeds → activation (stage 1) → reset → PageRank
 * (stage 2) → fusion (stage 3) → ranking.
 */
import { activate, type Activation } from "../activation/activate.js";
import { type Best, BestList } from "../best-list.js";
import type { RankingOptions } from "../defaults.js";
import { gatherPool, type Pool } from "../fusion/candidates.js";
import { Fusion } from "../fusion/fuse.js";
import type { GraphReader, NodeList } from "../graph/reader.js";
import { ViewReader } from "../index/view-reader.js";
import { compareIds, type View } from "../index/view.js";
import { Visibility } from "../index/visibility.js";
import { readQuestion, type Question } from "../lexical/question.js";
import { solveExactly } from "../pagerank/exact.js";
import { push } from "../pagerank/push.js";
import { type Reset, resetVector, type WeightedPassages } from "../pagerank/reset.js";
import { type NamedSeed, seedsByName } from "../seeds/ngrams.js";
import { seedsBySimilarity } from "../seeds/similar-names.js";
import { type Analyzer, analyzeUntagged, readTexts } from "../text/analyzer.js";
import type { RetrieveStage, RetrieveTrace, StoredPassage } from "../types.js";
import type { NodeScores } from "./flow.js";
import { type RankedPassage, toRanked, withoutRounding } from "./ranked.js";
import { QuestionSimilarity, SIMILARITY_NAMES } from "./similarity.js";

export interface RankRequest {
  readonly question: string;
  /** Of length 1. */
  readonly vector: Float32Array | undefined;
  readonly k: number;
  readonly filter: ((passage: StoredPassage) => boolean) | undefined;
  /** By number in the view; weights greater than 0. */
  readonly priors: WeightedPassages;
  /** The passages to choose from, by number in the view; undefined: all. */
  readonly among: ReadonlySet<number> | undefined;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that embedding the question took. */
  readonly embedMilliseconds: number;
}

/** A ranking and what led to it. */
export interface Ranking {
  readonly hits: readonly RankedPassage[];
  readonly question: Question;
  readonly seeds: readonly NamedSeed[];
  readonly activation: Activation;
  readonly similarity: QuestionSimilarity;
  readonly candidates: Best;
  /** Undefined when stage 2 did not run. */
  readonly pageRank: NodeScores | undefined;
  /** What stage 3 chooses from; undefined when it is switched off. */
  readonly pool: Pool | undefined;
  /** Undefined when stage 3 did not order the hits. */
  readonly fusion: Fusion | undefined;
  /** Undefined when the graph had nothing to start from. */
  readonly reset: Reset | undefined;
  readonly graph: GraphReader;
  readonly options: RankingOptions;
  readonly trace: RetrieveTrace;
}

/** Damping 0.99 reaches a tolerance of 1e-4 by then; the trace's residual tells how far it came. */
const MAX_ITERATIONS = 1000;

const NO_ACTIVATION: Activation = {
  entities: { ids: new Float64Array(0), length: 0 },
  activations: [],
  levels: [],
  bridges: [],
  sentencesRead: 0,
};

export async function rank(
  view: View,
  analyzer: Analyzer,
  options: RankingOptions,
  request: RankRequest,
): Promise<Ranking> {
  const { k, priors, among, signal } = request;
  const watch = new Stopwatch(request.embedMilliseconds);
  const question = readQuestion(request.question, analyzer, view);
  const visibility = new Visibility(view, request.filter);
  watch.lap("analyze");

  const seeds = await findSeeds(view, question, analyzer, visibility, options, signal);
  watch.lap("seeds");
  const named = seeds.flatMap(({ span, repeats }) => [span, ...repeats]);
  const similarity = new QuestionSimilarity(view, question, request.vector, named, visibility, options);
  // Without an entity or a prior there is nothing for the graph to start from: similarity alone ranks.
  const isGraphUsed = seeds.length > 0 || priors.passages.length > 0;
  const candidates = similarity.best(isGraphUsed ? options.candidates : Math.max(options.candidates, k));
  watch.lap("similarity");

  const similar: WeightedPassages = {
    passages: { ids: candidates.items, length: candidates.items.length },
    weights: candidates.scores,
  };
  const graph = new ViewReader(view, visibility, similarity, {
    hubDegree: options.hubDegree,
    candidates: [...candidates.items],
  });
  const spread = options.activation === "none" ? { ...options, hops: 1 } : options;
  const activation = seeds.length === 0 ? NO_ACTIVATION : await activate(graph, seeds, spread, signal);
  watch.lap("activation");

  let scored = { passages: similar.passages, scores: similar.weights };
  let pageRank: NodeScores | undefined;
  let reset: Reset | undefined;
  let cost = { edges: 0, iterations: 0, residual: 0 };
  if (isGraphUsed) {
    reset = await resetVector(graph, activation, similar, priors, options);
    watch.lap("reset");
    const solved = await solve(graph, reset, options, watch, signal);
    scored = solved;
    pageRank = solved.pageRank;
    cost = solved;
  }
  watch.lap("pagerank");

  let pool: Pool | undefined;
  let fusion: Fusion | undefined;
  if (options.fusion !== "none" && options.seeds !== "none") {
    const graphHits = isGraphUsed ? select(view, scored, options.fusion.pool.graph, undefined) : [];
    const input = {
      view,
      question,
      seeds,
      activation,
      similarity,
      visibility,
      graph: graphHits.filter(({ score }) => score > 0),
      priors,
      hasVector: request.vector !== undefined && similarity.mode !== "lexical",
      sentenceLengthScale: options.sentenceLengthScale,
    };
    pool = gatherPool(input, options.fusion.pool);
    if (pool.hasSources) fusion = new Fusion(pool, input, options.fusion);
    watch.lap("fusion");
  }

  const hits = fusion?.best(view, k, among) ?? [];
  if (hits.length < k) addUnfused(view, hits, scored, k, among);
  if (hits.length < k) fill(view, hits, k, similarity, visibility, among);
  watch.lap("rank");
  return {
    hits,
    question,
    seeds,
    activation,
    similarity,
    candidates,
    pageRank,
    pool,
    fusion,
    reset,
    graph,
    options,
    trace: {
      similarity: SIMILARITY_NAMES[similarity.mode],
      milliseconds: watch.laps,
      seeds: seeds.length,
      activatedEntities: activation.entities.length,
      sentencesRead: activation.sentencesRead,
      edges: cost.edges,
      iterations: cost.iterations,
      residual: cost.residual,
    },
  };
}

async function findSeeds(
  view: View,
  question: Question,
  analyzer: Analyzer,
  visibility: Visibility,
  options: RankingOptions,
  signal: AbortSignal | undefined,
): Promise<readonly NamedSeed[]> {
  if (options.seeds === "none") return [];
  const named = options.seeds === "mentions" ? [] : seedsByName(view, question, visibility, options);
  if (options.seeds === "names" || named.length > 0) return named;
  const reader = await readTexts(analyzer, [question.text], signal);
  const { mentions } = analyzeUntagged(reader, question.text);
  return seedsBySimilarity(view, question.text, mentions, visibility, options);
}

/** Scores of passages, and what they cost. */
interface Solution {
  readonly passages: NodeList;
  readonly scores: ArrayLike<number>;
  readonly pageRank: NodeScores | undefined;
  readonly edges: number;
  readonly iterations: number;
  readonly residual: number;
}

async function solve(
  graph: ViewReader,
  reset: Reset,
  options: RankingOptions,
  watch: Stopwatch,
  signal: AbortSignal | undefined,
): Promise<Solution> {
  if (options.importance === "reset") {
    const { passages, passageMass } = reset;
    return { passages, scores: passageMass, pageRank: undefined, edges: 0, iterations: 0, residual: 0 };
  }
  if (options.solver === "push") return solution(await push(graph, reset, options, signal));
  const exact = await solveExactly(graph, reset, { ...options, maxIterations: MAX_ITERATIONS }, signal);
  // Collecting the graph is the comparison's cost, not the method's.
  watch.restart(exact.solveMilliseconds);
  return solution(exact);
}

function solution(result: NodeScores & Pick<Solution, "edges" | "iterations" | "residual">): Solution {
  const { edges, iterations, residual } = result;
  const { nodes, scores } = result.passages;
  return { passages: nodes, scores, pageRank: result, edges, iterations, residual };
}

/** The k passages of greatest score; those equal within rounding by id. */
function select(
  view: View,
  { passages, scores }: { passages: WeightedPassages["passages"]; scores: ArrayLike<number> },
  k: number,
  among: ReadonlySet<number> | undefined,
): RankedPassage[] {
  const best = new BestList(Math.min(k, passages.length), compareIds(view));
  for (let i = 0; i < passages.length; i++) {
    const score = withoutRounding(scores[i]);
    if (score >= best.threshold && among?.has(passages.ids[i]) !== false) best.offer(passages.ids[i], score);
  }
  return toRanked(best.ranked());
}

/** Adds what is missing to k from the ranking of stage 2: behind the pool of stage 3, if that ran, and scored below it. */
function addUnfused(
  view: View,
  hits: RankedPassage[],
  scored: Parameters<typeof select>[1],
  k: number,
  among: ReadonlySet<number> | undefined,
): void {
  const fused = new Set(hits.map(({ number }) => number));
  const rest = select(view, scored, k + fused.size, among).filter(({ number }) => !fused.has(number));
  // The graph may have given the rest nothing at all.
  const isScaled = fused.size > 0 && rest.length > 0 && rest[0].score > 0;
  const scale = isScaled ? hits[fused.size - 1].score / (2 * rest[0].score) : 1;
  for (const { number, score } of rest.slice(0, k - hits.length)) hits.push({ number, score: score * scale });
}

/** Adds what is missing to k: by similarity, scored below the last hit, then by id with score 0. */
function fill(
  view: View,
  hits: RankedPassage[],
  k: number,
  similarity: QuestionSimilarity,
  visibility: Visibility,
  among: ReadonlySet<number> | undefined,
): void {
  const present = new Set(hits.map(({ number }) => number));
  const ceiling = hits.at(-1)?.score ?? 1;
  const similar =
    among === undefined ? similarity.best(k + present.size) : similarAmong(view, among, similarity, visibility);
  for (let i = 0; i < similar.items.length && hits.length < k; i++) {
    const number = similar.items[i];
    if (present.has(number)) continue;
    present.add(number);
    hits.push({ number, score: (ceiling * similar.scores[i]) / 2 });
  }
  if (hits.length === k || among !== undefined) return;
  const rest = new BestList(Math.min(k - hits.length, view.passageCount), compareIds(view));
  for (const { segment, passageBase } of view.parts) {
    for (let p = 0; p < segment.passageCount; p++) {
      const number = passageBase + p;
      if (!present.has(number) && visibility.isVisible(number)) rest.offer(number, 0);
    }
  }
  for (const number of rest.ranked().items) hits.push({ number, score: 0 });
}

/** The visible ones of a few given passages by similarity, those without any too: none needs to be found. */
function similarAmong(
  view: View,
  among: ReadonlySet<number>,
  similarity: QuestionSimilarity,
  visibility: Visibility,
): Best {
  const best = new BestList(among.size, compareIds(view));
  for (const number of among) if (visibility.isVisible(number)) best.offer(number, similarity.ofPassage(number));
  return best.ranked();
}

/** Measures stages one after the other. */
class Stopwatch {
  readonly laps: Record<RetrieveStage, number>;
  private last = performance.now();

  constructor(embed: number) {
    this.laps = {
      analyze: 0,
      embed,
      similarity: 0,
      seeds: 0,
      activation: 0,
      reset: 0,
      pagerank: 0,
      fusion: 0,
      rank: 0,
    };
  }

  /** Ends a stage. */
  lap(stage: RetrieveStage): void {
    const now = performance.now();
    this.laps[stage] += now - this.last;
    this.last = now;
  }

  /** Forgets what has passed since the last stage ended but for the given milliseconds. */
  restart(milliseconds: number): void {
    this.last = performance.now() - milliseconds;
  }
}
