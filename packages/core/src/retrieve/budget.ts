import { DEFAULT_CHARACTERS_PER_TOKEN } from "../defaults.js";
import type { RetrievedPassage, RetrieveOptions } from "../types.js";

/** What limits a result beside k. */
export type Budget = Pick<RetrieveOptions, "minScore" | "maxTokens" | "countTokens">;

/** The leading hits that score enough and whose texts together stay within the tokens. */
export function withinBudget(
  hits: readonly RetrievedPassage[],
  { minScore = 0, maxTokens = Infinity, countTokens = estimateTokens }: Budget,
): RetrievedPassage[] {
  let left = maxTokens;
  const end = hits.findIndex(({ passage, score }) => {
    if (score < minScore) return true;
    if (left < Infinity) left -= countTokens(passage.text);
    return left < 0;
  });
  return hits.slice(0, end < 0 ? hits.length : end);
}

/** Tokens of a text as `maxTokens` counts them by default. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / DEFAULT_CHARACTERS_PER_TOKEN);
}
