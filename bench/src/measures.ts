/**
 * Recall@k of one question: `|gold ∩ top-k| / |gold|`.
 *
 * @param ranking ids of the retrieved passages, the best first, none twice
 * @param gold ids of the passages that together hold the evidence, at least one
 */
export function recallAt(k: number, ranking: readonly string[], gold: readonly string[]): number {
  return evidenceRecallAt(
    k,
    ranking,
    gold.map((id) => [id]),
  );
}

/**
 * Evidence recall@k of one question: the share of its placed statements with at least one of their passages in the
 * top k. Statements without a place are left out.
 *
 * @param statements for each statement the ids of the passages that hold it, any one being enough; at least one
 *   statement must have a passage
 */
export function evidenceRecallAt(
  k: number,
  ranking: readonly string[],
  statements: readonly (readonly string[])[],
): number {
  const placed = statements.filter((passages) => passages.length > 0);
  if (placed.length === 0) throw new RangeError("recall needs at least one passage that holds evidence, got none");
  const top = new Set(ranking.slice(0, k));
  return placed.filter((passages) => passages.some((id) => top.has(id))).length / placed.length;
}

export function mean(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The percentile of some values by linear interpolation between the two nearest ranks (as NumPy does by default);
 * NaN when there are none.
 *
 * @param percent 0 to 100
 */
export function percentile(values: ArrayLike<number>, percent: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const place = ((sorted.length - 1) * percent) / 100;
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

/** Several measurements of one thing: the least, the middle and the most. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  return { min: percentile(values, 0), median: percentile(values, 50), max: percentile(values, 100) };
}

/** Words of a text as people count them: what stands between single spaces. */
export function countWords(text: string): number {
  let count = text === "" ? 0 : 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) count++;
  return count;
}
