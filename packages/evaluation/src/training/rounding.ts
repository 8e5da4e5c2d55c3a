/** Significant digits of what is learned: more would say more than a few thousand questions can. */
const DIGITS = 5;

export function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** The same plain JSON with every number rounded. */
export function withRoundedNumbers<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === "number" ? rounded(part) : part,
  ) as T;
}
