/**
 * The dead passages of a segment, as a commit stores them: their ordinals in the manifest itself while they are few,
 * and otherwise in a file of their own, which later commits refer to until another passage of the segment dies.
 *
 * The file is the ordinals in ascending order, each as its difference to the one before (the first as it is) in LEB128:
 * seven bits a byte, lowest first, the high bit set on all but the last. Where every n-th passage is dead and n < 128
 * that is one byte for each. Its size, CRC-32 and number of passages stand in the manifest.
 */
import * as z from "zod/mini";
import { crc32 } from "../directory/checksum.js";
import { MAX_INLINE_DEAD } from "../defaults.js";
import { type Directory, isFileName } from "../directory/directory.js";
import { IndexError, InvalidArgumentError } from "../errors.js";

/** Dead passages in a file of their own. */
export interface DeadFile {
  readonly file: string;
  readonly bytes: number;
  /** CRC-32 of the file. */
  readonly checksum: number;
  /** How many passages are dead. */
  readonly passages: number;
}

/** Ordinals of dead passages, ascending, or the file that holds them. */
export type DeadPassages = readonly number[] | DeadFile;

const natural = z.int().check(z.nonnegative());

export const deadSchema = z.union([
  z
    .array(natural)
    .check(z.refine((dead) => dead.every((ordinal, i) => i === 0 || ordinal > dead[i - 1]), "ordinals must rise")),
  z.strictObject({
    file: z.string().check(z.refine(isFileName, "not a file name")),
    bytes: natural,
    checksum: natural.check(z.lt(2 ** 32)),
    passages: natural,
  }),
]);

/**
 * Stores dead passages for a commit: `dead` holds their ordinals, ascending. A file of the name is written when they are
 * more than `MAX_INLINE_DEAD`; it is durable after `sync`, which is left to the caller.
 * Throws `InvalidArgumentError` when the ordinals do not rise, `IndexError` STORAGE.
 */
export async function writeDead(directory: Directory, file: string, dead: ArrayLike<number>): Promise<DeadPassages> {
  for (let i = 0; i < dead.length; i++) {
    const least = i === 0 ? 0 : dead[i - 1] + 1;
    if (Number.isInteger(dead[i]) && dead[i] >= least && dead[i] < 2 ** 32) continue;
    throw new InvalidArgumentError(
      `writeDead: expected rising ordinals, got ${dead[i]} at ${i}, where ${least} would be the least`,
    );
  }
  if (dead.length <= MAX_INLINE_DEAD) return Array.from(dead);
  const bytes = encodeDeltas(dead);
  await directory.write(file, [bytes]);
  const checksum = (directory.checksum ?? crc32)(bytes);
  return { file, bytes: bytes.length, checksum, passages: dead.length };
}

/**
 * The ordinals of the dead among a segment's `passages`, ascending. Throws `IndexError` CORRUPT_INDEX when the file is
 * not as it was written or names a passage that the segment does not have, NOT_FOUND, STORAGE.
 *
 * @param method names the caller in errors
 */
export async function readDead(
  directory: Directory,
  dead: DeadPassages,
  passages: number,
  method = "open",
): Promise<Uint32Array> {
  const ordinals = isInline(dead) ? Uint32Array.from(dead) : await readDeadFile(directory, dead, method);
  if (ordinals.length > 0 && ordinals[ordinals.length - 1] >= passages) {
    const where = isInline(dead) ? "the manifest" : dead.file;
    throw new IndexError(
      "CORRUPT_INDEX",
      `${method}: ${where} calls passage ${ordinals[ordinals.length - 1]} dead, in a segment of ${passages}`,
    );
  }
  return ordinals;
}

/** How many passages are dead. */
export function deadCount(dead: DeadPassages): number {
  return isInline(dead) ? dead.length : dead.passages;
}

export function isInline(dead: DeadPassages): dead is readonly number[] {
  return Array.isArray(dead);
}

async function readDeadFile(directory: Directory, dead: DeadFile, method: string): Promise<Uint32Array> {
  const bytes = await directory.read(dead.file);
  const intact = bytes.length === dead.bytes && (directory.checksum ?? crc32)(bytes) === dead.checksum;
  const ordinals = intact ? decodeDeltas(bytes, dead.passages) : undefined;
  if (ordinals !== undefined) return ordinals;
  throw new IndexError("CORRUPT_INDEX", `${method}: ${dead.file} is not as it was written: restore it from a backup`);
}

function encodeDeltas(ordinals: ArrayLike<number>): Uint8Array {
  // 32 bits take five bytes of seven.
  const bytes = new Uint8Array(ordinals.length * 5);
  let end = 0;
  let previous = 0;
  for (let i = 0; i < ordinals.length; i++) {
    let delta = ordinals[i] - previous;
    previous = ordinals[i];
    for (; delta > 0x7f; delta >>>= 7) bytes[end++] = (delta & 0x7f) | 0x80;
    bytes[end++] = delta;
  }
  return bytes.slice(0, end);
}

/** Undefined unless the bytes are just so many rising ordinals. */
function decodeDeltas(bytes: Uint8Array, length: number): Uint32Array | undefined {
  // A delta takes a byte at least: no file makes this allocate more than four times its size.
  if (length > bytes.length) return undefined;
  const ordinals = new Uint32Array(length);
  let at = 0;
  let previous = 0;
  for (let i = 0; i < length; i++) {
    let delta = 0;
    let scale = 1;
    for (;;) {
      if (at === bytes.length || scale > 2 ** 28) return undefined;
      const byte = bytes[at++];
      delta += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) break;
    }
    previous += delta;
    if (previous >= 2 ** 32 || (delta === 0 && i > 0)) return undefined;
    ordinals[i] = previous;
  }
  return at === bytes.length ? ordinals : undefined;
}
