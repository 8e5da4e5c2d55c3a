/** What a comparison of methods found, without any time: equal input gives an equal report, byte for byte. */
import type { Source } from "../data/files.js";
import type { Evidence } from "../data/question.js";
import type { MeasureName, Measures } from "../measures/question.js";
import type { Interval } from "../statistics/resampling.js";

export const REPORT_FORMAT = "trigraph-eval";
export const TIMES_FORMAT = "trigraph-eval-times";
export const REPORT_VERSION = 1;

/** All that a comparison found: what `report.json` holds. */
export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly version: typeof REPORT_VERSION;
  readonly settings: Settings;
  readonly corpus: { readonly passages: number; readonly sources: readonly Source[] };
  readonly questionSets: readonly Source[];
  /** In the order named; the others are tested against the first. */
  readonly methods: readonly MethodReport[];
  /** The measures taken, in the order of the tables. */
  readonly measures: readonly MeasureName[];
  /** All questions; each question file when there are several; each type. */
  readonly groups: readonly Group[];
  /** Where the first method finds less than another. */
  readonly losses: readonly Loss[];
  readonly questions: readonly QuestionReport[];
  /** Questions of which some method does not find all at the cut. */
  readonly failures: readonly Failure[];
  /** Those that the failures name, by id. */
  readonly passages: readonly Excerpt[];
}

/** What the figures depend on beside the data. */
export interface Settings {
  /** Depths of the measures, increasing. */
  readonly ks: readonly number[];
  /** The depth at which questions are won, lost and failed: the middle one. */
  readonly cut: number;
  readonly seed: number;
  readonly resamples: number;
  /** Confidence of the intervals. */
  readonly level: number;
  /** False when the passages' titles were dropped. */
  readonly titles: boolean;
  /** The embedder's id; null without. */
  readonly embedder: string | null;
  /** The ids of the models that answered and judged; null without. */
  readonly chat: { readonly answers: string; readonly judge: string; readonly passages: number } | null;
}

/** A method as a whole. */
export interface MethodReport {
  readonly name: string;
  readonly description: string;
  /** Bytes of its index, where it can tell. */
  readonly bytes: number | null;
  /** Verdicts of the judge that could not be read. */
  readonly unjudged: number;
}

/** Questions told of together. */
export interface Group {
  readonly by: "all" | "set" | "type";
  /** The set's or type's name; "all". */
  readonly name: string;
  readonly questions: number;
  /** For each measure that some questions of the group have, one row a method, in the order of the methods. */
  readonly measures: readonly GroupMeasure[];
}

/** One measure over the questions of a group. */
export interface GroupMeasure {
  readonly measure: MeasureName;
  /** Questions that have the measure under every method. */
  readonly questions: number;
  readonly methods: readonly MethodFigure[];
}

/** A method's mean, and how it stands to the first method's. */
export interface MethodFigure {
  readonly method: string;
  readonly mean: number;
  /** Of the mean, by bootstrap. */
  readonly interval: Interval;
  /** Against the first method; null for itself. */
  readonly versusFirst: Comparison | null;
}

/** A paired comparison: differences are this one's values less the other's. */
export interface Comparison {
  readonly difference: number;
  /** Of the difference, by paired bootstrap. */
  readonly interval: Interval;
  /** Of the sign-flip test, two-sided. */
  readonly p: number;
  /** Questions with a greater, an equal and a smaller value than the other's. */
  readonly better: number;
  readonly equal: number;
  readonly worse: number;
}

/** A question of which the first method finds less at the cut than another one. */
export interface Loss {
  readonly id: string;
  readonly method: string;
  /** Recall at the cut, of the first method and of the other. */
  readonly first: number;
  readonly other: number;
}

/** A question and what each method made of it. */
export interface QuestionReport {
  readonly id: string;
  readonly question: string;
  readonly type: string | null;
  readonly set: string | null;
  readonly gold: readonly string[] | null;
  readonly evidence: readonly Evidence[] | null;
  /** In the order of the methods. */
  readonly methods: readonly MethodAnswer[];
}

/** What a method made of a question. */
export interface MethodAnswer {
  readonly method: string;
  readonly ranking: readonly string[];
  readonly measures: Measures;
  /** What the chat model answered; null when none was asked. */
  readonly answer: string | null;
}

/** A question of which some method does not find all at the cut. */
export interface Failure {
  readonly id: string;
  /** Every passage that holds something of what there is to find. */
  readonly gold: readonly GoldPassage[];
  /** In the order of the methods. */
  readonly methods: readonly FailedRanking[];
}

/** A passage to be found, and where each method has it. */
export interface GoldPassage {
  readonly id: string;
  /** Its rank under each method, from 1; null when it is not among the first 100. In the order of the methods. */
  readonly ranks: readonly (number | null)[];
}

/** What a method returned for a question that some method fails. */
export interface FailedRanking {
  readonly method: string;
  /** Whether this method fails at the cut. */
  readonly failed: boolean;
  /** The first passages, as many as the greatest depth. */
  readonly returned: readonly ReturnedPassage[];
}

/** A passage that was returned, and why. */
export interface ReturnedPassage {
  readonly id: string;
  readonly gold: boolean;
  /** What brought it, where the method can tell. */
  readonly evidence: Reason | null;
}

/** A passage as reports show it. */
export interface Excerpt {
  readonly id: string;
  readonly title: string | null;
  /** The beginning of its text. */
  readonly text: string;
}

/** Why a passage was returned, in short. */
export interface Reason {
  /** "graph", or the kind of similarity. */
  readonly via: string;
  /** Names of the entities along the path, the seed first; empty without a path. */
  readonly path: readonly string[];
  /** The passage's sentence most relevant to the question. */
  readonly sentence: string | null;
  /** What trigraph's stage 3 makes of the passage; null without it, and for passages behind its pool. */
  readonly fusion: FusionReason | null;
}

/** How stage 3 judged a passage, in short. */
export interface FusionReason {
  /** That the passage holds evidence. */
  readonly probability: number;
  /** The features that moved it furthest, each with what it adds to the log-odds of an average candidate. */
  readonly shares: readonly { readonly feature: string; readonly logOdds: number }[];
}

/** What a comparison took. No two runs have the same times, so they stand apart from the report. */
export interface Times {
  readonly format: typeof TIMES_FORMAT;
  readonly version: typeof REPORT_VERSION;
  /** Embedding all passages, once for all methods; null without an embedder. Milliseconds, as all here. */
  readonly embedding: number | null;
  readonly methods: readonly MethodTimes[];
}

/** What a method took. Milliseconds. */
export interface MethodTimes {
  readonly method: string;
  /** Indexing all passages, whose vectors are there already. */
  readonly index: number;
  readonly query: Percentiles;
  /** Without the time in the embedder; null without one. */
  readonly queryWithoutEmbedding: Percentiles | null;
}

/** Of the questions' times. Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}
