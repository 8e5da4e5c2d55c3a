import type { Evidence, RetrievedPassage } from "@trigraph/core";

export interface AnsweredPassage {
  readonly id: string;
  readonly title: string | undefined;
  readonly text: string;
  readonly score: number;
  /** The sentence of the passage that matters most to the question. */
  readonly sentence: string | undefined;
  /** The entities from the question to the passage; null when its similarity brought it. */
  readonly path: readonly string[] | null;
}

/** @param hit retrieved with `explain` */
export function toAnswer({ passage, score, evidence }: RetrievedPassage): AnsweredPassage {
  const { id, title, text } = passage;
  return { id, title, text, score, sentence: evidence?.sentence?.text, path: evidence ? pathOf(evidence) : null };
}

function pathOf(evidence: Evidence): readonly string[] | null {
  if (evidence.via !== "graph") return null;
  return [evidence.seed.entity, ...evidence.steps.map(({ to }) => to.entity)];
}
