import { DEFAULT_CHARACTERS_PER_TOKEN } from "../defaults.js";
import { InvalidArgumentError } from "../errors.js";
import type { RetrievedPassage, RetrieveOptions } from "../types.js";
import { show } from "../validate.js";

/** What limits a result beside k. */
export type Budget = Pick<RetrieveOptions, "minScore" | "maxTokens" | "countTokens">;

/** The leading hits that score enough and whose texts together stay within the tokens. */
export function withinBudget(
  hits: readonly RetrievedPassage[],
  { minScore = 0, maxTokens = Infinity, countTokens }: Budget,
): RetrievedPassage[] {
  let left = maxTokens;
  const end = hits.findIndex(({ passage, score }) => {
    if (score < minScore) return true;
    if (left < Infinity) left -= tokensOf(passage.text, countTokens);
    return left < 0;
  });
  return hits.slice(0, end < 0 ? hits.length : end);
}

/** Tokens of a text, as `maxTokens` counts them. @throws InvalidArgumentError when the function returns no count */
export function tokensOf(text: string, countTokens: (text: string) => number = estimateTokens): number {
  const tokens: unknown = countTokens(text);
  if (typeof tokens === "number" && tokens >= 0 && tokens < Infinity) return tokens;
  throw new InvalidArgumentError(
    `retrieve: expected countTokens to return a finite number of at least 0, got ${show(tokens)}. It must not be async.`,
  );
}

/** Tokens of a text where nobody counts. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / DEFAULT_CHARACTERS_PER_TOKEN);
}
