/** A statement that an answer rests on, and the passages that hold it; any one of them is enough. */
export interface Evidence {
  readonly text: string;
  /** Empty where no place could be trusted. */
  readonly passages: readonly string[];
}

/** A question and what is known of its answer and evidence. */
export interface Question {
  /** Unique among the questions. */
  readonly id: string;
  readonly question: string;
  /** Its kind; figures are told for each as well. */
  readonly type?: string;
  /** Which file or data set it belongs to; figures are told for each when there are several. */
  readonly set?: string;
  readonly answer?: string;
  /** Other wordings of the answer. */
  readonly answerAliases?: readonly string[];
  /** Ids of the passages that together hold the evidence; null where nobody has said. */
  readonly gold: readonly string[] | null;
  /** Present where recall counts statements instead of passages. */
  readonly evidence?: readonly Evidence[];
}

/** Ids of passages, any one of which is enough. */
export type Place = readonly string[];

/**
 * What there is to find: each statement of the evidence that has a place, or without evidence each gold passage. Empty
 * when nothing is known; retrieval cannot be judged then.
 */
export function placesOf({ gold, evidence }: Question): readonly Place[] {
  if (evidence === undefined) return (gold ?? []).map((id) => [id]);
  return evidence.map(({ passages }) => passages).filter((passages) => passages.length > 0);
}

/** All passages that hold something of what there is to find, each once. */
export function goldOf(question: Question): readonly string[] {
  return [...new Set(placesOf(question).flat())];
}

/** Whether no single passage holds all that is known of the evidence. */
export function needsSeveral(question: Question): boolean {
  const [first = [], ...others] = placesOf(question);
  return !first.some((id) => others.every((passages) => passages.includes(id)));
}
