import { InvalidArgumentError } from "../errors.js";
import type { View } from "../index/view.js";
import type { WeightedPassages } from "../pagerank/reset.js";
import type { Prior, StoredPassage } from "../types.js";
import { checkId, show } from "../validate.js";

/** The priors that the query may see, scaled so that the greatest is 1. */
export function readPriors(
  view: View,
  priors: readonly Prior[],
  filter: ((passage: StoredPassage) => boolean) | undefined,
): WeightedPassages {
  if (!Array.isArray(priors)) {
    throw new InvalidArgumentError(`retrieve: expected priors to be an array of { id, score }, got ${show(priors)}.`);
  }
  const weights = new Map<number, number>();
  for (const prior of priors as readonly (Prior | null | undefined)[]) {
    if (typeof prior !== "object" || prior === null) {
      throw new InvalidArgumentError(`retrieve: expected priors { id, score }, got ${show(prior)}.`);
    }
    const { id, score } = prior;
    checkId("retrieve: prior", id);
    if (!(score > 0 && Number.isFinite(score))) {
      throw new InvalidArgumentError(
        `retrieve: expected the prior of ${show(id)} to be greater than 0, got ${show(score)}.`,
      );
    }
    const number = view.findPassage(id);
    if (number < 0 || filter?.(view.passage(number)) === false) continue;
    weights.set(number, Math.max(score, weights.get(number) ?? 0));
  }
  const greatest = Math.max(...weights.values());
  // In an order that storage does not change.
  const numbers = [...weights.keys()].sort((a, b) => view.comparePassages(a, b));
  return {
    passages: { ids: Float64Array.from(numbers), length: numbers.length },
    weights: numbers.map((number) => weights.get(number)! / greatest),
  };
}

export const NO_PRIORS: WeightedPassages = { passages: { ids: new Float64Array(0), length: 0 }, weights: [] };
