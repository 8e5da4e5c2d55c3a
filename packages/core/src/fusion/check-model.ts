import * as z from "zod/mini";
import { count, finite, notNegative, oneOf, positive } from "../schema-kinds.js";
import { messageOf } from "../schema-issue.js";
import { show } from "../validate.js";
import { FUSION_CONTEXT, FUSION_FEATURES } from "./features.js";
import type { FusionModel } from "./model.js";

/** An object of exactly these fields. */
function record<T extends z.core.$ZodLooseShape>(expected: string, shape: T) {
  return z.strictObject(shape, {
    error: ({ code, input }) => (code === "invalid_type" ? `expected ${expected}, got ${show(input)}` : undefined),
  });
}

function list<T extends z.core.SomeType>(of: T) {
  return z.array(of, { error: ({ input }) => `expected an array, got ${show(input)}` });
}

const range = z
  .tuple([finite, finite], { error: ({ input }) => `expected a range [least, greatest], got ${show(input)}` })
  .check(z.refine(([least, greatest]) => least <= greatest, { error: "expected a range [least, greatest]" }));

const context = record("a property of the question", {
  name: oneOf(FUSION_CONTEXT),
  mean: finite,
  deviation: positive,
  range,
});

const feature = record("a feature's weights", {
  name: oneOf(FUSION_FEATURES),
  mean: finite,
  deviation: positive,
  range,
  slope: finite,
  knots: list(finite).check(z.refine(isAscending, { error: "expected knots in ascending order" })),
  bends: list(finite),
  offset: finite,
  byContext: list(finite),
}).check(z.refine(({ knots, bends }) => knots.length === bends.length, { error: "expected as many bends as knots" }));

const weights = record("weights", {
  intercept: finite,
  context: list(context).check(z.refine(areDistinct, { error: "expected each property of the question once" })),
  features: list(feature).check(z.refine(areDistinct, { error: "expected each feature once" })),
}).check(
  z.refine(({ features, context }) => features.every(({ byContext }) => byContext.length === context.length), {
    error: "expected byContext to be as long as context",
  }),
);

const json = z.custom((value) => z.safeParse(z.json(), value).success, {
  error: ({ input }) => `expected JSON, got ${show(input)}`,
});

const modelSchema = record('"none" or a fusion model', {
  format: z.literal(1, { error: ({ input }) => `expected format 1, got ${show(input)}` }),
  provenance: json,
  pool: record("the sizes of the pool's lists", { graph: count, words: count, vectors: count, secondHop: count }),
  halfTrust: notNegative,
  words: weights,
  vectors: z.optional(weights),
});

/** The setting `fusion`: `"none"`, or a model, which may come from a file. */
export const fusionSchema = z.custom<FusionModel | "none">().check(({ value, issues }) => {
  if (value === "none") return;
  const parsed = z.safeParse(modelSchema, value);
  if (parsed.success) return;
  for (const issue of parsed.error.issues) {
    issues.push({ code: "custom", path: issue.path, message: messageOf(issue), input: value });
  }
});

function areDistinct(rows: readonly { name: string }[]): boolean {
  return new Set(rows.map(({ name }) => name)).size === rows.length;
}

function isAscending(values: readonly number[]): boolean {
  return values.every((value, i) => i === 0 || values[i - 1] < value);
}
