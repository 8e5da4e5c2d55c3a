import { InvalidArgumentError } from "../errors.js";
import { show } from "../validate.js";

/**
 * A copy of the vector scaled to length 1, so that a dot product is a cosine; a zero vector stays zero and
 * is similar to nothing.
 *
 * @param what names the vector in errors
 * @throws InvalidArgumentError on a wrong length or a number that is not finite
 */
export function unitVector(vector: ArrayLike<number>, dimensions: number, what: string): Float32Array {
  const given: unknown = vector;
  if (typeof given !== "object" || given === null || typeof vector.length !== "number") {
    throw new InvalidArgumentError(`${what}: expected a vector of ${dimensions} numbers, got ${show(given)}.`);
  }
  if (vector.length !== dimensions) {
    throw new InvalidArgumentError(
      `${what}: expected a vector of ${dimensions} numbers, got ${vector.length}. Use the model that the index was built with.`,
    );
  }
  let greatest = 0;
  for (let i = 0; i < dimensions; i++) {
    const value = vector[i];
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw new InvalidArgumentError(`${what}: expected finite numbers, got ${String(value)} at position ${i}.`);
    }
    greatest = Math.max(greatest, Math.abs(value));
  }
  if (greatest === 0) return new Float32Array(dimensions);
  // Squares of very small or large numbers are 0 or infinite; those of numbers up to 1 are neither.
  let squares = 0;
  for (let i = 0; i < dimensions; i++) squares += (vector[i] / greatest) ** 2;
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (value) => value / greatest / length);
}
