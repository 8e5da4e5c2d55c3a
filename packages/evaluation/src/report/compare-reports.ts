import { DEFAULT_RESAMPLES, DEFAULT_SEED } from "../defaults.js";
import { EvaluationError } from "../errors.js";
import type { MeasureName, Measures } from "../measures/question.js";
import type { Resampling } from "../statistics/resampling.js";
import type { StoredReport } from "./files.js";
import { comparePair } from "./groups.js";
import type { Comparison } from "./report.js";

/** Two reports of the same questions, one after the other. */
export interface ReportComparison {
  /** Questions that both have. */
  readonly questions: number;
  /** Ids that only one of them has. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Whether both had the same passages: equal files, with or without titles alike. */
  readonly sameCorpus: boolean;
  /** The methods that both have, in the order of the first. */
  readonly methods: readonly MethodChange[];
}

/** How a method that both reports have has changed. */
export interface MethodChange {
  readonly method: string;
  /** The measures that both have. */
  readonly measures: readonly MeasureChange[];
}

/** How one measure of a method has changed. */
export interface MeasureChange {
  readonly measure: MeasureName;
  readonly questions: number;
  readonly before: number;
  readonly after: number;
  /** After less before. */
  readonly change: Comparison;
  /** Questions that have become worse, the most first. */
  readonly worse: readonly WorseQuestion[];
}

/** A question of which the second report has a smaller value. */
export interface WorseQuestion {
  readonly id: string;
  readonly question: string;
  readonly before: number;
  readonly after: number;
}

/**
 * What has changed from one report to another, by the questions and methods that both have.
 *
 * @throws EvaluationError `REPORT` when they share no question or no method
 */
export function compareReports(
  before: StoredReport,
  after: StoredReport,
  resampling: Resampling = { seed: DEFAULT_SEED, resamples: DEFAULT_RESAMPLES },
): ReportComparison {
  const [old, new_] = [byId(before), byId(after)];
  // The same id with another wording is another question.
  const shared = before.questions.filter(({ id, question }) => new_.get(id)?.question === question);
  const isShared = new Set(shared.map(({ id }) => id));
  const methods = before.methods.filter(({ name }) => after.methods.some((each) => each.name === name));
  if (shared.length === 0 || methods.length === 0) {
    const what = shared.length === 0 ? "question" : "method";
    throw new EvaluationError("REPORT", `compareReports: expected reports with a ${what} in common, got none.`);
  }
  const measures = before.measures.filter((measure) => after.measures.includes(measure));
  return {
    questions: shared.length,
    onlyBefore: [...old.keys()].filter((id) => !isShared.has(id)),
    onlyAfter: [...new_.keys()].filter((id) => !isShared.has(id)),
    sameCorpus: JSON.stringify(corpusOf(before)) === JSON.stringify(corpusOf(after)),
    methods: methods.map(({ name }) => {
      const pairs = shared.map(({ id, question }) => ({
        ...{ id, question, before: measuresOf(old.get(id)!, name), after: measuresOf(new_.get(id)!, name) },
      }));
      return { method: name, measures: measures.flatMap((measure) => changeOf(measure, pairs, resampling)) };
    }),
  };
}

interface Pair {
  readonly id: string;
  readonly question: string;
  readonly before: Measures;
  readonly after: Measures;
}

function changeOf(measure: MeasureName, pairs: readonly Pair[], resampling: Resampling): MeasureChange[] {
  const values = pairs
    .filter(({ before, after }) => measure in before && measure in after)
    .map(({ id, question, before, after }) => ({ id, question, before: before[measure], after: after[measure] }));
  if (values.length === 0) return [];
  const [before, after] = comparePair(
    values.map((value) => value.before),
    values.map((value) => value.after),
    resampling,
  );
  const worse = values
    .filter((value) => value.after < value.before)
    .sort((a, b) => a.after - a.before - (b.after - b.before) || (a.id < b.id ? -1 : 1));
  return [
    { measure, questions: values.length, before: before.mean, after: after.mean, change: after.versusFirst!, worse },
  ];
}

type StoredQuestion = StoredReport["questions"][number];

function byId({ questions }: StoredReport): ReadonlyMap<string, StoredQuestion> {
  return new Map(questions.map((question) => [question.id, question]));
}

function measuresOf({ methods }: StoredQuestion, name: string): Measures {
  return methods.find(({ method }) => method === name)?.measures ?? {};
}

function corpusOf({ corpus, settings: { titles } }: StoredReport) {
  return { titles, files: corpus.sources.map(({ sha256 }) => sha256) };
}
