/** Deeper metadata is refused: nobody means it, and recursion has an end. */
export const MAX_METADATA_DEPTH = 100;

/** Leaves out of plain objects what is undefined, as JSON does. What else is no JSON, or too deep, is refused by its name later. */
export function withoutUndefined(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_METADATA_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => withoutUndefined(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const defined = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(defined.map(([key, item]) => [key, withoutUndefined(item, depth + 1)]));
}
