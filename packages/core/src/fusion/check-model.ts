import * as z from "zod/mini";
import { show } from "../validate.js";
import { FUSION_CONTEXT, FUSION_FEATURES } from "./features.js";
import type { FusionModel } from "./model.js";

const finite = z.number();
const positive = z.number().check(z.gt(0));
const range = z
  .tuple([z.number(), z.number()])
  .check(z.refine(([least, greatest]) => least <= greatest, { error: "expected a range [least, greatest]" }));
const count = z.int().check(z.gte(1));

const weights = z
  .strictObject({
    intercept: finite,
    context: z.array(z.strictObject({ name: z.enum(FUSION_CONTEXT), mean: finite, deviation: positive, range })),
    features: z.array(
      z.strictObject({
        name: z.enum(FUSION_FEATURES),
        mean: finite,
        deviation: positive,
        range,
        slope: finite,
        knots: z.array(finite),
        bends: z.array(finite),
        offset: finite,
        byContext: z.array(finite),
      }),
    ),
  })
  .check(
    z.refine(({ features }) => areDistinct(features), { error: "expected each feature once" }),
    z.refine(({ context }) => areDistinct(context), { error: "expected each property of the question once" }),
    z.refine(({ features, context }) => features.every(({ byContext }) => byContext.length === context.length), {
      error: "expected byContext to be as long as context",
    }),
    z.refine(({ features }) => features.every(({ knots, bends }) => knots.length === bends.length), {
      error: "expected as many bends as knots",
    }),
    z.refine(({ features }) => features.every(({ knots }) => isAscending(knots)), {
      error: "expected knots in ascending order",
    }),
  );

const modelSchema = z.strictObject(
  {
    format: z.literal(1, { error: ({ input }) => `expected format 1, got ${show(input)}` }),
    provenance: z.json(),
    pool: z.strictObject({ graph: count, words: count, vectors: count, secondHop: count }),
    words: weights,
    vectors: z.optional(weights),
  },
  { error: ({ input }) => `expected "none" or a fusion model, got ${show(input)}` },
);

/** The setting `fusion`: `"none"`, or a model, which may come from a file. */
export const fusionSchema = z.custom<FusionModel | "none">().check(({ value, issues }) => {
  if (value === "none") return;
  const parsed = z.safeParse(modelSchema, value);
  if (parsed.success) return;
  for (const issue of parsed.error.issues) issues.push({ ...issue, code: "custom", input: value });
});

function areDistinct(rows: readonly { name: string }[]): boolean {
  return new Set(rows.map(({ name }) => name)).size === rows.length;
}

function isAscending(values: readonly number[]): boolean {
  return values.every((value, i) => i === 0 || values[i - 1] < value);
}
