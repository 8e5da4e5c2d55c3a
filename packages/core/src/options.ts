import * as z from "zod/mini";
import { PRESETS, type PresetName, type RankingOptions } from "./defaults.js";
import { firstIssue } from "./directory/shape.js";
import { InvalidArgumentError } from "./errors.js";
import { show } from "./validate.js";

const positive = z.number().check(z.positive());
const natural = z.int().check(z.nonnegative());
const fraction = z.number().check(z.nonnegative(), z.lte(1));
const count = z.union([z.int().check(z.positive()), z.literal(Infinity)]);

/** The range of every setting. */
const rankingSchema = z.strictObject({
  seeds: z.enum(["names", "mentions", "both"]),
  maxNameTokens: z.int().check(z.positive()),
  maxSeedShare: fraction,
  minSeedPassages: natural,
  minNameUse: fraction,
  minNameSimilarity: fraction.check(z.positive()),
  maxWordPassages: natural,
  similarity: z.enum(["auto", "lexical", "dense", "hybrid"]),
  sentenceLengthScale: positive,
  propagation: z.enum(["max", "top-sentences"]),
  hops: z.int().check(z.positive()),
  activationThreshold: z.number().check(z.nonnegative()),
  sentencesPerEntity: z.int().check(z.positive()),
  hubDegree: count,
  candidates: count,
  activation: z.enum(["spread", "none"]),
  similarityWeight: z.number().check(z.nonnegative()),
  passageWeight: z.number().check(z.nonnegative()),
  specificity: z.number().check(z.nonnegative()),
  definitionWeight: z.number().check(z.nonnegative()),
  priorShare: fraction,
  importance: z.enum(["pagerank", "reset"]),
  solver: z.enum(["push", "exact"]),
  damping: z.number().check(z.positive(), z.lt(1)),
  epsilon: positive,
  tolerance: positive,
  k1: z.number().check(z.nonnegative()),
  b: fraction,
});

/** The preset with single settings changed. @throws InvalidArgumentError on an unknown name or a value out of range */
export function resolveRanking(
  method: string,
  preset: PresetName,
  changes: Partial<RankingOptions>,
): RankingOptions {
  if (!Object.hasOwn(PRESETS, preset)) {
    throw new InvalidArgumentError(
      `${method}: expected a preset of ${Object.keys(PRESETS).join(", ")}, got ${show(preset)}.`,
    );
  }
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged: unknown = { ...PRESETS[preset], ...Object.fromEntries(given) };
  const parsed = z.safeParse(rankingSchema, merged);
  if (!parsed.success) throw new InvalidArgumentError(`${method}: ranking: ${firstIssue(parsed.error)}.`);
  return parsed.data satisfies RankingOptions;
}
