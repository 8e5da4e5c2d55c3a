/** The mean; NaN when there are no values. */
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
