import { basename } from "node:path";
import { Command } from "commander";
import type { AnswerOptions } from "../answers/answer.js";
import { compareMethods } from "../compare.js";
import { readData } from "../data/files.js";
import { DEFAULT_ANSWER_PASSAGES, DEFAULT_KS } from "../defaults.js";
import { METHODS, methodsNamed, type OwnFusion } from "../methods/registry.js";
import { writeReport } from "../report/files.js";
import { renderJson } from "../report/json.js";
import { describeReport, tablesOf } from "../report/tables.js";
import { readFusion } from "../training/model-file.js";
import { loadChatModel, loadEmbedder } from "./modules.js";
import { collect, depths, list, resamplingOptions, wholeNumber } from "./options.js";
import { ProgressBar } from "./progress.js";
import { drawTables } from "../report/terminal.js";
import type { Terminal } from "./terminal.js";

interface RunOptions {
  readonly corpus: readonly string[];
  readonly questions: readonly string[];
  readonly methods: readonly string[];
  readonly k: readonly number[];
  readonly titles: boolean;
  readonly embedder?: string;
  readonly fusion?: string;
  readonly chat?: string;
  readonly judge?: string;
  readonly answerPassages: number;
  readonly out?: string;
  readonly json: boolean;
  readonly seed: number;
  readonly resamples: number;
}

/** Compared unless others are named: none needs vectors, nor a package that may be missing. */
const DEFAULT_METHODS = ["trigraph", "paper", "bm25"];

/** `trigraph-eval run` */
export function runCommand(terminal: Terminal): Command {
  const command = new Command("run")
    .description("compare methods over passages and questions")
    .requiredOption("--corpus <file>", "JSON Lines {id, title?, text, metadata?}; may be given several times", collect)
    .requiredOption("--questions <file>", "JSON Lines {id, question, gold, …}; may be given several times", collect)
    .option("--methods <names>", "the others are tested against the first", list, DEFAULT_METHODS)
    .option("--k <depths>", "depths of the measures; the middle one decides who wins", depths, [...DEFAULT_KS])
    .option("--without-titles", "drop the titles of all passages, and leave the texts as they are")
    .option("--embedder <module>", "its default export makes the vectors: an Embedder, or a function that returns one")
    .option("--fusion <file>", "weights of trigraph's stage 3, made by train, instead of its own")
    .option("--chat <module>", "its default export answers the questions: a ChatModel, or a function that returns one")
    .option("--judge <module>", "another chat model to judge the answers; default: the same")
    .option("--answer-passages <n>", "passages that an answer is made from", wholeNumber(1), DEFAULT_ANSWER_PASSAGES)
    .option("--out <folder>", "write report.json, times.json, report.md and report.html")
    .option("--json", "print the report as JSON instead of tables", false)
    .addHelpText("after", `\nMethods: ${[...METHODS.keys()].join(", ")}; "trigraph-eval methods" describes them.`);
  for (const option of resamplingOptions()) command.addOption(option);
  return command.action(async ({ withoutTitles = false, ...options }: RunOptions & { withoutTitles?: boolean }) => {
    await run({ ...options, titles: !withoutTitles }, terminal);
  });
}

async function run(options: RunOptions, { out, err, signal }: Terminal): Promise<void> {
  const { titles, seed, resamples } = options;
  const methods = methodsNamed(options.methods, await fusionOf(options, signal));
  const { passages, ...data } = await readData({
    corpora: options.corpus,
    questions: options.questions,
    titles,
    signal,
  });
  const embedder = options.embedder === undefined ? undefined : await loadEmbedder(options.embedder);
  const answers = await answerOptions(options);
  const bar = new ProgressBar(err);
  try {
    const result = await compareMethods({
      ...{ methods, corpus: passages, ...data, titles, ks: options.k, embedder, answers, seed, resamples },
      signal,
      onProgress: bar.show,
    });
    bar.stop();
    if (options.out !== undefined) await writeReport(options.out, result);
    const { report, times } = result;
    out.write(
      options.json ? renderJson(report) : `${describeReport(report)}\n\n${drawTables(tablesOf(report, times))}`,
    );
  } finally {
    bar.stop();
  }
}

async function fusionOf({ fusion }: RunOptions, signal: AbortSignal): Promise<OwnFusion | undefined> {
  return fusion === undefined ? undefined : { name: basename(fusion), model: await readFusion(fusion, signal) };
}

async function answerOptions({ chat, judge, answerPassages }: RunOptions): Promise<AnswerOptions | undefined> {
  if (chat === undefined) return undefined;
  return {
    chat: await loadChatModel(chat),
    judge: judge === undefined ? undefined : await loadChatModel(judge),
    passages: answerPassages,
  };
}
