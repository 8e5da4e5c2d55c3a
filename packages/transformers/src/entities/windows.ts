/** Reading what is longer than a model can read at once. */

/** A half-open range of units. */
export interface Window {
  readonly first: number;
  readonly end: number;
}

/**
 * Windows over units of given lengths in pieces, each at most `capacity` pieces and no longer than that alone. Each
 * starts where about `overlap` pieces of the one before are read again. Linear in the units.
 */
export function windowsOf(lengths: readonly number[], capacity: number, overlap: number): Window[] {
  const windows: Window[] = [];
  let first = 0;
  while (first < lengths.length) {
    let end = first;
    for (let size = 0; end < lengths.length && (end === first || size + lengths[end] <= capacity); end++) {
      size += lengths[end];
    }
    windows.push({ first, end });
    if (end === lengths.length) break;
    let next = end;
    for (let again = 0; next - 1 > first && again + lengths[next - 1] <= overlap; next--) again += lengths[next - 1];
    first = next;
  }
  return windows;
}

/**
 * The window in which a unit has the most around it, for every unit; the first of equals. The ends of the text count as
 * far away: nothing is missing there.
 */
export function clearestWindows(windows: readonly Window[], units: number): Uint32Array {
  const best = new Uint32Array(units);
  const around = new Float64Array(units).fill(-1);
  for (const [w, { first, end }] of windows.entries()) {
    for (let u = first; u < end; u++) {
      const before = first === 0 ? Infinity : u - first;
      const after = end === units ? Infinity : end - 1 - u;
      if (Math.min(before, after) <= around[u]) continue;
      around[u] = Math.min(before, after);
      best[u] = w;
    }
  }
  return best;
}
