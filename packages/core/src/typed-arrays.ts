interface GrowableArrayType<A> {
  new (length: number): A;
}

/** A copy of twice the length. */
export function grown<A extends Float64Array | Uint32Array | Int32Array | Uint8Array>(
  array: A,
  type: GrowableArrayType<A>,
  least = 0,
): A {
  const copy = new type(Math.max(array.length * 2, least));
  copy.set(array);
  return copy;
}
