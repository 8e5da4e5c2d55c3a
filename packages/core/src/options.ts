import * as z from "zod/mini";
import { PRESETS, type PresetName, type RankingOptions } from "./defaults.js";
import { InvalidArgumentError } from "./errors.js";
import { fusionSchema } from "./fusion/check-model.js";
import { count, number, oneOf, positive, notNegative } from "./schema-kinds.js";
import { firstIssue } from "./schema-issue.js";
import { show } from "./validate.js";

const fraction = number("a number from 0 to 1", (x) => x >= 0 && x <= 1);
const unlimitedCount = number(
  "an integer of at least 1, or Infinity",
  (x) => x >= 1 && (Number.isSafeInteger(x) || x === Infinity),
);

/** The range of every setting. */
const rankingSchema = z.strictObject({
  seeds: oneOf(["names", "mentions", "both", "none"]),
  maxNameTokens: count,
  maxSeedShare: fraction,
  minSeedPassages: notNegative,
  minNameUse: fraction,
  minNameSimilarity: number("a number greater than 0, at most 1", (x) => x > 0 && x <= 1),
  maxWordPassages: notNegative,
  similarity: oneOf(["auto", "lexical", "dense", "hybrid"]),
  sentenceLengthScale: positive,
  propagation: oneOf(["max", "top-sentences"]),
  hops: count,
  activationThreshold: notNegative,
  sentencesPerEntity: count,
  sentenceWords: oneOf(["open", "all"]),
  hubDegree: unlimitedCount,
  candidates: unlimitedCount,
  activation: oneOf(["spread", "none"]),
  similarityWeight: notNegative,
  passageWeight: notNegative,
  specificity: notNegative,
  definitionWeight: notNegative,
  priorShare: fraction,
  importance: oneOf(["pagerank", "reset"]),
  solver: oneOf(["push", "exact"]),
  damping: number("a number between 0 and 1, neither included", (x) => x > 0 && x < 1),
  fusion: fusionSchema,
  epsilon: positive,
  tolerance: positive,
  k1: notNegative,
  b: fraction,
});

/** The preset with single settings changed. @throws InvalidArgumentError on an unknown name or a value out of range */
export function resolveRanking(method: string, preset: PresetName, changes: Partial<RankingOptions>): RankingOptions {
  if (!Object.hasOwn(PRESETS, preset)) {
    throw new InvalidArgumentError(
      `${method}: expected a preset of ${Object.keys(PRESETS).join(", ")}, got ${show(preset)}.`,
    );
  }
  return changedRanking(method, PRESETS[preset], changes);
}

/** Settings with single ones changed. @throws InvalidArgumentError on an unknown name or a value out of range */
export function changedRanking(
  method: string,
  settings: RankingOptions,
  changes: Partial<RankingOptions>,
): RankingOptions {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const parsed = z.safeParse(rankingSchema, { ...settings, ...Object.fromEntries(given) });
  if (!parsed.success) {
    const isUnknown = parsed.error.issues[0].code === "unrecognized_keys";
    const names = isUnknown ? `; expected some of ${Object.keys(settings).join(", ")}` : "";
    throw new InvalidArgumentError(`${method}: ranking, ${firstIssue(parsed.error)}${names}.`);
  }
  return parsed.data;
}
