/**
 * Keys of entities: a 53-bit hash of the normalised name, the same on every machine and for ever.
 *
 * `key = (h1 >>> 11) * 2^32 + (h2 >>> 0)` where h1 and h2 are MurmurHash3_x86_32 of the name's UTF-8
 * bytes with the seeds 0 and 0x9747b28c. MurmurHash3 is Austin Appleby's (public domain); the same
 * numbers come out of Python's `mmh3`:
 *
 *     (mmh3.hash(name, 0, signed=False) >> 11) << 32 | mmh3.hash(name, 0x9747B28C, signed=False)
 *
 * Why 53 bits: it is what a double holds exactly, so one key is at once a `number`, an element of a
 * `Float64Array`, a JSON number and a database's BIGINT. The odds that any two of n names share a
 * key are about n²/2^54 while that is small: 5.6e-5 at one million names, and at 100 million
 * 1 - exp(-0.555) = 0.43. So a collision is improbable but must be detected, never assumed away;
 * and names that collide can be made on purpose, since MurmurHash3 is no cryptographic hash.
 */

const SEED_HIGH = 0;
const SEED_LOW = 0x9747b28c;

/** 2^32, by which the high 21 bits are moved. */
const TWO_32 = 4294967296;

/** Longest name hashed from its UTF-16 units when it proves to be ASCII; longer ones are encoded. */
const ASCII_LIMIT = 256;

const encoder = new TextEncoder();
let bytes = new Uint8Array(1024);

/** The 53-bit key of a name, an integer in [0, 2^53). A lone surrogate counts as U+FFFD. Never throws. */
export function stableKey(name: string): number {
  const length = encode(name);
  const high = murmur3(bytes, length, SEED_HIGH);
  const low = murmur3(bytes, length, SEED_LOW);
  return (high >>> 11) * TWO_32 + (low >>> 0);
}

/** Writes the name's UTF-8 bytes to `bytes` and returns their number. */
function encode(name: string): number {
  const units = name.length;
  // A UTF-16 unit becomes three bytes at most (a surrogate pair four).
  if (bytes.length < units * 3) bytes = new Uint8Array(Math.max(units * 3, bytes.length * 2));
  if (units <= ASCII_LIMIT) {
    let i = 0;
    for (; i < units; i++) {
      const unit = name.charCodeAt(i);
      if (unit > 0x7f) break;
      bytes[i] = unit;
    }
    if (i === units) return units;
  }
  return encoder.encodeInto(name, bytes).written;
}

/** MurmurHash3_x86_32 of the first `length` bytes. */
function murmur3(data: Uint8Array, length: number, seed: number): number {
  let hash = seed | 0;
  const blocks = length & ~3;
  for (let i = 0; i < blocks; i += 4) {
    const block = data[i] | (data[i + 1] << 8) | (data[i + 2] << 16) | (data[i + 3] << 24);
    hash ^= scramble(block);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  const rest = length - blocks;
  if (rest > 0) {
    let block = data[blocks];
    if (rest > 1) block |= data[blocks + 1] << 8;
    if (rest > 2) block |= data[blocks + 2] << 16;
    hash ^= scramble(block);
  }
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
