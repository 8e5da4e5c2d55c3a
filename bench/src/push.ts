import { MemoryDirectory, TriGraph, type RankingOptions } from "@trigraph/core";
import { mean, type Question } from "@trigraph/evaluation";
import type { Table } from "@trigraph/evaluation/node";
import type { Corpus } from "./corpora.js";
import { DEPTH, meanRecall, type Ranking, type Recall } from "./rankings.js";
import { formatCount, formatNumber, formatPercent, note } from "./report.js";

const EPSILONS = [1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7];
/** Where power iteration is taken for exact; the rankings it gives are what push is compared with. */
const EXACT_TOLERANCE = 1e-10;
/** Where power iteration stops when its time is measured. */
const TIMED_TOLERANCE = 1e-6;
/** Solving exactly takes long, since the whole graph is collected; so many questions, evenly spaced, tell enough. */
const QUESTIONS = 160;
/** Of which so many are timed with power iteration. */
const TIMED_SHARE = 0.25;

/** Stage 2 with one setting, over the same questions. */
export interface PushResult {
  readonly epsilon: number;
  /** Share of questions whose ten passages are those of the exact solver, in any order. */
  readonly sameTop10: number;
  readonly recall: Recall;
  /** Means over the questions of the least of several runs, of stage 2 alone. */
  readonly milliseconds: number;
  readonly edges: number;
  readonly rounds: number;
  /** How many times faster than power iteration. */
  readonly speedUp: number;
}

export interface PushReport {
  readonly corpus: string;
  readonly passages: number;
  readonly questions: number;
  /** Power iteration: what it reaches when exact, and its time to 1e-6 without collecting the graph. */
  readonly exact: { readonly recall: Recall; readonly milliseconds: number; readonly rounds: number };
  readonly results: readonly PushResult[];
}

/** One pass over the questions. */
interface Pass {
  readonly rankings: readonly Ranking[];
  readonly milliseconds: readonly number[];
  readonly edges: readonly number[];
  readonly rounds: readonly number[];
}

/** Local push at several thresholds against power iteration over the same graph. */
export async function measurePush(corpus: Corpus, runs: number, quick: boolean): Promise<PushReport> {
  note(`push: indexing ${formatCount(corpus.size)} passages (${corpus.name})`);
  const directory = new MemoryDirectory();
  const built = await TriGraph.create();
  await built.upsert(corpus.passages());
  await built.save(directory);
  await built.close();

  const questions = spaced(corpus.questions, quick ? QUESTIONS / 4 : QUESTIONS);
  const ask = async (ranking: Partial<RankingOptions>, times: number, asked = questions) => {
    const index = await TriGraph.open(directory, { ranking: { ...ranking, fusion: "none" }, readOnly: true });
    const pass = await fastestPass(index, asked, times);
    await index.close();
    return pass;
  };

  // The first one is a warm-up as well.
  const passes = Math.max(2, runs);
  note("push: exact solver");
  const exact = await ask({ solver: "exact", tolerance: EXACT_TOLERANCE }, 1);
  const timed = spaced(questions, Math.ceil(questions.length * TIMED_SHARE));
  const power = await ask({ solver: "exact", tolerance: TIMED_TOLERANCE }, passes, timed);
  const results: PushResult[] = [];
  for (const epsilon of EPSILONS) {
    note(`push: ε ${epsilon}`);
    const pass = await ask({ solver: "push", epsilon }, passes);
    results.push({
      epsilon,
      sameTop10: mean(pass.rankings.map(({ ids }, i) => (haveSameIds(ids, exact.rankings[i].ids) ? 1 : 0))),
      recall: meanRecall(pass.rankings),
      milliseconds: mean(pass.milliseconds),
      edges: mean(pass.edges),
      rounds: mean(pass.rounds),
      speedUp: mean(power.milliseconds) / mean(pass.milliseconds),
    });
  }
  return {
    corpus: corpus.name,
    passages: corpus.size,
    questions: questions.length,
    exact: {
      recall: meanRecall(exact.rankings),
      milliseconds: mean(power.milliseconds),
      rounds: mean(power.rounds),
    },
    results,
  };
}

/** Asks all questions several times and keeps each question's least time. */
async function fastestPass(index: TriGraph, questions: readonly Question[], passes: number): Promise<Pass> {
  const rankings: Ranking[] = [];
  const milliseconds = new Array<number>(questions.length).fill(Infinity);
  const edges: number[] = [];
  const rounds: number[] = [];
  for (let pass = 0; pass < passes; pass++) {
    for (const [i, question] of questions.entries()) {
      const hits = await index.retrieve(question.question, {
        k: DEPTH,
        onTrace: (trace) => {
          milliseconds[i] = Math.min(milliseconds[i], trace.milliseconds.pagerank);
          edges[i] = trace.edges;
          rounds[i] = trace.iterations;
        },
      });
      rankings[i] = { question, ids: hits.map(({ passage }) => passage.id) };
    }
  }
  return { rankings, milliseconds, edges, rounds };
}

function spaced<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]);
}

function haveSameIds(a: readonly string[], b: readonly string[]): boolean {
  const known = new Set(b);
  return a.length === b.length && a.every((id) => known.has(id));
}

export function pushTables(reports: readonly PushReport[]): Table[] {
  return reports.map(({ corpus, passages, questions, exact, results }) => ({
    title: `Local push against power iteration, ${formatCount(passages)} passages (${corpus}), ${questions} questions`,
    columns: ["ε", "same top 10 %", "recall@2 / @5 %", "ms", "edges", "rounds", "faster by"],
    rows: [
      ...results.map(({ epsilon, sameTop10, recall, milliseconds, edges, rounds, speedUp }) => [
        epsilon.toExponential(),
        formatPercent(sameTop10),
        recallCell(recall),
        formatNumber(milliseconds),
        formatCount(edges),
        formatNumber(rounds),
        formatNumber(speedUp),
      ]),
      ["exact", "", recallCell(exact.recall), formatNumber(exact.milliseconds), "", formatNumber(exact.rounds), ""],
    ],
    note:
      "Means over the questions, of stage 2 alone. exact: power iteration, its time and rounds to 1e-6 over the graph " +
      "already collected, its recall and top 10 at 1e-10.",
  }));
}

function recallCell({ at2, at5 }: Recall): string {
  return `${formatPercent(at2)} / ${formatPercent(at5)}`;
}
