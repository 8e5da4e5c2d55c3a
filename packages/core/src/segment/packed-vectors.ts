/** Vectors in eight bits a number: a quarter of the bytes, and products of whole numbers, which no order of summing changes. */

import type { VectorPrecision } from "../types.js";

export const VECTOR_PRECISIONS = ["float32", "int8"] as const satisfies readonly VectorPrecision[];

/** The greatest code, by size. */
export const MAX_CODE = 127;

/**
 * Writes the codes of a vector, its numbers scaled so that the greatest by size is 127 and rounded. Returns the scale
 * that gives the codes, as a vector, length 1 again: 0 for the zero vector, whose codes are 0.
 *
 * A vector that was restored from codes gets the same codes.
 */
export function quantize(vector: Float32Array, codes: Int8Array): number {
  let greatest = 0;
  for (const value of vector) greatest = Math.max(greatest, Math.abs(value));
  if (greatest === 0) {
    codes.fill(0);
    return 0;
  }
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    codes[i] = Math.round((vector[i] / greatest) * MAX_CODE);
    squares += codes[i] * codes[i];
  }
  return 1 / Math.sqrt(squares);
}

/** How vectors are kept. */
export interface VectorShape {
  /** Length of each; 0 without vectors. */
  readonly dimensions: number;
  readonly precision: VectorPrecision;
}

/** Vectors of length 1 or 0 as the arrays of a segment; an empty one is 0. */
export interface PackedVectors {
  readonly vectors: Float32Array;
  readonly vectorCodes: Int8Array;
  readonly vectorScales: Float32Array;
}

/** Room for so many. */
export function zeroVectors(count: number, { dimensions, precision }: VectorShape): PackedVectors {
  const [floats, codes] = precision === "float32" ? [count * dimensions, 0] : [0, count * dimensions];
  return {
    vectors: new Float32Array(floats),
    vectorCodes: new Int8Array(codes),
    vectorScales: new Float32Array(codes === 0 ? 0 : count),
  };
}

export function packVectors(rows: readonly Float32Array[], shape: VectorShape): PackedVectors {
  const { dimensions, precision } = shape;
  const packed = zeroVectors(rows.length, shape);
  if (dimensions === 0) return packed;
  const { vectors, vectorCodes, vectorScales } = packed;
  rows.forEach((row, i) => {
    if (precision === "float32") vectors.set(row, i * dimensions);
    else vectorScales[i] = quantize(row, vectorCodes.subarray(i * dimensions, (i + 1) * dimensions));
  });
  return packed;
}

/** The vector that codes stand for. */
export function restored(codes: Int8Array, scale: number): Float32Array {
  return Float32Array.from(codes, (code) => code * scale);
}
