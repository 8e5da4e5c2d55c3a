import { InvalidArgumentError } from "@trigraph/core";
import { bm25Method } from "./bm25.js";
import { langChainBm25, langChainEnsemble, langChainVectors } from "./langchain.js";
import { llamaIndexBm25, llamaIndexVectors } from "./llamaindex.js";
import type { Method } from "./method.js";
import { minisearchMethod } from "./minisearch.js";
import { trigraphMethod } from "./trigraph.js";
import { type OwnFusion, type Variant, VARIANTS, withFusion } from "./variants.js";

export type { OwnFusion };

const variants: ReadonlyMap<string, Variant> = new Map(Object.entries(VARIANTS));

/** All methods that can be named, in the order of the help. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  [
    ...[...variants].map(([name, variant]) => trigraphMethod(name, variant)),
    bm25Method,
    minisearchMethod,
    langChainBm25,
    langChainVectors,
    langChainEnsemble,
    llamaIndexBm25,
    llamaIndexVectors,
  ].map((method) => [method.name, method]),
);

/**
 * @param fusion replaces the weights of stage 3 that come with the library
 * @throws InvalidArgumentError for a name that there is not, or one named twice
 */
export function methodsNamed(names: readonly string[], fusion?: OwnFusion): Method[] {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InvalidArgumentError(`methods: expected each name once, got "${twice}" twice.`);
  return names.map((name) => {
    const variant = fusion && variants.get(name);
    if (variant !== undefined) return trigraphMethod(name, withFusion(variant, fusion!));
    const method = METHODS.get(name);
    if (method !== undefined) return method;
    throw new InvalidArgumentError(`methods: expected some of ${[...METHODS.keys()].join(", ")}; got "${name}".`);
  });
}
