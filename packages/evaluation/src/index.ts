export { answerAndJudge, type AnswerOptions, type AnswerResult } from "./answers/answer.js";
export { openAiChat, type ChatMessage, type ChatModel, type OpenAiClient } from "./answers/chat.js";
export { judgeAccuracy, judgeEvidence, judgeRelevance } from "./answers/judge.js";
export { compareMethods, type ComparisonResult } from "./compare.js";
export { parseCorpora, type NamedText } from "./data/corpus.js";
export { needsSeveral, placesOf, type Evidence, type Place, type Question } from "./data/question.js";
export { parseQuestions } from "./data/question-files.js";
export { EvaluationError, type EvaluationErrorCode } from "./errors.js";
export { evaluate, type EvaluateOptions, type Evaluation, type Latency, type QuestionResult } from "./evaluate.js";
export { containAccuracy } from "./measures/answer.js";
export { mean, percentile } from "./measures/numbers.js";
export { type MeasureName, type Measures } from "./measures/question.js";
export { allGoldAt, evidenceRecallAt, ndcgAt, precisionAt, recallAt, reciprocalRank } from "./measures/ranking.js";
export { Bm25, type Bm25Options } from "./methods/bm25.js";
export { SharedEmbedder } from "./methods/embedding.js";
export type { BuildContext, BuiltMethod, Method } from "./methods/method.js";
export { trigraphMethod } from "./methods/trigraph.js";
export { VARIANTS, type Variant } from "./methods/variants.js";
export type { CompareOptions } from "./plan.js";
export type { LongCallOptions, Progress } from "./progress.js";
export {
  compareReports,
  type MeasureChange,
  type MethodChange,
  type ReportComparison,
  type WorseQuestion,
} from "./report/compare-reports.js";
export { renderHtml } from "./report/html.js";
export { renderJson } from "./report/json.js";
export { renderMarkdown } from "./report/markdown.js";
export type {
  Comparison,
  Excerpt,
  FailedRanking,
  Failure,
  FusionReason,
  GoldPassage,
  Group,
  GroupMeasure,
  Loss,
  MethodAnswer,
  MethodFigure,
  MethodReport,
  MethodTimes,
  Percentiles,
  QuestionReport,
  Reason,
  Report,
  ReturnedPassage,
  Settings,
  Times,
} from "./report/report.js";
export type { Hit, Retriever } from "./retriever.js";
export { bootstrapMeans, intervalOf, signFlipTest, type Interval, type Resampling } from "./statistics/resampling.js";
export type { Recalls } from "./training/figures.js";
export type { RankingFigures } from "./training/judge.js";
export type { TrainingSet, TrainOptions } from "./training/options.js";
export { train, type SetFigures, type Training } from "./training/train.js";
