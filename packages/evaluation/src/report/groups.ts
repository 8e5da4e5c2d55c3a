import type { Question } from "../data/question.js";
import { mean } from "../measures/numbers.js";
import type { MeasureName, Measures } from "../measures/question.js";
import { bootstrapMeans, intervalOf, signFlipTest, type Resampling } from "../statistics/resampling.js";
import type { Comparison, Group, GroupMeasure, Loss, MethodFigure } from "./report.js";

/** A method and its measures of each question, in the order of the questions. */
export interface MeasuredMethod {
  readonly name: string;
  readonly questions: readonly Measures[];
}

/** Which questions are told of together: their places in the list. */
export interface Selection {
  readonly by: Group["by"];
  readonly name: string;
  readonly places: readonly number[];
}

/** All questions, those of each set when there are several, and those of each type, by name. */
export function selections(questions: readonly Question[]): Selection[] {
  const sets = grouped(
    "set",
    questions.map(({ set }) => set),
  );
  const types = grouped(
    "type",
    questions.map(({ type }) => type),
  );
  return [
    { by: "all", name: "all", places: questions.map((_, place) => place) },
    ...(sets.length > 1 ? sets : []),
    ...types,
  ];
}

/** The figures of a selection, for each measure that some of its questions have under every method. */
export function figuresOf(
  { by, name, places }: Selection,
  methods: readonly MeasuredMethod[],
  measures: readonly MeasureName[],
  resampling: Resampling,
): Group {
  const figures = measures.map((measure): GroupMeasure => {
    const judged = places.filter((place) => methods.every(({ questions }) => measure in questions[place]));
    const columns = methods.map(({ questions }) => judged.map((place) => questions[place][measure]));
    const names = methods.map((method) => method.name);
    return {
      measure,
      questions: judged.length,
      methods: judged.length === 0 ? [] : compare(names, columns, resampling),
    };
  });
  return { by, name, questions: places.length, measures: figures.filter(({ questions }) => questions > 0) };
}

/** Questions of which the first method finds less at the cut than another one, by method. */
export function lossesOf(
  questions: readonly Question[],
  [first, ...others]: readonly MeasuredMethod[],
  measure: MeasureName,
): Loss[] {
  return others.flatMap((other) =>
    questions.flatMap(({ id }, place) => {
      const [mine, its] = [first.questions[place][measure], other.questions[place][measure]];
      return mine < its ? [{ id, method: other.name, first: mine, other: its }] : [];
    }),
  );
}

/** Values before and after, of the same questions: the figures of both, the second against the first. */
export function comparePair(
  before: readonly number[],
  after: readonly number[],
  resampling: Resampling,
): MethodFigure[] {
  return compare(["before", "after"], [before, after], resampling);
}

/** Means with their intervals, and the others' differences from the first. */
function compare(
  names: readonly string[],
  columns: readonly (readonly number[])[],
  resampling: Resampling,
): MethodFigure[] {
  const resampled = bootstrapMeans(columns, resampling);
  return names.map((method, i) => ({
    method,
    mean: mean(columns[i]),
    interval: intervalOf(resampled[i]),
    versusFirst:
      i === 0
        ? null
        : comparison(
            columns[i],
            columns[0],
            resampled[i].map((value, r) => value - resampled[0][r]),
            resampling,
          ),
  }));
}

function comparison(
  values: readonly number[],
  others: readonly number[],
  resampledDifferences: Float64Array,
  resampling: Resampling,
): Comparison {
  const differences = values.map((value, i) => value - others[i]);
  return {
    difference: mean(differences),
    interval: intervalOf(resampledDifferences),
    p: signFlipTest(differences, resampling),
    better: differences.filter((difference) => difference > 0).length,
    equal: differences.filter((difference) => difference === 0).length,
    worse: differences.filter((difference) => difference < 0).length,
  };
}

function grouped(by: "set" | "type", names: readonly (string | undefined)[]): Selection[] {
  const places = new Map<string, number[]>();
  for (const [place, name] of names.entries()) {
    if (name === undefined) continue;
    const list = places.get(name);
    if (list === undefined) places.set(name, [place]);
    else list.push(place);
  }
  const found = [...places].map(([name, list]): Selection => ({ by, name, places: list }));
  return by === "type" ? found.sort((a, b) => (a.name < b.name ? -1 : 1)) : found;
}
