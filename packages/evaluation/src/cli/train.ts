import { InvalidArgumentError } from "@trigraph/core";
import { Command } from "commander";
import { DEFAULT_FOLDS, DEFAULT_PENALTY, DEFAULT_TRAINING_SEED } from "../defaults.js";
import { drawTables } from "../report/terminal.js";
import { formatPercent, type Table } from "../report/tables.js";
import type { Recalls } from "../training/figures.js";
import type { RankingFigures } from "../training/judge.js";
import { prepareFolder, writeFusion } from "../training/model-file.js";
import type { TrainingSet } from "../training/options.js";
import { readTrainingPlan, readTrainingSets } from "../training/plan.js";
import { train, type SetFigures } from "../training/train.js";
import { loadEmbedder } from "./modules.js";
import { collect, positive, wholeNumber } from "./options.js";
import { ProgressBar } from "./progress.js";
import type { Terminal } from "./terminal.js";

interface TrainCommandOptions {
  readonly corpus?: readonly string[];
  readonly questions?: readonly string[];
  readonly withoutTitles: boolean;
  readonly plan?: string;
  readonly data?: string;
  readonly embedder?: string;
  readonly folds: number;
  readonly seed: number;
  readonly penalty: number;
  readonly out: string;
}

/** `trigraph-eval train` */
export function trainCommand(terminal: Terminal): Command {
  return new Command("train")
    .description("fit the weights of trigraph's stage 3 to your questions, and tell how well such weights do")
    .option("--corpus <file>", "JSON Lines {id, title?, text, metadata?}; may be given several times", collect)
    .option("--questions <file>", "JSON Lines {id, question, gold, …}; may be given several times", collect)
    .option("--without-titles", "drop the titles of all passages, and leave the texts as they are", false)
    .option("--plan <file>", "several data sets at once: JSON [{name, corpora, questions, withoutTitles?}]")
    .option("--data <folder>", "what the plan's paths start from; default: the plan's folder")
    .option("--embedder <module>", "fit weights for questions with vectors as well; an Embedder, as for run")
    .option("--folds <n>", "of the cross-validation", wholeNumber(2), DEFAULT_FOLDS)
    .option("--seed <n>", "of the folds", wholeNumber(0), DEFAULT_TRAINING_SEED)
    .option("--penalty <number>", "on the weights; for few questions try 300", positive, DEFAULT_PENALTY)
    .requiredOption("--out <file>", "write the weights; for run --fusion, and the core's option ranking.fusion")
    .action((options: TrainCommandOptions) => runTraining(options, terminal));
}

async function runTraining(options: TrainCommandOptions, { out, err, signal }: Terminal): Promise<void> {
  const { folds, seed, penalty } = options;
  const sets = await setsOf(options, signal);
  const embedder = options.embedder === undefined ? undefined : await loadEmbedder(options.embedder);
  // Before the work, not after it.
  await prepareFolder(options.out);
  const bar = new ProgressBar(err);
  try {
    const { model, sets: figures } = await train({
      ...{ sets, embedder, folds, seed, penalty, signal },
      onProgress: bar.show,
    });
    bar.stop();
    await writeFusion(options.out, model);
    out.write(drawTables(tablesOf(figures, folds)));
  } finally {
    bar.stop();
  }
}

async function setsOf(options: TrainCommandOptions, signal: AbortSignal): Promise<TrainingSet[]> {
  const { corpus: corpora, questions, withoutTitles, plan, data } = options;
  const isOfFiles = corpora !== undefined || questions !== undefined || withoutTitles;
  if (plan !== undefined) {
    if (isOfFiles)
      throw usage("--plan names corpora and questions itself: leave out --corpus, --questions, --without-titles");
    return readTrainingPlan(plan, { folder: data, signal });
  }
  if (data !== undefined) throw usage("--data is where a plan's paths start: give --plan as well");
  if (corpora === undefined || questions === undefined) throw usage("expected --corpus and --questions, or --plan");
  return readTrainingSets([{ name: "all", corpora: [...corpora], questions: [...questions], withoutTitles }], signal);
}

function usage(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`train: ${what}.`);
}

function tablesOf(sets: readonly SetFigures[], folds: number): Table[] {
  const hasVectors = sets.some(({ vectors }) => vectors !== undefined);
  const words = tableOf("Questions by their words", sets, folds, ({ words }) => words);
  return hasVectors ? [words, tableOf("Questions with vectors", sets, folds, ({ vectors }) => vectors!)] : [words];
}

function tableOf(
  title: string,
  sets: readonly SetFigures[],
  folds: number,
  figuresOf: (set: SetFigures) => RankingFigures,
): Table {
  const left = sets.reduce((sum, { withoutGold }) => sum + withoutGold, 0);
  return {
    title: `${title}: recall@2 / @5 in %`,
    columns: ["", "questions", "new weights", "weights as they were", "no fusion", "BM25", "in the pool"],
    rows: sets.map((set) => {
      const { crossValidated, current, withoutFusion, bm25, pool } = figuresOf(set);
      const recalls = [crossValidated, current, withoutFusion, bm25].map(formatRecalls);
      return [set.name, String(set.questions), ...recalls, formatPercent(pool)];
    }),
    note: [
      `New weights: by ${folds}-fold cross-validation. In the pool: what no order of the candidates can exceed.`,
      ...(left === 0 ? [] : [`Left out, for want of gold: ${left}.`]),
    ].join(" "),
  };
}

function formatRecalls({ "recall@2": at2, "recall@5": at5 }: Recalls): string {
  return `${formatPercent(at2)} / ${formatPercent(at5)}`;
}
