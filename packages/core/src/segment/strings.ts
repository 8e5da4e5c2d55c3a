import { IndexError } from "../errors.js";
import { inBlocks, type Steps } from "../steps.js";

/** Strings that are copied in one step: records of passages have hundreds of bytes each. */
const BLOCK = 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Strings as one run of UTF-8 bytes; string i is `bytes[offsets[i] … offsets[i + 1])`. */
export interface PackedStrings {
  /** [n + 1] */
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

/** Packs well-formed strings. */
export function packStrings(strings: readonly string[]): PackedStrings {
  const offsets = new Uint32Array(strings.length + 1);
  let bytes = new Uint8Array(strings.length * 16 + 64);
  let end = 0;
  for (let i = 0; i < strings.length; i++) {
    const text = strings[i];
    const need = end + text.length * 3;
    if (need > bytes.length) {
      const grown = new Uint8Array(Math.max(need, bytes.length * 2));
      grown.set(bytes.subarray(0, end));
      bytes = grown;
    }
    end += encoder.encodeInto(text, bytes.subarray(end)).written;
    offsets[i + 1] = end;
  }
  return { offsets, bytes: bytes.slice(0, end) };
}

/** @throws IndexError CORRUPT_INDEX when the bytes are no UTF-8 */
export function unpackString(offsets: Uint32Array, bytes: Uint8Array, index: number): string {
  const start = offsets[index];
  const end = offsets[index + 1];
  // Short ASCII names are the rule, and decoding them by hand is faster than calling the decoder.
  if (end - start <= 24) {
    let text = "";
    for (let i = start; i < end; i++) {
      if (bytes[i] > 0x7f) return decode(bytes.subarray(start, end));
      text += String.fromCharCode(bytes[i]);
    }
    return text;
  }
  return decode(bytes.subarray(start, end));
}

/** Opening a segment does not look at its strings, which checksums cover: what they cannot know is found here. */
function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new IndexError(
      "CORRUPT_INDEX",
      `a segment holds ${bytes.length} bytes that are no UTF-8 where a string belongs: restore the index from a backup`,
      { cause },
    );
  }
}

/** Negative, zero or positive as the bytes of string `a` stand before, equal or after those of `b`. */
export function comparePacked(a: PackedStrings, i: number, b: PackedStrings, j: number): number {
  const aStart = a.offsets[i];
  const bStart = b.offsets[j];
  const aLength = a.offsets[i + 1] - aStart;
  const bLength = b.offsets[j + 1] - bStart;
  const shared = Math.min(aLength, bLength);
  for (let k = 0; k < shared; k++) {
    const difference = a.bytes[aStart + k] - b.bytes[bStart + k];
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}

/** Copies chosen strings of several packs into one. */
export function* gatherStrings(
  packs: readonly PackedStrings[],
  pack: Uint32Array,
  item: Uint32Array,
): Steps<PackedStrings> {
  const offsets = new Uint32Array(item.length + 1);
  yield* inBlocks(item.length, BLOCK, (start, end) => {
    for (let i = start; i < end; i++) {
      const from = packs[pack[i]].offsets;
      offsets[i + 1] = offsets[i] + from[item[i] + 1] - from[item[i]];
    }
  });
  const bytes = new Uint8Array(offsets[item.length]);
  yield* inBlocks(item.length, BLOCK, (start, end) => {
    for (let i = start; i < end; i++) {
      const from = packs[pack[i]];
      bytes.set(from.bytes.subarray(from.offsets[item[i]], from.offsets[item[i] + 1]), offsets[i]);
    }
  });
  return { offsets, bytes };
}
