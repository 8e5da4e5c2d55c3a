import type { AnswerOptions } from "../answers/answer.js";
import type { Plan } from "../plan.js";
import type { Question } from "../data/question.js";
import { DEFAULT_ANSWER_PASSAGES, LEVEL } from "../defaults.js";
import { ANSWER_MEASURES, rankingMeasureNames, type MeasureName } from "../measures/question.js";
import type { Run } from "../methods/run.js";
import { excerptsOf } from "./excerpts.js";
import { cutOf, failuresOf } from "./failures.js";
import { figuresOf, lossesOf, selections, type MeasuredMethod } from "./groups.js";
import {
  REPORT_FORMAT,
  REPORT_VERSION,
  type Group,
  type QuestionReport,
  type Report,
  type Settings,
} from "./report.js";

/** What some runs found. */
export function buildReport(runs: readonly Run[], plan: Plan): Report {
  const { corpus, questions, ks, answers, sources } = plan;
  const measured = runs.map(({ evaluation: { name, questions } }) => ({
    name,
    questions: questions.map(({ measures }) => measures),
  }));
  const measures = [...rankingMeasureNames(ks), ...(answers === undefined ? [] : ANSWER_MEASURES)];
  const accounts = runs.map((run) => run.accounts);
  const failures = failuresOf(questions, accounts);
  return {
    format: REPORT_FORMAT,
    version: REPORT_VERSION,
    settings: settingsOf(plan),
    corpus: { passages: corpus.length, sources: sources?.corpora ?? [] },
    questionSets: sources?.questions ?? [],
    methods: runs.map(({ method: { name, description }, bytes, evaluation }) => ({
      ...{ name, description, bytes },
      unjudged: evaluation.questions.reduce((sum, { answer }) => sum + (answer?.unjudged.length ?? 0), 0),
    })),
    measures,
    groups: groupsOf(measured, measures, plan),
    losses: lossesOf(questions, measured, `recall@${cutOf(ks)}`),
    questions: questions.map((question, place) => questionReport(question, place, runs)),
    failures,
    passages: excerptsOf(failures, new Map(corpus.map((passage) => [passage.id, passage]))),
  };
}

function settingsOf({ ks, seed, resamples, titles = true, embedder, answers }: Plan): Settings {
  const chat = answers === undefined ? null : chatOf(answers);
  return { ks, cut: cutOf(ks), seed, resamples, level: LEVEL, titles, embedder: embedder?.id ?? null, chat };
}

function chatOf({ chat, judge = chat, passages = DEFAULT_ANSWER_PASSAGES }: AnswerOptions): Settings["chat"] {
  return { answers: chat.id, judge: judge.id, passages };
}

function groupsOf(
  measured: readonly MeasuredMethod[],
  measures: readonly MeasureName[],
  { questions, seed, resamples, signal, onProgress }: Plan,
): Group[] {
  const chosen = selections(questions);
  return chosen.map((selection, i) => {
    signal?.throwIfAborted();
    const group = figuresOf(selection, measured, measures, { seed, resamples });
    onProgress?.({ phase: "compare", done: i + 1, total: chosen.length });
    return group;
  });
}

function questionReport(question: Question, place: number, runs: readonly Run[]): QuestionReport {
  return {
    id: question.id,
    question: question.question,
    type: question.type ?? null,
    set: question.set ?? null,
    gold: question.gold,
    evidence: question.evidence ?? null,
    methods: runs.map(({ method, evaluation }) => {
      const { ranking, measures, answer } = evaluation.questions[place];
      return { method: method.name, ranking, measures, answer: answer?.text ?? null };
    }),
  };
}
