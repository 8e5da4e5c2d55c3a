import type { CandidatePool } from "@trigraph/core";
import type { Place } from "../data/question.js";

/** A question's candidates, and which of them hold evidence. */
export interface LabelledPool extends CandidatePool {
  /** The data set that the question is of; all sets count alike. */
  readonly set: string;
  /** The question's id: pools of one id are in one fold. */
  readonly question: string;
  /** For each statement of evidence, or gold passage, the passages that hold it. */
  readonly evidence: readonly Place[];
  /** What the index returns as it is, the best first. */
  readonly current: readonly string[];
}
