import { goldOf, type Question } from "../data/question.js";
import { RANK_DEPTH } from "../defaults.js";
import type { Measures } from "../measures/question.js";
import type { BuiltMethod } from "../methods/method.js";
import { idsOf, type Asked } from "../retriever.js";
import { reasonOf } from "./reason.js";
import type { FailedRanking, Failure, Reason } from "./report.js";

/** What one method has to say on a question, for the case that some method fails it. */
export interface Account {
  readonly ranking: FailedRanking;
  /** Its ranks of the gold passages, in the order of `goldOf`. */
  readonly goldRanks: readonly (number | null)[];
}

/** The middle depth, the smaller of two: where questions are won, lost and failed. */
export function cutOf(ks: readonly number[]): number {
  return ks[Math.floor((ks.length - 1) / 2)];
}

/** Whether not all that there is to find is found at the cut. */
export function fails(measures: Measures, ks: readonly number[]): boolean {
  const name = `recall@${cutOf(ks)}`;
  return name in measures && measures[name] < 1;
}

/**
 * Why a method returns what it returns, and where it has the gold passages: far down as well when it fails. A longer
 * ranking may differ from a shorter one at its head; ranks within the shorter one are its own.
 *
 * @param ranking what the method returned
 */
export async function accountOf(
  question: Question,
  ranking: readonly string[],
  failed: boolean,
  method: BuiltMethod,
  asked: Asked,
): Promise<Account> {
  const gold = goldOf(question);
  const deep = failed ? await idsOf(method, question.question, RANK_DEPTH, asked) : [];
  const reasons = await method.explain?.(question.question, ranking.length);
  const reasonFor = (id: string): Reason | null => {
    const evidence = reasons?.get(id);
    return evidence === undefined ? null : reasonOf(evidence);
  };
  const returned = ranking.map((id) => ({ id, gold: gold.includes(id), evidence: reasonFor(id) }));
  return {
    ranking: { method: asked.name, failed, returned },
    goldRanks: gold.map((id) => rankIn(ranking, id) ?? rankIn(deep, id)),
  };
}

/**
 * The questions that some method fails.
 *
 * @param accounts of each method, in the order of the questions
 */
export function failuresOf(questions: readonly Question[], accounts: readonly (readonly Account[])[]): Failure[] {
  return questions.flatMap((question, place) => {
    const all = accounts.map((ofMethod) => ofMethod[place]);
    if (!all.some(({ ranking }) => ranking.failed)) return [];
    const gold = goldOf(question).map((id, i) => ({ id, ranks: all.map(({ goldRanks }) => goldRanks[i]) }));
    return [{ id: question.id, gold, methods: all.map(({ ranking }) => ranking) }];
  });
}

function rankIn(ranking: readonly string[], id: string): number | null {
  const place = ranking.indexOf(id);
  return place < 0 ? null : place + 1;
}
