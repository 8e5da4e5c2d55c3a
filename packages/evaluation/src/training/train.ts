import { DEFAULT_RANKING, type FusionModel, type JsonValue, type Passage } from "@trigraph/core";
import { FEWEST_TRAINING_QUESTIONS } from "../defaults.js";
import { EvaluationError } from "../errors.js";
import { SharedEmbedder } from "../methods/embedding.js";
import type { Folding } from "./cross-validate.js";
import { poolRecall } from "./figures.js";
import { buildIndex, type Gathered, gatherPools } from "./gather.js";
import { fitAndJudge, type RankingFigures } from "./judge.js";
import { settingsOf, type TrainingSet, type TrainOptions, type TrainSettings } from "./options.js";
import type { LabelledPool } from "./pools.js";

/** What training gives. */
export interface Training {
  /** Fitted to all questions; its provenance says what to and how well it does. */
  readonly model: FusionModel;
  /** In the order of the sets. */
  readonly sets: readonly SetFigures[];
}

/** How the weights do on one set. */
export interface SetFigures {
  readonly name: string;
  /** Questions learned from. */
  readonly questions: number;
  /** Questions left out. */
  readonly withoutGold: number;
  /** Of the questions without vectors. */
  readonly words: RankingFigures;
  /** Of the questions with vectors; only with an embedder. */
  readonly vectors?: RankingFigures;
}

/**
 * Fits the weights of stage 3 to questions whose evidence is known, and tells by cross-validation how well such weights
 * do. All copies of a question, in every set, are in the same fold. The same input gives the same model, to the byte.
 *
 * Indexing and asking take what they do elsewhere; a fit of 2,000 questions takes some ten seconds, and there is one a
 * fold and one more, twice as many with an embedder.
 *
 * @throws InvalidArgumentError for wrong options
 * @throws EvaluationError `TRAINING` when there is too little to learn from
 * @throws what `TriGraph` and the embedder do, or the signal's reason
 */
export async function train(options: TrainOptions): Promise<Training> {
  const settings = settingsOf(options);
  const { embedder } = settings;
  const gathered = await gatherAll(settings);
  const names = gathered.map(({ set }) => set);
  const words = gathered.flatMap((set) => set.words);
  const vectors = gathered.flatMap((set) => set.vectors);
  checkPools(words);
  const folding = foldingOf(settings, embedder === undefined ? 1 : 2);
  const byWords = await fitAndJudge(words, names, folding);
  const byVectors = embedder === undefined ? undefined : await fitAndJudge(vectors, names, folding);
  const figures = gathered.map(({ set, withoutGold, words }, i): SetFigures => ({
    ...{ name: set, questions: words.length, withoutGold, words: byWords.figures[i] },
    ...(byVectors === undefined ? {} : { vectors: byVectors.figures[i] }),
  }));
  const questions = new Set(words.map(({ question }) => question)).size;
  const { pool, halfTrust } = DEFAULT_RANKING.fusion as FusionModel;
  return {
    model: {
      format: 1,
      provenance: provenanceOf(figures, questions, settings),
      pool,
      halfTrust,
      words: byWords.weights,
      ...(byVectors === undefined ? {} : { vectors: byVectors.weights }),
    },
    sets: figures,
  };
}

/** One index at a time, so that no two corpora are in memory as indexes. In the order of the sets. */
async function gatherAll(settings: TrainSettings): Promise<Gathered[]> {
  const { sets } = settings;
  const embedder = settings.embedder && new SharedEmbedder(settings.embedder);
  const found = new Map<TrainingSet, Gathered>();
  const byCorpus = new Map<readonly Passage[], TrainingSet[]>();
  for (const set of sets) {
    if ("index" in set) found.set(set, await gatherPools(set.index, set, embedder, settings));
    else byCorpus.set(set.corpus, [...(byCorpus.get(set.corpus) ?? []), set]);
  }
  for (const [corpus, own] of byCorpus) {
    const index = await buildIndex(own[0].name, corpus, embedder, settings);
    try {
      for (const set of own) found.set(set, await gatherPools(index, set, embedder, settings));
    } finally {
      await index.close();
    }
  }
  return sets.map((set) => found.get(set)!);
}

function checkPools(pools: readonly LabelledPool[]): void {
  const questions = new Set(pools.map(({ question }) => question)).size;
  if (questions < FEWEST_TRAINING_QUESTIONS) {
    throw new EvaluationError(
      "TRAINING",
      `train: expected at least ${FEWEST_TRAINING_QUESTIONS} different questions with gold, got ${questions}. Keep the weights that come with the library.`,
    );
  }
  if (poolRecall(pools) > 0) return;
  throw new EvaluationError(
    "TRAINING",
    "train: expected some gold passage among the candidates, got none. Do gold and passages have the same ids?",
  );
}

function foldingOf({ folds, seed, penalty, signal, onProgress }: TrainSettings, rounds: number): Folding {
  const total = rounds * (folds + 1);
  let done = 0;
  return { folds, seed, penalty, signal, onFold: () => onProgress?.({ phase: "fit", done: ++done, total }) };
}

/** No date: equal input gives an equal model. */
function provenanceOf(
  figures: readonly SetFigures[],
  questions: number,
  { folds, seed, penalty, embedder }: TrainSettings,
): JsonValue {
  const percent = (share: number) => Number((100 * share).toFixed(1));
  const ofRecalls = ({ crossValidated }: RankingFigures) => ({
    "recall@2": percent(crossValidated["recall@2"]),
    "recall@5": percent(crossValidated["recall@5"]),
  });
  return {
    ...{ questions, folds, seed, penalty, embedder: embedder?.id ?? null },
    measure: "cross-validated recall in %; every set weighs the same",
    sets: figures.map(({ name, questions, withoutGold, words, vectors }) => ({
      ...{ name, questions, withoutGold, words: ofRecalls(words) },
      ...(vectors === undefined ? {} : { vectors: ofRecalls(vectors) }),
    })),
  };
}
