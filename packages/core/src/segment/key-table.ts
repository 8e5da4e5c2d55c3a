import { finish, inBlocks, type Steps } from "../steps.js";

/** Keys are integers in [0, 2^53). */
const KEY_RANGE = 2 ** 53;

/** Where the keys of each bucket begin, and what takes a key to its bucket. */
interface Buckets {
  /** [buckets + 1] */
  readonly starts: Uint32Array;
  readonly scale: number;
}

/** Keys that are sorted or gone through in one step. */
const BLOCK = 2 ** 15;

function* findBuckets(keys: Float64Array): Steps<Buckets> {
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, keys.length)));
  const scale = buckets / KEY_RANGE;
  const starts = new Uint32Array(buckets + 1);
  let filled = 0;
  yield* inBlocks(keys.length, BLOCK, (start, end) => {
    for (let i = start; i < end; i++) {
      const bucket = Math.floor(keys[i] * scale);
      while (filled <= bucket) starts[filled++] = i;
    }
  });
  starts.fill(keys.length, filled);
  return { starts, scale };
}

export function* keyTable(keys: Float64Array): Steps<KeyTable> {
  return new KeyTable(keys, yield* findBuckets(keys));
}

/**
 * Ascending keys with a look-up in constant time.
 *
 * Keys are hashes and so evenly spread: cutting their range into as many buckets as there are keys
 * leaves about one key in each, and a look-up touches two cache lines where a binary search over a
 * million keys touches twenty.
 */
export class KeyTable {
  readonly keys: Float64Array;
  private readonly bucketStarts: Uint32Array;
  private readonly scale: number;

  /**
   * @param keys ascending; equal keys may repeat.
   * @param found of the keys
   */
  constructor(keys: Float64Array, found: Buckets = finish(findBuckets(keys))) {
    this.keys = keys;
    this.bucketStarts = found.starts;
    this.scale = found.scale;
  }

  get size(): number {
    return this.keys.length;
  }

  /** Bytes beside the keys themselves. */
  get overheadBytes(): number {
    return this.bucketStarts.byteLength;
  }

  /** The first ordinal that has this key, or -1. */
  find(key: number): number {
    const { keys, bucketStarts } = this;
    const bucket = Math.floor(key * this.scale);
    const end = bucketStarts[bucket + 1];
    for (let i = bucketStarts[bucket]; i < end; i++) {
      if (keys[i] >= key) return keys[i] === key ? i : -1;
    }
    return -1;
  }
}

/** The keys in ascending order: sorted in blocks, which are merged two by two. */
export function* sortKeys(keys: Float64Array): Steps<Float64Array> {
  let from = keys.slice();
  let to = new Float64Array(keys.length);
  yield* inBlocks(keys.length, BLOCK, (start, end) => from.subarray(start, end).sort());
  for (let width = BLOCK; width < keys.length; width *= 2) {
    for (let start = 0; start < keys.length; start += 2 * width) {
      const middle = Math.min(start + width, keys.length);
      yield* mergeRuns(from, to, start, middle, Math.min(middle + width, keys.length));
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two ascending runs, `[start, middle)` and `[middle, end)`, into the same places of `to`. */
function* mergeRuns(from: Float64Array, to: Float64Array, start: number, middle: number, end: number): Steps<void> {
  let left = start;
  let right = middle;
  yield* inBlocks(end - start, BLOCK, (first, last) => {
    for (let i = start + first; i < start + last; i++) {
      const takesLeft = right === end || (left < middle && from[left] <= from[right]);
      to[i] = from[takesLeft ? left++ : right++];
    }
  });
}

/** The distinct keys in ascending order. */
export function* distinctKeys(keys: Float64Array): Steps<Float64Array> {
  const sorted = yield* sortKeys(keys);
  let size = 0;
  yield* inBlocks(sorted.length, BLOCK, (start, end) => {
    for (let i = start; i < end; i++) if (i === 0 || sorted[i] !== sorted[size - 1]) sorted[size++] = sorted[i];
  });
  return sorted.slice(0, size);
}
